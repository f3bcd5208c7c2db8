"""Where a file lies: on a disk of this machine, or on one that other machines write to as well.

SQLite in WAL mode needs shared memory, which no network share has between machines.
"""

from __future__ import annotations

import ctypes
import os
import re
import subprocess
import sys
from pathlib import Path

#: file systems that another machine can hold, as Linux and macOS call them
_NETWORK = re.compile(
    r"(nfs\d?|cifs|smb\w*|afpfs|webdav|davfs2?|9p|afs|ceph|glusterfs|lustre|gpfs|beegfs|ncpfs|vboxsf"
    r"|fuse\.(sshfs|s3fs|rclone|glusterfs|davfs|cephfs|gcsfuse|goofys|smbnetfs|vmhgfs-fuse))"
)
_REMOTE = 4  # DRIVE_REMOTE of the Windows API
_MOUNTED = re.compile(r"^.+? on (?P<place>.+) \((?P<kind>[^,()]+)[^()]*\)$", re.MULTILINE)


def is_network(path: Path) -> bool:
    """Return whether a path lies on a network share, as far as the system tells."""
    whole = os.path.realpath(path)
    if sys.platform == "win32":
        return whole.startswith("\\\\") or _is_remote_drive(whole)
    return is_network_kind(kind_of(whole, mounts()))


def is_network_kind(kind: str) -> bool:
    """Return whether a file system of this kind lies on another machine."""
    return _NETWORK.fullmatch(kind.lower()) is not None


def kind_of(path: str, mounted: dict[str, str]) -> str:
    """Return the kind of the file system of a path: that of the longest mount point above."""
    parents = [str(parent) for parent in (Path(path), *Path(path).parents)]
    return next((mounted[parent] for parent in parents if parent in mounted), "")


def mounts() -> dict[str, str]:
    """Return the kind of file system at every mount point; of nothing where it is not told."""
    try:
        return parse_mounts(Path("/proc/self/mounts").read_text("utf-8", "surrogateescape"))
    except OSError:
        return parse_mount_command(_mount_command())


def parse_mounts(table: str) -> dict[str, str]:
    """Read the lines of `/proc/self/mounts`; later mounts hide earlier ones."""
    rows = (line.split() for line in table.splitlines())
    return {_unescaped(row[1]): row[2] for row in rows if len(row) > 2}


def parse_mount_command(output: str) -> dict[str, str]:
    """Read what `mount` writes on macOS and BSD: `//host/share on /Volumes/share (smbfs, ...`."""
    return {match["place"]: match["kind"] for match in _MOUNTED.finditer(output)}


def _mount_command() -> str:
    try:
        answer = subprocess.run(
            ["/sbin/mount"], capture_output=True, text=True, timeout=5, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return answer.stdout


def _is_remote_drive(path: str) -> bool:
    drive = os.path.splitdrive(path)[0] + "\\"
    kernel = getattr(ctypes, "windll", None)
    return kernel is not None and kernel.kernel32.GetDriveTypeW(drive) == _REMOTE


def _unescaped(place: str) -> str:
    """Return a mount point with the octal escapes of the table resolved."""
    return re.sub(r"\\([0-7]{3})", lambda match: chr(int(match[1], 8)), place)

"""Builds the bundle that needs no Python, and what people download: `python installer/build.py`.

    dist/leitong/                  the folder; `leitong` in it is command line and window
    dist/leitong-VERSION-....run   one file that installs the folder for its user (Linux)
    dist/leitong-VERSION-....exe   the same for Windows, by Inno Setup
    dist/leitong-VERSION-....dmg   the same for macOS, to be dragged into Applications

Runs with the interpreter and the packages that go into it: `pip install -e ".[installer]"`. Builds
for the system that it runs on. `--pack` packs a bundle that is there, and has been signed.
"""

from __future__ import annotations

import argparse
import compileall
import platform
import py_compile
import runpy
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
HERE = ROOT / "installer"
# Libraries that others name and nothing calls: an empty one of the name does. The tests look for
# functions that are missing in any library of the bundle.
NAMED_ONLY = ("libarrow_substrait.so", "libarrow_dataset.so")
MACHINES = {"amd64": "x86_64", "aarch64": "arm64"}  # one name for each on all systems


def build(folder: Path) -> Path:
    """Build the bundle below `folder`; return it."""
    loops = runpy.run_path(str(ROOT / "simhash_core" / "machine" / "building.py"))
    if loops["build"]() is None:
        sys.exit("no C compiler: the bundle would be slow")
    work = folder / "work"
    command = [sys.executable, "-m", "PyInstaller", "--noconfirm", "--log-level=WARN"]
    places = [f"--distpath={folder}", f"--workpath={work}"]
    subprocess.run([*command, *places, str(HERE / "leitong.spec")], check=True, cwd=ROOT)
    shutil.rmtree(work)
    bundle = folder / "leitong"
    inside = bundle / "_internal"
    if sys.platform == "linux":
        _slim(inside)
    # the folder may not be writable where it runs
    unchecked = py_compile.PycInvalidationMode.UNCHECKED_HASH
    compileall.compile_dir(inside / "pages", quiet=1, invalidation_mode=unchecked, stripdir=inside)
    return bundle


def _slim(inside: Path) -> None:
    """Take out of the libraries of Linux what no program reads, and libraries that none calls."""
    libraries = [
        path
        for path in inside.rglob("*.so*")
        if not path.is_symlink() and path.read_bytes()[:4] == b"\x7fELF"
    ]
    for library in libraries:
        if not library.name.startswith(NAMED_ONLY):
            continue
        options = ["-shared", "-nostdlib", f"-Wl,-soname,{library.name}", "-x", "c", "/dev/null"]
        subprocess.run(["cc", *options, "-o", str(library)], check=True)
    # those that a wheel brought along lie in `NAME.libs`: `strip` moves what was moved before, and
    # the system loads some of them no more
    whole = (str(path) for path in libraries if path.parent.suffix != ".libs")
    subprocess.run(["strip", "--strip-unneeded", *whole], check=True)


def weights(bundle: Path) -> list[tuple[str, int]]:
    """Return what each part of the bundle weighs in bytes, the heaviest first."""
    parts: dict[str, int] = {}
    for path in bundle.rglob("*"):
        if path.is_file() and not path.is_symlink():
            inside = path.relative_to(bundle).parts
            part = inside[1] if inside[0] == "_internal" and len(inside) > 1 else inside[0]
            part = part.removesuffix(".libs").partition("-")[0]
            parts[part] = parts.get(part, 0) + path.stat().st_size
    return sorted(parts.items(), key=lambda row: -row[1])


def pack(bundle: Path, version: str) -> Path:
    """Pack the bundle into what people download; return that file."""
    machine = platform.machine().lower()
    machine = MACHINES.get(machine, machine)
    if sys.platform == "win32":
        target = bundle.with_name(f"leitong-{version}-windows-{machine}.exe")
        places = [f"/DVersion={version}", f"/DBundle={bundle}", f"/O{bundle.parent}"]
        script = str(HERE / "windows" / "leitong.iss")
        subprocess.run(["iscc", "/Qp", *places, f"/F{target.stem}", script], check=True)
    elif sys.platform == "darwin":
        target = bundle.with_name(f"leitong-{version}-macos-{machine}.dmg")
        source = str(bundle.with_name("Leitong.app"))
        command = ["hdiutil", "create", "-ov", "-format", "UDZO", "-volname", "Leitong"]
        subprocess.run([*command, "-srcfolder", source, str(target)], check=True)
    else:
        target = bundle.with_name(f"leitong-{version}-linux-{machine}.run")
        _self_extracting(bundle, target, version)
    return target


def _self_extracting(bundle: Path, target: Path, version: str) -> None:
    """Write the installer of Linux: a script, and the bundle as an archive behind it."""
    head = (HERE / "linux" / "install.sh").read_text("utf-8").replace("@VERSION@", version)
    with target.open("wb") as file:
        file.write(head.encode())
        with tarfile.open(fileobj=file, mode="w:gz", compresslevel=6) as archive:
            archive.add(bundle, "leitong", filter=_nobodys)
            archive.add(HERE / "linux", "leitong/install", filter=_nobodys)
    target.chmod(0o755)


def _nobodys(member: tarfile.TarInfo) -> tarfile.TarInfo:
    member.uid = member.gid = 0
    member.uname = member.gname = ""
    return member


def main() -> None:
    """Build the bundle and its one file; print what they weigh."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--into", type=Path, default=ROOT / "dist", help="default: dist")
    parser.add_argument("--pack", action="store_true", help="what was built before")
    options = parser.parse_args()
    folder = options.into.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    bundle = folder / "leitong" if options.pack else build(folder)
    version = runpy.run_path(str(ROOT / "simhash_core" / "version.py"))["__version__"]
    file = pack(bundle, version)
    for part, size in weights(bundle):
        if size >= 1e6:
            print(f"{size / 1e6:8.1f} MB  {part}")
    print(f"{sum(size for _, size in weights(bundle)) / 1e6:8.1f} MB  {bundle}")
    print(f"{file.stat().st_size / 1e6:8.1f} MB  {file}")


if __name__ == "__main__":
    main()

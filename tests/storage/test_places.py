"""Network shares as Linux and macOS list them."""

from __future__ import annotations

import pytest

from simhash_core.storage.places import (
    is_network,
    is_network_kind,
    kind_of,
    parse_mount_command,
    parse_mounts,
)

LINUX = r"""/dev/sda1 / ext4 rw,relatime 0 0
proc /proc proc rw 0 0
server:/export /srv/team\040files nfs4 rw,vers=4.2 0 0
//server/share /mnt/office cifs rw 0 0
/dev/sdb1 /mnt/office/local ext4 rw 0 0
user@host: /mnt/there fuse.sshfs rw 0 0
"""
MAC = """/dev/disk3s1s1 on / (apfs, sealed, local, read-only, journaled)
//liu@server/share on /Volumes/share (smbfs, nodev, nosuid, mounted by liu)
server:/export on /Volumes/Team (1) (nfs, asynchronous)
"""


@pytest.mark.parametrize(
    ("path", "shared"),
    [
        ("/srv/team files/a.library", True),
        ("/srv/team", False),
        ("/mnt/office/a/b.library", True),
        ("/mnt/office/local/b.library", False),
        ("/mnt/there/b", True),
        ("/mnt/thereafter/b", False),
        ("/a", False),
    ],
)
def test_linux_table_names_the_shares(path, shared):
    assert is_network_kind(kind_of(path, parse_mounts(LINUX))) is shared


@pytest.mark.parametrize(
    ("path", "shared"),
    [("/Volumes/share/x", True), ("/Volumes/Team (1)/x", True), ("/Volumes/else", False)],
)
def test_mount_command_names_the_shares(path, shared):
    assert is_network_kind(kind_of(path, parse_mount_command(MAC))) is shared


def test_folder_of_the_tests_is_local(tmp_path):
    assert is_network(tmp_path / "a") is False
    assert kind_of("/x", {}) == ""

"""Files that are written in the place of another one: nothing but the content is new."""

import os
import shutil
import stat
import struct
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import harness
from harness import FAILURE, OK, EndToEnd, ics

SOURCE = ics(["UID:a", "SUMMARY:Milk"]).replace(b"\r\n", b"\n")
TIDY = SOURCE.replace(b"\n", b"\r\n")
NOBODY, NOGROUP = 65534, 65534
ACCESS_LIST = "system.posix_acl_access"


def access_list(*entries):
    """An access control list in the format of the kernel, from (tag, permissions, id) entries."""
    return struct.pack("<I", 2) + b"".join(struct.pack("<HHI", *entry) for entry in entries)


def mode(path):
    return stat.S_IMODE(path.stat().st_mode)


class Replace(EndToEnd):
    def setUp(self):
        super().setUp()
        self.laptop = self.device("laptop")
        # Without a store there is nothing to export, and nothing is replaced.
        self.laptop.run("add", "Milk")
        self.path = self.write("a.ics", SOURCE)

    def names(self):
        return sorted(path.name for path in self.folder.iterdir() if path.name not in ("laptop", "remindav"))

    def unprivileged(self):
        """The prefix that runs the program as another user than root."""
        if os.geteuid() != 0:
            return {}
        binary = self.folder / "remindav"
        shutil.copy(harness.BINARY, binary)
        for path in (self.folder, binary):
            path.chmod(0o755)
        patch = mock.patch.object(harness, "BINARY", binary)
        patch.start()
        self.addCleanup(patch.stop)
        return {"user": NOBODY, "group": NOGROUP, "extra_groups": []}

    def test_the_mode_stays_with_any_umask(self):
        for bits in (0o640, 0o664, 0o600, 0o444, 0o606):
            self.path.write_bytes(SOURCE)
            self.path.chmod(bits)
            self.laptop.run("ics", "format", "-i", self.path, umask=0o077)
            self.assertEqual((self.path.read_bytes(), oct(mode(self.path))), (TIDY, oct(bits)))
            self.path.chmod(0o644)
        self.assertEqual(self.names(), ["a.ics"])

    def test_every_command_that_writes_a_file_keeps_the_mode(self):
        for words in (["ics", "format", self.path], ["ics", "convert", self.path, "--to", "json"], ["export"]):
            with self.subTest(words[0]):
                target = self.write("out", "old")
                target.chmod(0o640)
                self.laptop.run(*words, "-o", target, umask=0o077)
                self.assertNotEqual(target.read_bytes(), b"old")
                self.assertEqual(oct(mode(target)), oct(0o640))

    def test_a_new_file_has_the_mode_of_the_umask(self):
        self.laptop.run("ics", "format", self.path, "-o", self.folder / "b.ics", umask=0o027)
        self.assertEqual(oct(mode(self.folder / "b.ics")), oct(0o640))

    def test_a_link_stays_and_its_target_is_replaced(self):
        link = self.folder / "link.ics"
        link.symlink_to("a.ics")
        self.laptop.run("ics", "format", "-i", link)
        self.assertEqual(os.readlink(link), "a.ics")
        self.assertEqual(self.path.read_bytes(), TIDY)
        self.assertEqual(self.names(), ["a.ics", "link.ics"])
        lost = self.folder / "lost.ics"
        lost.symlink_to("nowhere.ics")
        self.assert_complaint(self.laptop.run("export", "-o", lost, code=None), FAILURE, "lost.ics", "link")

    @unittest.skipUnless(os.geteuid() == 0, "only root gives files away")
    def test_owner_and_group_stay(self):
        os.chown(self.path, 1234, 1235)
        self.path.chmod(0o640)
        self.laptop.run("ics", "format", "-i", self.path, umask=0o077)
        status = self.path.stat()
        self.assertEqual((status.st_uid, status.st_gid, oct(mode(self.path))), (1234, 1235, oct(0o640)))

    @unittest.skipUnless(os.geteuid() == 0, "needs a file of another user")
    def test_without_permission_for_chown_no_other_user_gets_access(self):
        options = self.unprivileged()
        open_folder = self.folder / "open"
        open_folder.mkdir()
        open_folder.chmod(0o777)
        path = open_folder / "a.ics"
        path.write_bytes(SOURCE)
        os.chown(path, 1234, 1235)
        path.chmod(0o664)
        self.laptop.run("ics", "format", "-i", path, **options)
        status = path.stat()
        self.assertEqual((status.st_uid, status.st_gid, oct(mode(path))), (NOBODY, NOGROUP, oct(0o644)))
        self.assertEqual(path.read_bytes(), TIDY)

    def test_attributes_and_the_access_list_stay(self):
        wanted = access_list((1, 6, 0xFFFFFFFF), (2, 4, 1234), (4, 0, 0xFFFFFFFF), (16, 4, 0xFFFFFFFF), (32, 0, 0xFFFFFFFF))
        try:
            os.setxattr(self.path, "user.note", b"from ada")
            os.setxattr(self.path, "user.empty", b"")
            os.setxattr(self.path, ACCESS_LIST, wanted)
        except OSError as error:
            self.skipTest(f"this file system keeps no attributes: {error}")
        self.laptop.run("ics", "format", "-i", self.path, umask=0o077)
        self.assertEqual(self.path.read_bytes(), TIDY)
        self.assertEqual(os.getxattr(self.path, "user.note"), b"from ada")
        self.assertEqual(os.getxattr(self.path, "user.empty"), b"")
        self.assertEqual(os.getxattr(self.path, ACCESS_LIST), wanted)

    def test_the_default_access_list_of_a_folder_does_not_open_an_old_file(self):
        default = access_list((1, 7, 0xFFFFFFFF), (2, 7, 1234), (4, 7, 0xFFFFFFFF), (16, 7, 0xFFFFFFFF), (32, 0, 0xFFFFFFFF))
        self.path.chmod(0o640)
        try:
            os.setxattr(self.folder, "system.posix_acl_default", default)
        except OSError as error:
            self.skipTest(f"this file system keeps no access lists: {error}")
        self.laptop.run("ics", "format", "-i", self.path)
        self.assertEqual(oct(mode(self.path)), oct(0o640))
        self.assertNotIn(ACCESS_LIST, os.listxattr(self.path))

    def test_a_folder_that_cannot_be_written_to(self):
        options = self.unprivileged()
        closed = self.folder / "closed"
        closed.mkdir()
        path = closed / "a.ics"
        path.write_bytes(SOURCE)
        closed.chmod(0o555)
        result = self.laptop.run("ics", "format", "-i", path, code=None, **options)
        self.assert_complaint(result, FAILURE, "a.ics", "folder", "permissions")
        self.assertEqual(path.read_bytes(), SOURCE)
        self.assertEqual(os.listdir(closed), ["a.ics"])
        closed.chmod(0o755)

    def test_a_folder_that_does_not_exist(self):
        target = self.folder / "none" / "b.ics"
        for words in (["ics", "format", self.path], ["ics", "convert", self.path, "--to", "jcal"], ["export"]):
            result = self.laptop.run(*words, "-o", target, code=None)
            self.assert_complaint(result, FAILURE, "none/b.ics", "folder does not exist")

    def test_devices_and_pipes_are_written_to(self):
        self.laptop.run("ics", "format", self.path, "-o", "/dev/null", code=OK)
        self.assertTrue(stat.S_ISCHR(os.stat("/dev/null").st_mode))
        self.assertEqual(self.laptop.run("ics", "format", self.path, "-o", "/dev/stdout").bytes, TIDY)

    @unittest.skipUnless(os.access("/dev/shm", os.W_OK), "there is no /dev/shm")
    def test_a_file_in_shared_memory_is_written(self):
        with tempfile.TemporaryDirectory(dir="/dev/shm") as folder:
            target = Path(folder) / "out.ics"
            for _ in range(2):
                self.laptop.run("ics", "format", self.path, "-o", target, code=OK)
                self.assertEqual(target.read_bytes(), TIDY)


if __name__ == "__main__":
    unittest.main()

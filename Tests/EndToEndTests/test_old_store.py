"""A store that an earlier version wrote opens, lists, syncs and undoes. See Fixtures/stores/README.md."""

import shutil
import sqlite3
import subprocess
import time
import unittest

from harness import ROOT, EndToEnd, count, smoke
from servers import Radicale

STORES = ROOT / "Fixtures" / "stores"
# The address of the server in the fixtures; each test starts the server on another port.
RECORDED_PORT = 5232
ADDRESS_COLUMNS = (("account", "url"), ("account", "principal"), ("account", "home_sets"), ("list", "url"))


def properties(calendar):
    """The lines of all to-dos, unfolded and sorted: their order and folds may differ between versions."""
    text = calendar.replace("\r\n", "\n").replace("\n ", "")
    return sorted(sorted(todo.split("END:VTODO")[0].splitlines()) for todo in text.split("BEGIN:VTODO")[1:])


@smoke
class OldStore(EndToEnd):
    def setUp(self):
        super().setUp()
        self.server = Radicale()

    def open_store(self, version):
        """A device with the store of that version, and the server of its account."""
        fixture = STORES / version
        subprocess.run(["tar", "-xzf", fixture / "radicale.tar.gz", "-C", self.server.folder], check=True)
        self.serve(self.server)
        device = self.device(version)
        device.store.mkdir(parents=True, mode=0o700)
        database = device.store / "reminders.db"
        shutil.copyfile(fixture / "reminders.db", database)
        database.chmod(0o600)
        connection = sqlite3.connect(database)
        for table, column in ADDRESS_COLUMNS:
            connection.execute(f"UPDATE {table} SET {column} = replace({column}, ':{RECORDED_PORT}', ':{self.server.port}')")
        # The trash and the log are emptied by age: the store was written a minute ago.
        (written,) = connection.execute("SELECT max(at) FROM change").fetchone()
        age = int(time.time()) - 60 - written
        connection.execute("UPDATE sync_run SET started = started + ?1, finished = finished + ?1", (age,))
        connection.execute("UPDATE change SET at = at + ?1", (age,))
        connection.commit()
        connection.close()
        return device

    def each_version(self):
        versions = sorted(folder.name for folder in STORES.iterdir() if folder.is_dir())
        self.assertTrue(versions)
        return versions

    def test_every_reminder_is_exported_as_by_the_version_that_wrote_it(self):
        for version in self.each_version():
            with self.subTest(version=version):
                device = self.open_store(version)
                expected = properties((STORES / version / "export.ics").read_text())
                self.assertEqual(properties(device.run("export").out), expected)
                self.assertEqual(device.integrity(), "ok")

    def test_lists_labels_conflicts_trash_log_and_feeds_are_there(self):
        for version in self.each_version():
            with self.subTest(version=version):
                device = self.open_store(version)
                self.assertEqual({item["name"] for item in device.json("lists")}, {"Reminders", "Private"})
                self.assertIn("home", {label["name"] for label in device.json("labels")})
                self.assertEqual(len(device.json("conflicts")), 1)
                self.assertEqual(len(device.json("trash")), 3)
                self.assertGreater(len(device.json("log")), 15)
                self.assertEqual(len(device.json("feed", "list")), 1)
                self.assertGreater(len(device.json("alarms")), 0)

    def test_the_waiting_changes_are_sent_once(self):
        for version in self.each_version():
            with self.subTest(version=version):
                device = self.open_store(version)
                first = next(entry for entry in device.sync() if entry["list"] == "Reminders")
                self.assertEqual(count(first["pushed"]), 2, first)
                self.assertEqual(count(first["deletedRemotely"]), 1, first)
                self.assertEqual(count(first["deletedLocally"]), 0, first)
                device.sync_until_quiet(limit=1)

    def test_the_last_command_is_undone(self):
        for version in self.each_version():
            with self.subTest(version=version):
                device = self.open_store(version)
                device.run("undo", "--last", "--yes")
                self.assertNotIn("Not sent yet", {item["title"] for item in device.json("list", "--all")})
                device.sync()


if __name__ == "__main__":
    unittest.main()

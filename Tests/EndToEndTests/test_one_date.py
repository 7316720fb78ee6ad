"""One date of a repeating reminder is postponed: its text, other devices, other programs, and `undo`."""

import random
import unittest

from harness import USAGE, EndToEnd, smoke
from peers import Dav, TasksOrg, Thunderbird
from servers import Radicale


class OneDate(EndToEnd):
    def setUp(self):
        super().setUp()
        self.one = self.device("one", zone="UTC")

    def add(self, *words):
        return str(self.one.json("add", "Yoga", "--due", "2035-01-02 19:00", "--repeat", "weekly", *words)["id"])

    def shared(self):
        """A server with one list that contains the reminder."""
        server = self.borrow(Radicale)
        path, shared = self.make_shared_list(server, self.one)
        identifier = self.add("--list", shared)
        self.one.sync()
        return server, path, identifier

    @smoke
    def test_one_date_is_postponed_completed_and_undone_to_the_exact_text(self):
        identifier = self.add()
        before = self.one.run("export").bytes
        moved = self.one.json("edit", identifier, "2035-01-04 20:00", "--this-date-only")
        self.assertEqual(moved["due"], "2035-01-04T20:00:00Z")
        self.assertEqual(self.one.json("show", identifier)["replacedDate"], "2035-01-02T19:00:00Z")
        done, = self.one.json("done", identifier)
        self.assertEqual(done["due"], "2035-01-09T19:00:00Z")
        self.assertEqual(self.one.json("show", str(done["copy"]))["due"], "2035-01-04T20:00:00Z")
        self.one.run("undo", "--last")
        self.one.run("undo", "--last")
        self.assertEqual(self.one.run("export").bytes, before)

    def test_a_filter_selects_reminders_with_and_without_a_rule(self):
        self.add()
        self.one.json("add", "Dentist", "--due", "2035-01-02 10:00")
        changed = self.one.json("edit", "--due-before", "2035-02-01", "--due", "2035-01-05", "--this-date-only", "--yes")
        self.assertEqual([item["due"][:10] for item in changed], ["2035-01-05"] * 2)
        self.assertEqual([item["due"][:10] for item in self.one.json("done", "1")], ["2035-01-09"])
        refused = self.one.run("edit", "1", "--repeat", "daily", "--this-date-only", code=USAGE)
        self.assertIn("Change it in a command of its own", refused.err)

    def test_another_device_and_thunderbird_see_the_date_and_the_next_one(self):
        server, path, identifier = self.shared()
        two = self.device("two", zone="UTC")
        two.add_account(server.url)
        two.sync()
        self.one.json("edit", identifier, "2035-01-04 20:00", "--this-date-only")
        self.one.sync()
        two.sync()
        reminder, = two.json("list")
        self.assertEqual(reminder["due"], "2035-01-04T20:00:00Z")
        self.assertEqual(two.json("show", str(reminder["id"]))["replacedDate"], "2035-01-02T19:00:00Z")
        other = Thunderbird(Dav(server, server.url), path, random.Random(1))
        other.pull()
        uid, = other.uids()
        other.set_title(uid, "Yoga class")
        other.sync()
        two.sync()
        self.assertEqual(two.json("done", str(reminder["id"]))[0]["due"], "2035-01-09T19:00:00Z")
        two.sync_until_quiet()
        self.one.sync_until_quiet()
        series, = self.one.json("list")
        self.assertEqual((series["title"], series["due"]), ("Yoga class", "2035-01-09T19:00:00Z"))

    def test_tasks_org_reads_the_reminder_again_after_the_postponed_date(self):
        server, path, identifier = self.shared()
        other = TasksOrg(Dav(server, server.url), path, random.Random(1))
        other.pull()
        uid, = other.uids()
        self.one.json("edit", identifier, "2035-01-04 20:00", "--this-date-only")
        self.one.sync()
        other.pull()
        # Tasks.org ignores an object with two to-dos, and keeps the last version that it has read.
        self.assertEqual(other.uids(), [])
        self.one.json("done", identifier)
        self.one.sync_until_quiet()
        other.pull()
        self.assertIn(uid, other.uids())
        self.assertNotIn(b"RECURRENCE-ID", self.one.run("export").bytes)


if __name__ == "__main__":
    unittest.main()

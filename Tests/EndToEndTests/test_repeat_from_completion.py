"""A repetition that counts from the completion: its words, its text, `done`, `undo`, another program, and todo.txt."""

import random
import unittest
from datetime import datetime, timedelta, timezone

import peers
from harness import USAGE, EndToEnd, smoke
from peers import Dav, TasksOrg
from servers import Radicale

PROPERTY = "X-REMINDAV-REPEAT-FROM:COMPLETION"


def today():
    return datetime.now(timezone.utc).date()


class RepeatFromCompletion(EndToEnd):
    def setUp(self):
        super().setUp()
        # In the zone UTC, the day of the test is the day of the completion.
        self.one = self.device("one", zone="UTC")

    def text(self):
        return self.one.run("export").bytes

    def assert_due(self, reminder, begun, days, clock="T09:00"):
        """`begun` is the day before the completion: the test may run over midnight."""
        allowed = [f"{day + timedelta(days=days)}{clock}" for day in {begun, today()}]
        self.assertIn((reminder["due"] or "")[:len(allowed[0])], allowed)

    @smoke
    def test_done_counts_from_today_and_undo_restores_every_byte(self):
        begun = today()
        added = self.one.json("add", "Water plants every 3 days after done", "--due", f"{begun - timedelta(days=9)} 09:00",
                              "--alarm", "1h")
        identifier = str(added["id"])
        self.assertEqual((added["title"], added["repeat"], added["repeatFrom"]),
                         ("Water plants", "FREQ=DAILY;INTERVAL=3", "completion"))
        before = self.text()
        self.assertIn(f"\r\nRRULE:FREQ=DAILY;INTERVAL=3\r\n{PROPERTY}\r\n".encode(), before)
        self.assertIn("every 3 days after completion", self.one.run("show", identifier).out)
        done, = self.one.json("done", identifier)
        self.assert_due(done, begun, 3)
        self.assertEqual((done["repeatFrom"], done["overdue"]), ("completion", False))
        copy = self.one.json("show", str(done["copy"]))
        self.assertEqual((copy["status"], copy["repeat"], copy["repeatFrom"]), ("completed", None, None))
        self.one.run("undo", "--last")
        self.assertEqual(self.text(), before)

    def test_an_early_completion_counts_from_today(self):
        begun = today()
        identifier = str(self.one.json("add", "Rake", "--due", str(begun + timedelta(days=30)), "--repeat",
                                       ".+1w")["id"])
        first, = self.one.json("done", identifier)
        self.assert_due(first, begun, 7, "")

    def test_edit_sets_and_removes_it_and_a_rule_with_named_days_is_refused(self):
        identifier = str(self.one.json("add", "Rake", "--due", "2035-01-01", "--repeat", "weekly")["id"])
        before = self.one.json("show", identifier)
        for phrase in ("every monday after done", "every! monday", "every month on the 15th after done"):
            with self.subTest(phrase):
                refused = self.one.run("edit", identifier, "--repeat", phrase, code=USAGE)
                self.assertIn(f"'{phrase}' names its dates, so they cannot count from the completion", refused.err)
                self.one.run("add", f"Rake {phrase}", code=USAGE)
        self.assertEqual(self.one.json("show", identifier), before)
        changed = self.one.run("edit", identifier, "--repeat", "every week after done")
        self.assertIn("repeat: every week -> every week after completion", changed.out + changed.err)
        self.assertEqual(self.one.json("edit", identifier, "--repeat", "weekly")["repeatFrom"], None)
        self.assertNotIn(PROPERTY.encode(), self.text())

    def test_another_program_completes_it_and_its_text_stays(self):
        server = self.borrow(Radicale)
        path, shared = self.make_shared_list(server, self.one)
        self.one.json("add", "Water", "--due", "2035-01-01 09:00", "--repeat", "daily after done",
                      "--list", shared)
        self.one.sync()
        other = TasksOrg(Dav(server, server.url), path, random.Random(1))
        other.pull()
        uid, = other.uids()
        other.complete(uid)
        other.sync()
        self.one.sync()
        # Tasks.org counts from the due date, by the plain rule.
        reminder, = self.one.json("list")
        self.assertEqual((reminder["due"][:10], reminder["repeatFrom"]), ("2035-01-02", "completion"))
        sent = peers.Item(other.known[uid][2])
        self.assertEqual(sorted(peers.Item(self.text()).all("(?:DUE|RRULE|X-REMINDAV-REPEAT-FROM)")),
                         sorted(sent.all("(?:DUE|RRULE|X-REMINDAV-REPEAT-FROM)")))
        begun = today()
        self.assert_due(self.one.json("done", str(reminder["id"]))[0], begun, 1, "")
        self.one.sync_until_quiet()
        other.pull()
        self.assertEqual(peers.Item(other.known[uid][2]).value("X-REMINDAV-REPEAT-FROM"), "COMPLETION")

    def test_todo_txt_and_the_own_formats_keep_it(self):
        file = self.write("todo.txt", "Rake rec:1w due:2035-01-01\nMow rec:+1w due:2035-01-01\n")
        self.one.run("import", file)
        kept = {item["title"]: item["repeatFrom"] for item in self.one.json("list")}
        self.assertEqual(kept, {"Rake": "completion", "Mow": None})
        self.one.json("add", "Sweep", "--due", "2035-01-02", "--repeat", "every 3 days after done")
        lines = self.one.run("export", "--format", "todotxt").out.splitlines()
        self.assertEqual([word for line in lines for word in line.split() if word.startswith("rec:")],
                         ["rec:1w", "rec:+1w", "rec:3d"])
        for form in ("json", "csv", "ics"):
            with self.subTest(form):
                copy = self.device(form, zone="UTC")
                out = self.folder / f"out.{form}"
                self.one.run("export", "-o", out, *([] if form == "ics" else ["--format", form]))
                copy.run("import", out)
                found = {item["title"]: (item["repeat"], item["repeatFrom"]) for item in copy.json("list")}
                self.assertEqual(found, {"Rake": ("FREQ=WEEKLY", "completion"), "Mow": ("FREQ=WEEKLY", None),
                                         "Sweep": ("FREQ=DAILY;INTERVAL=3", "completion")})


if __name__ == "__main__":
    unittest.main()

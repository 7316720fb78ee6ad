"""Several reminders in one command: numbers, ranges, titles and filters; a kill and an undo change all of them or none."""

import random
import subprocess
import unittest

from harness import NOT_FOUND, PARTIAL, USAGE, EndToEnd, simple, smoke
from terminal import on_terminal

ITEMS = 500
KILLS = 20
SEED = 20261126


@smoke
class Selection(EndToEnd):
    def setUp(self):
        super().setUp()
        self.laptop = self.device("laptop")

    def exported(self):
        return self.laptop.run("export").bytes

    def imported(self, count):
        self.laptop.run("import", "-", stdin=simple(count))
        ids = sorted(item["id"] for item in self.laptop.json("list"))
        return ids, f"{ids[0]}-{ids[-1]}"

    def test_each_command_changes_several_reminders_and_one_undo_restores_every_byte(self):
        ids, everything = self.imported(20)
        before = self.exported()
        for command in (["done", everything], ["edit", everything, "--label", "+bulk,-none such", "--priority", "h"],
                        ["snooze", everything, "2", "hours"], ["delete", everything, "--yes"]):
            with self.subTest(" ".join(command)):
                self.laptop.run(*command)
                self.assertNotEqual(self.exported(), before)
                self.laptop.run("undo", "--last")
                self.assertEqual(self.exported(), before)

    def test_a_missing_number_is_named_and_the_others_are_changed(self):
        ids, _ = self.imported(3)
        result = self.laptop.run("done", f"{ids[0]},99999", str(ids[1]), code=PARTIAL)
        self.assertIn("('99999')", result.err)
        self.assertEqual([item["id"] for item in self.laptop.json("list")], ids[2:])
        self.assertIn("at most 1000 numbers", self.laptop.run("done", "1-100000", code=USAGE).err)

    def test_a_kill_changes_all_reminders_or_none(self):
        _, everything = self.imported(ITEMS)
        chance = random.Random(SEED)
        before = self.exported()
        outcomes = set()
        for _ in range(KILLS):
            process = self.laptop.start("done", everything, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                        stderr=subprocess.DEVNULL)
            try:
                process.wait(timeout=chance.uniform(0, 0.4))
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
            open_count = len(self.laptop.json("list"))
            self.assertIn(open_count, (0, ITEMS), f"seed {SEED}")
            outcomes.add(open_count)
            if open_count == 0:
                self.laptop.run("undo", "--last")
            self.assertEqual(self.exported(), before, f"seed {SEED}")
        self.assertIn(ITEMS, outcomes)

    def test_a_filter_asks_on_a_terminal_and_needs_yes_without_one(self):
        ids, _ = self.imported(15)
        self.laptop.run("edit", f"{ids[0]}-{ids[11]}", "--label", "shopping")
        before = self.exported()
        self.assertIn("Add --yes", self.laptop.run("done", "--label", "shopping", code=USAGE).err)
        code, shown = on_terminal(self.laptop, "delete", "--label", "shopping", answer=b"n\n")
        self.assertEqual(code, 0)
        self.assertIn(b"  and 2 more\nDelete these 12 reminders? [y/N]", shown)
        self.assertEqual(self.exported(), before)
        code, shown = on_terminal(self.laptop, "done", "--label", "shopping", "--text", "item", answer=b"y\n")
        self.assertIn(b"and 2 more\n'remindav undo' reverts this.", shown)
        self.assertEqual(len(self.laptop.json("list")), 3)
        self.laptop.run("undo", "--last")
        self.assertEqual(self.exported(), before)
        self.assertIn("not both", self.laptop.run("done", "1", "--overdue", code=USAGE).err)

    def test_a_word_of_a_title_asks_on_a_terminal_and_is_refused_without_one(self):
        for title in ("Buy milk", "Call Ben"):
            self.laptop.run("add", title, "--due", "none")
        self.assertIn("'milk' is reminder 1 (Buy milk)", self.laptop.run("done", "milk", code=USAGE).err)
        self.assertIn("('eggs')", self.laptop.run("done", "eggs", code=NOT_FOUND).err)
        code, shown = on_terminal(self.laptop, "done", "milk", answer=b"n\n")
        self.assertEqual(code, 0)
        self.assertIn(b"Complete 'Buy milk'? [Y/n]", shown)
        self.assertEqual(len(self.laptop.json("list")), 2)
        code, shown = on_terminal(self.laptop, "do", "milk", answer=b"\n")
        self.assertIn(b"Completed 1: Buy milk", shown)
        self.assertEqual([item["title"] for item in self.laptop.json("ls")], ["Call Ben"])


if __name__ == "__main__":
    unittest.main()

"""The changes of a sync are listed, undone and restored, and arrive on the other machine."""

import sqlite3
import time
import unittest

from harness import NOT_FOUND, OK, SAFETY, EndToEnd, changes, smoke
from servers import Radicale
from story import BOILER, INVOICE, PLANTS, Scene

DAY = 86_400
DONE = "6f2cbd0c6a4a4f6ea9e6c3f1c2a90011@laptop"


class Undo(Scene, EndToEnd):
    make_server = Radicale

    def titles(self, device):
        return sorted(item["title"] for item in device.json("list", "--all"))

    def last_run(self, device):
        return device.json("log")[0]

    def age(self, device, days):
        """Makes the journal of a store some days older."""
        connection = sqlite3.connect(device.database())
        try:
            connection.execute("UPDATE sync_run SET started = started - ?1, finished = finished - ?1", (days * DAY,))
            connection.execute("UPDATE change SET at = at - ?1", (days * DAY,))
            connection.commit()
        finally:
            connection.close()

    @smoke
    def test_a_mass_deletion_by_another_machine_is_undone_and_arrives_back(self):
        self.share()
        before = self.titles(self.laptop)
        self.desk.run("delete", *[str(item["id"]) for item in self.desk.json("list", "--all")[:12]], "--yes")
        self.desk.sync("--allow-mass-delete")
        self.laptop.sync("--allow-mass-delete")
        self.assertEqual(len(self.titles(self.laptop)), len(before) - 12)
        self.assertEqual(self.last_run(self.laptop)["deletedHere"], 12)
        line = self.laptop.run("log", "--limit", "1").out
        titles = self.last_run(self.laptop)["titles"]
        self.assertEqual(len(titles), 3)
        self.assertIn("12 deleted locally (", line)
        self.assertIn(", and more)", line)
        self.assertIn(titles[0][:20], line)
        self.assertEqual({item["deletedOn"] for item in self.laptop.json("trash")}, {"server"})
        dry = self.laptop.run("undo", "--dry-run")
        self.assertEqual(len(dry.out.splitlines()), 12, repr(dry))
        self.assertEqual(len(self.titles(self.laptop)), len(before) - 12)
        self.laptop.run("undo", "--last")
        self.assertEqual(self.titles(self.laptop), before)
        self.assertEqual(self.laptop.json("trash"), [])
        self.settle()
        self.assertEqual(self.titles(self.desk), before)
        self.assertEqual(len(self.resources()), len(before))

    def test_undo_of_a_first_sync_deletes_nothing_on_the_server(self):
        self.share()
        before = self.resources()
        for words in (("--last",), ()):
            refused = self.desk.run("undo", *words, code=SAFETY)
            self.assertEqual(refused.err.count("\n"), 1, repr(refused))
            self.assertIn("'remindav account remove'", refused.err)
        self.settle()
        self.assertEqual(self.resources(), before)

    def test_undo_of_a_later_sync_deletes_on_the_server_and_reports_it(self):
        self.laptop.add_account(self.proxy.url)
        self.laptop.run("lists", "add", "Shared", "--account", self.laptop.json("account", "list")[0]["name"])
        self.laptop.sync()
        self.desk.add_account(self.proxy.url)
        self.desk.sync()
        self.laptop.run("add", "Buy milk", "--list", "Shared")
        self.laptop.sync()
        self.desk.sync()
        refused = self.desk.run("undo", "--last", code=SAFETY)
        self.assertIn("('Shared')", refused.err)
        self.assertIn("--allow-mass-delete", refused.err)
        self.assertEqual(self.titles(self.desk), ["Buy milk"])
        undone = self.desk.run("undo", "--last", "--allow-mass-delete", code=OK)
        self.assertIn("The next sync deletes 1 reminder on the server, for all users. The list 'Shared' is then empty.",
                      undone.err)
        self.settle()
        self.assertEqual(self.titles(self.laptop), [])

    @smoke
    def test_moves_are_reported_once_and_undone_step_by_step(self):
        self.share()
        name = self.laptop.json("account", "list")[0]["name"]
        self.laptop.run("lists", "add", "Other", "--account", name)
        self.laptop.sync()
        for uid in (BOILER, PLANTS):
            self.laptop.run("edit", self.laptop.id_of(uid), "--list", "Other")
            self.laptop.sync()
        runs = [run["id"] for run in self.laptop.json("log")]
        report = self.laptop.json("sync")
        self.assertEqual([(item["pulled"], item["changes"]) for item in report], [(0, [])] * len(report))
        self.assertEqual(next(run["moved"] for run in self.laptop.json("log") if run["id"] == runs[0]), 1)
        for uid in (PLANTS, BOILER):
            self.laptop.run("undo", "--last")
            self.assertEqual(self.laptop.by_uid(uid)["list"], "Reminders")
            self.laptop.sync()

    def operations(self):
        """Undo of a user's operations."""
        boiler, plants = self.laptop.id_of(BOILER), self.laptop.id_of(PLANTS)
        return [
            ("edit", boiler, "--title", "Another boiler", "--priority", "high", "--label", "new"),
            ("edit", plants, "--due", "2099-01-01 10:00", "--notes", "none"),
            ("snooze", boiler, "1h"),
            ("done", boiler, plants),
            ("undone", self.laptop.id_of(DONE)),
            ("edit", boiler, "--list", "Other"),
            ("edit", plants, "--list", "Other", "--title", "Moved plants"),
            ("delete", plants, boiler, "--yes"),
            ("add", "Buy milk", "--list", "Reminders"),
        ]

    def with_two_lists(self):
        self.share()
        self.laptop.run("lists", "add", "Other", "--account", self.laptop.account)
        self.settle()

    @smoke
    def test_undo_of_an_unsent_operation_leaves_no_trace(self):
        self.with_two_lists()
        def held():
            return self.laptop.run("export").bytes, self.laptop.items()

        before, there = held(), self.resources()
        for words in self.operations():
            with self.subTest(words):
                self.laptop.run(*words)
                self.assertNotEqual(held(), before)
                self.laptop.run("undo", "--last")
                self.assertEqual(held(), before)
                self.assertEqual([one["unsent"] for one in self.laptop.json("lists")], [0, 0])
        operations = self.operations()
        for words in operations:
            self.laptop.run(*words)
        for _ in operations:
            self.laptop.run("undo", "--last")
        self.assertEqual(held(), before)
        self.assertEqual(changes(self.laptop.sync()), 0)
        self.assertEqual(self.resources(), there)

    def test_undo_of_a_sent_operation_is_sent_too_and_does_not_undo_the_sync(self):
        self.with_two_lists()

        def seen(device):
            return {key: {name: value for name, value in item.items() if name != "updatedAt"}
                    for key, item in device.items().items()}

        for words in self.operations():
            with self.subTest(words):
                before = seen(self.desk)
                self.laptop.run(*words)
                operation = self.last_run(self.laptop)["id"]
                self.settle()
                self.assertNotEqual(seen(self.desk), before)
                undone = self.laptop.run("undo", "--last")
                self.assertIn(f"Run {operation}, ", undone.err)
                self.settle()
                self.assertEqual(seen(self.desk), before)
                undoing = self.last_run_by_hand(self.laptop)["id"]
                self.laptop.run("undo", "--run", undoing)
                self.laptop.run("undo", "--last")
                self.settle()
                self.assertEqual(seen(self.desk), before)

    def last_run_by_hand(self, device):
        return next(run for run in device.json("log") if run["account"] is None)

    def test_undo_of_an_operation_keeps_changes_of_another_machine(self):
        self.share()
        old = self.laptop.by_uid(BOILER)["title"]
        self.laptop.run("edit", self.laptop.id_of(BOILER), "--title", "As the laptop says")
        self.settle()
        self.desk.run("edit", self.desk.id_of(BOILER), "--priority", "high")
        self.settle()
        run = next(run["id"] for run in self.laptop.json("log") if run["operation"] == "edit")
        undone = self.laptop.run("undo", "--run", run)
        self.assertIn("later changes stay", undone.out)
        self.settle()
        item = self.desk.by_uid(BOILER)
        self.assertEqual((item["title"], item["priority"]), (old, "high"))

    def test_two_machines_that_complete_the_same_reminder_have_no_conflict(self):
        self.share()
        for uid in (BOILER, PLANTS):
            self.laptop.run("done", self.laptop.id_of(uid))
        time.sleep(1.1)
        for uid in (BOILER, PLANTS):
            self.desk.run("done", self.desk.id_of(uid))
        first = self.laptop.by_uid(BOILER)["completedAt"]
        self.desk.sync()
        self.laptop.sync()
        self.settle()
        self.assertEqual(self.laptop.json("conflicts") + self.desk.json("conflicts"), [])
        self.assertEqual(self.desk.by_uid(BOILER)["completedAt"], first)

    @smoke
    def test_undo_of_a_sync_restores_only_its_changes(self):
        self.share()
        old = self.laptop.by_uid(PLANTS)["title"]
        self.desk.run("edit", self.desk.id_of(PLANTS), "--title", "Water them never")
        self.desk.sync()
        self.laptop.sync()
        run = self.last_run(self.laptop)
        changes = self.laptop.json("log", "--run", run["id"])["changes"]
        self.assertEqual([(change["kind"], change["side"], change["fields"]) for change in changes],
                         [("changed", "here", ["title"])])
        self.laptop.run("edit", self.laptop.id_of(PLANTS), "--notes", "These are my words")
        self.laptop.run("undo", "--run", run["id"])
        self.settle()
        plants = self.desk.by_uid(PLANTS)
        self.assertEqual((plants["title"], plants["notes"]), (old, "These are my words"))
        self.assertIn("already undone", self.laptop.run("undo", "--run", run["id"]).out)
        undoing = next(run for run in self.laptop.json("log") if run["account"] is None)
        self.laptop.run("undo", "--run", undoing["id"])
        self.settle()
        plants = self.desk.by_uid(PLANTS)
        self.assertEqual((plants["title"], plants["notes"]), ("Water them never", "These are my words"))

    @smoke
    def test_undo_of_a_sync_that_received_and_sent_leaves_the_sent_edit(self):
        self.share()
        old = {uid: self.laptop.by_uid(uid)["title"] for uid in (PLANTS, BOILER)}
        self.desk.run("edit", self.desk.id_of(PLANTS), "--title", "Water them never")
        self.desk.sync()
        self.laptop.run("edit", self.laptop.id_of(BOILER), "--title", "As I say")
        self.laptop.sync()
        undone = self.laptop.run("undo", "--last")
        self.assertIn("The change that this sync sent to the server is your own edit, and stays.", undone.err)
        self.settle()
        for device in (self.laptop, self.desk):
            titles = [device.by_uid(uid)["title"] for uid in (PLANTS, BOILER)]
            self.assertEqual(titles, [old[PLANTS], "As I say"])
        self.laptop.run("undo", "--last")
        self.settle()
        self.assertEqual(self.desk.by_uid(BOILER)["title"], old[BOILER])
        sent = next(run["id"] for run in self.laptop.json("log") if run["sent"])
        self.assertIn("only sent your own changes", self.laptop.run("undo", "--run", sent, code=SAFETY).err)

    def test_a_reminder_deleted_on_both_sides_is_in_the_trash_once_and_is_restored(self):
        self.share()
        title = self.laptop.by_uid(BOILER)["title"]
        self.laptop.run("delete", self.laptop.id_of(BOILER), "--yes")
        self.settle()
        self.assertNotIn(BOILER, self.resources())
        trash = self.laptop.json("trash")
        self.assertEqual([(item["title"], item["deletedOn"]) for item in trash], [(title, "here")])
        self.laptop.run("trash", "restore", trash[0]["id"])
        self.assertEqual(self.laptop.json("trash"), [])
        self.settle()
        self.assertIn(BOILER, self.resources())
        self.assertEqual(self.desk.by_uid(BOILER)["title"], title)

    def test_after_thirty_days_the_trash_is_empty(self):
        self.share()
        self.laptop.run("delete", self.laptop.id_of(BOILER), "--yes")
        self.age(self.laptop, 29)
        number = self.laptop.json("trash")[0]["id"]
        self.age(self.laptop, 2)
        self.assertEqual(self.laptop.json("trash"), [])
        self.laptop.run("trash", "restore", number, code=NOT_FOUND)
        self.laptop.sync()
        self.assertEqual([run for run in self.laptop.json("log") if run["account"] is None], [])

    def test_a_losing_value_is_restored_and_arrives_on_the_other_machine(self):
        self.share()
        titles = {"Invoice as the laptop says", "Invoice as the desk says"}
        self.laptop.run("edit", self.laptop.id_of(INVOICE), "--title", "Invoice as the laptop says")
        self.desk.run("edit", self.desk.id_of(INVOICE), "--title", "Invoice as the desk says", "--priority", "low")
        self.laptop.sync()
        said = self.desk.run("sync")
        self.assertIn("1 conflict is not reviewed yet: 'remindav conflicts'", said.err)
        self.settle()
        conflict = self.desk.json("conflicts")[0]
        self.assertEqual({conflict["kept"], conflict["lost"]}, titles)
        self.assertEqual((conflict["field"], conflict["property"]), ("title", "SUMMARY"))
        shown = self.desk.run("conflicts").out
        for word in (*titles, "title of reminder", "(kept)"):
            self.assertIn(word, shown)
        self.assertNotIn("SUMMARY", shown)
        self.assertIn("property SUMMARY", self.desk.run("conflicts", "--raw").out)
        self.desk.run("conflicts", "restore", conflict["number"])
        self.assertEqual(self.desk.run("conflicts").out, "No conflicts\n")
        self.assertIsNotNone(self.desk.json("conflicts", "--all")[0]["settledAt"])
        self.settle()
        invoice = self.laptop.by_uid(INVOICE)
        self.assertEqual((invoice["title"], invoice["priority"]), (conflict["lost"], "low"))
        self.assertNotIn("settled", self.desk.run("sync").err)


if __name__ == "__main__":
    unittest.main()

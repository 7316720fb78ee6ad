"""Labels: made, coloured, renamed, merged and deleted, on one machine and on two with a server between."""

import unittest

from harness import NOT_FOUND, OK, PARTIAL, USAGE, EndToEnd, changes, ics, smoke, too_long_for_smoke
from servers import Radicale, Xandikos
from story import WRITES, Scene

LABEL_KEYS = {"id", "name", "color", "colorName", "open", "completed", "createdAt", "updatedAt"}


def view(device, name):
    return next((entry for entry in device.json("labels") if entry["name"] == name), None)


def names(device):
    return [entry["name"] for entry in device.json("labels")]


@smoke
class OneMachine(EndToEnd):
    def setUp(self):
        super().setUp()
        self.laptop = self.device("laptop")

    def add(self, title, *labels):
        return self.laptop.json("add", title, *(word for label in labels for word in ("--label", label)))["id"]

    def labels(self, identifier):
        return self.laptop.json("show", str(identifier))["labels"]

    def test_labels_are_listed_added_edited_deleted_and_listed_again(self):
        shown = self.laptop.run("labels")
        self.assertEqual(shown.out, "No labels yet\nAdd your first label: remindav labels add Work\n")
        self.laptop.run("labels", "add", "Work", "--color", "#4caf50")
        self.assertEqual(self.laptop.run("labels").out, "● Work  #4CAF50 green  0 open\n")
        before = view(self.laptop, "Work")
        self.assertEqual(set(before), LABEL_KEYS)
        self.laptop.run("labels", "rename", "Work", "Office")
        self.laptop.run("labels", "recolor", "Office", "#E91E63")
        after = view(self.laptop, "Office")
        self.assertEqual((after["id"], after["createdAt"], after["color"], after["colorName"]),
                         (before["id"], before["createdAt"], "#E91E63", "pink"))
        refused = self.laptop.run("labels", "delete", "Office", code=None)
        self.assert_complaint(refused, USAGE, "--yes")
        self.laptop.run("labels", "delete", "Office", "--yes")
        self.assertEqual(self.laptop.json("labels"), [])

    def test_a_new_name_changes_those_values_and_no_other_byte(self):
        todo = ["DTSTAMP:20260101T000000Z", "SUMMARY:Work", "X-ODD;X-P=\"Work\":Work",
                "Categories;LANGUAGE=en:Workshop,Work ,A\\,B", "CATEGORIES:Last", "PRIORITY:3"]
        path = self.laptop.folder / "in.ics"
        path.write_bytes(ics(["UID:one", *todo], ["UID:two", "DTSTAMP:20260101T000000Z", "SUMMARY:Two", "CATEGORIES:Other"]))
        self.laptop.run("import", path)
        before = self.laptop.run("export").bytes
        self.laptop.run("labels", "rename", "work", "Büro, oben")
        after = self.laptop.run("export").bytes

        def kept(text):
            return [line for line in text.replace(b"\r\n ", b"").split(b"\r\n")
                    if not line.startswith((b"DTSTAMP", b"LAST-MODIFIED", b"X-REMINDAV-LABEL"))]

        changed = [pair for pair in zip(kept(before), kept(after), strict=True) if pair[0] != pair[1]]
        self.assertEqual(changed, [(b"Categories;LANGUAGE=en:Workshop,Work ,A\\,B",
                                    "Categories;LANGUAGE=en:Workshop,Büro\\, oben,A\\,B".encode())])
        self.laptop.run("undo", "--last")
        self.assertEqual(sorted(names(self.laptop)), ["A,B", "Last", "Other", "Work", "Workshop"])

    def test_a_deleted_label_deletes_no_reminder_and_undo_restores_it(self):
        one, two = self.add("One", "Work", "Home"), self.add("Two", "WORK")
        self.laptop.run("labels", "recolor", "Work", "#112233")
        self.laptop.run("labels", "delete", "work", "--yes")
        self.assertEqual((self.labels(one), self.labels(two)), (["Home"], []))
        self.assertEqual(names(self.laptop), ["Home"])
        self.laptop.run("undo", "--last")
        self.assertEqual((self.labels(one), self.labels(two)), (["Work", "Home"], ["WORK"]))
        self.assertEqual(view(self.laptop, "Work")["color"], "#112233")

    @too_long_for_smoke
    def test_many_reminders_are_renamed_at_once(self):
        path = self.laptop.folder / "many.ics"
        path.write_bytes(ics(*([f"UID:uid-{n}", "DTSTAMP:20260101T000000Z", f"SUMMARY:Number {n}", "CATEGORIES:Work,Odd"]
                               for n in range(10_000))))
        self.laptop.run("import", path)
        result = self.laptop.run("labels", "rename", "Work", "Office")
        self.assertIn("in 10000 reminders", result.out)
        self.assertLess(result.seconds, 60)
        self.assertEqual(view(self.laptop, "Office")["open"], 10_000)
        self.assertEqual([run["received"] for run in self.laptop.json("log")], [10_000, 10_000])

    def test_missing_and_invalid_labels_have_their_codes(self):
        self.add("One", "Work")
        for words, code in ((["rename", "Nothing", "New"], NOT_FOUND), (["delete", "Nothing", "--yes"], NOT_FOUND),
                            (["merge", "Work", "Nothing"], NOT_FOUND), (["recolor", "Nothing", "red"], NOT_FOUND),
                            (["recolor", "Work", "#12345"], USAGE), (["add", ""], USAGE), (["add", "x" * 201], USAGE),
                            (["merge", "Work", "work"], USAGE)):
            with self.subTest(" ".join(words)[:40]):
                result = self.laptop.run("labels", *words, code=code)
                self.assertEqual(result.out, "")
                self.assertNotEqual(result.err, "")
        self.assertEqual(names(self.laptop), ["Work"])

    def test_long_odd_and_hostile_names_are_kept_on_import_and_harmless_on_the_terminal(self):
        long = "x" * 10_000
        path = self.laptop.folder / "odd.ics"
        path.write_bytes(ics(["UID:one", "DTSTAMP:20260101T000000Z", "SUMMARY:One",
                              f"CATEGORIES:{long},🏠 Home,\x1b[2Jboo,Stra\u00dfe"]))
        self.laptop.run("import", path, code=(OK, PARTIAL))
        self.assertIn(long, names(self.laptop))
        self.assertIn("🏠 Home", names(self.laptop))
        shown = self.laptop.run("labels").out
        self.assertNotIn("\x1b", shown)
        self.assertTrue(all(len(line) < 260 for line in shown.splitlines()), "a line is too long")
        self.laptop.run("labels", "rename", long, "Short")
        self.assert_complaint(self.laptop.run("labels", "rename", "Short", "STRASSE", code=None), USAGE, "merge")
        self.assertIn("Short", names(self.laptop))


class TwoMachines(Scene):
    """Labels on two machines: a renaming arrives as an edit of the reminders, and a colour arrives separately."""

    keeps_labels = None     # whether the server stores colours

    def setUp(self):
        super().setUp()
        self.share()

    def test_a_rename_here_and_an_edit_there_are_both_kept(self):
        one = self.laptop.json("add", "Rename me", "--label", "Work", "--label", "Keep", "--list", "Reminders")
        self.laptop.sync()
        self.desk.sync()
        self.laptop.run("labels", "rename", "Work", "Office")
        self.desk.run("edit", self.desk.id_of(one["uid"]), "--title", "Renamed", "--label", "Work", "--label", "Keep",
                      "--label", "New")
        for device in (self.desk, self.laptop, self.desk):
            device.sync()
        for device in (self.laptop, self.desk):
            entry = device.by_uid(one["uid"])
            self.assertEqual((entry["title"], sorted(entry["labels"])), ("Renamed", ["Keep", "New", "Office"]))
            self.assertEqual(changes(device.sync()), 0)
        self.assert_same(self.laptop, self.desk)

    def test_a_colour_arrives_if_the_server_stores_it_and_an_idle_sync_is_one_request(self):
        self.laptop.run("add", "Paint", "--label", "Work", "--list", "Reminders")
        self.laptop.run("labels", "add", "Work", "--color", "#4CAF50")
        self.laptop.run("labels", "add", "Never sent")
        self.laptop.sync()
        for device in (self.desk, self.laptop, self.desk):
            device.sync_until_quiet()
        self.assertEqual(view(self.desk, "Work")["color"], "#4CAF50" if self.keeps_labels else "#FF5722")
        self.assertIsNone(view(self.desk, "Never sent"))
        for device in (self.laptop, self.desk):
            self.proxy.take()
            device.sync()
            self.assertEqual([entry[0] for entry in self.proxy.take()], ["PROPFIND"])
        if self.keeps_labels:
            self.desk.run("labels", "recolor", "Work", "#E91E63")
            self.desk.sync()
            self.assertEqual([entry[0] for entry in self.proxy.take() if entry[0] in WRITES], ["PROPPATCH"])
            self.laptop.sync()
            self.assertEqual(view(self.laptop, "Work")["color"], "#E91E63")


class OnRadicale(TwoMachines, EndToEnd):
    make_server = Radicale
    keeps_labels = True


class OnXandikos(TwoMachines, EndToEnd):
    make_server = Xandikos
    keeps_labels = False


if __name__ == "__main__":
    unittest.main()

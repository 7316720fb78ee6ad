"""Files of other programs in daily forms: archives, several files at once, todo.txt, tables, and the way back."""

import io
import json
import unittest
import zipfile

from harness import FAILURE, OK, PARTIAL, ROOT, USAGE, EndToEnd

FORMATS = ROOT / "Fixtures" / "task-formats"
ARCHIVES = ROOT / "Fixtures" / "zip"
TABLE = "TYPE,CONTENT,INDENT\r\ntask,{},1\r\n"


def archive(files):
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as target:
        for name, text in files:
            target.writestr(name, text)
    return data.getvalue()


class Moving(EndToEnd):
    def setUp(self):
        super().setUp()
        self.laptop = self.device("laptop")

    def titles(self):
        return sorted(item["title"] for item in self.laptop.json("list", "--all"))

    def test_todo_txt_comes_out_as_it_went_in(self):
        text = (FORMATS / "todo.txt").read_text()
        self.laptop.run("import", FORMATS / "todo.txt", code=PARTIAL)
        out = self.folder / "out.txt"
        self.laptop.run("export", "-o", out)
        self.assertEqual(out.read_text(), text.replace("\n\n", "\n"))
        lists = self.device("lists")
        lists.run("import", FORMATS / "todo.txt", "--lists", code=PARTIAL)
        self.assertEqual(lists.run("export", "--format", "todotxt").out, text.replace("\n\n", "\n"))

    def test_an_edit_changes_only_its_part_of_a_line(self):
        self.laptop.run("import", "-", "--format", "todotxt", stdin="(D) Ask @Ben about +P due:2027-02-01 key:value\n")
        self.laptop.run("edit", "1", "--due", "2027-03-01")
        self.assertEqual(self.laptop.run("export", "--format", "todotxt").out, "(D) Ask @Ben about +P key:value due:2027-03-01\n")

    def test_a_backup_of_todoist_is_read_with_its_projects(self):
        backup = self.folder / "backup.zip"
        backup.write_bytes(archive([
            ("Inbox [1].csv", TABLE.format("Call")), ("Work [2].csv", TABLE.format("Call")),
            ("Home [3].csv", TABLE.format("Rake")), ("Home [4].csv", TABLE.format("Rake")), ("note.html", "<p>"),
        ]))
        self.laptop.run("import", backup, "--lists")
        self.assertEqual(self.titles(), ["Call", "Call", "Rake", "Rake"])
        found = sorted((item["list"], item["title"]) for item in self.laptop.json("list"))
        self.assertEqual(found, [("Home 3", "Rake"), ("Home 4", "Rake"), ("Reminders", "Call"), ("Work", "Call")])
        self.assertIn("0 added, 0 updated, 4 unchanged", self.laptop.run("import", backup, "--lists").out)
        self.laptop.run("undo", "--last", "--yes")
        self.assertEqual(self.titles(), [])

    def test_an_archive_of_google_takeout_is_read(self):
        takeout = self.folder / "takeout.zip"
        takeout.write_bytes(archive([
            ("Takeout/archive_browser.html", "<html>"),
            ("Takeout/Tasks/Tasks.json", (FORMATS / "google-takeout.json").read_bytes()),
        ]))
        result = self.laptop.run("import", takeout, "--lists", code=PARTIAL)
        self.assertIn("takeout.zip/Takeout/Tasks/Tasks.json, line 62: ", result.err)
        self.assertEqual({item["list"] for item in self.laptop.json("list", "--all")}, {"My Tasks", "Work"})

    def test_a_hostile_archive_is_refused_with_one_sentence(self):
        for path in sorted(ARCHIVES.glob("*.zip")):
            if path.stem in ("plain", "bomb"):
                continue
            with self.subTest(path.stem):
                before = sorted(self.folder.rglob("x.csv"))
                result = self.laptop.run("import", path, code=FAILURE)
                self.assertRegex(result.err.splitlines()[-1], "cannot be imported .*Nothing was changed")
                self.assertEqual(sorted(self.folder.rglob("x.csv")), before)
        self.assertEqual(self.titles(), [])

    def test_a_bomb_is_refused_at_once(self):
        bomb = self.folder / "bomb.zip"
        bomb.write_bytes(archive([(f"{n}.csv", bytes(9 << 20)) for n in range(4)]))
        self.assertLess(bomb.stat().st_size, 1 << 20)
        result = self.laptop.run("import", bomb, code=FAILURE, timeout=20)
        self.assertIn("its contents are too large", result.err)

    def test_a_bad_file_does_not_stop_the_others(self):
        (self.folder / "a.txt").write_text("(A) One\n")
        (self.folder / "b.ics").write_text("BEGIN:VCALENDAR\nBEGIN:VTODO\nUID:b\nSUMMARY:Half")
        (self.folder / "c.csv").write_text("due;task\n2027-01-05;Three\n")
        files = [self.folder / name for name in ("a.txt", "b.ics", "c.csv", "none.ics")]
        result = self.laptop.run("import", *files, code=PARTIAL)
        self.assertIn("b.ics", result.err)
        self.assertEqual(result.err.count("none.ics"), 1, result.err)
        self.assertIn("Total of 4 files: 2 added", result.out)
        self.assertEqual(self.titles(), ["One", "Three"])
        self.laptop.run("import", files[1], files[3], code=FAILURE)
        lines = self.laptop.run("import", *files, "--json", code=PARTIAL).out.splitlines()
        found = [json.loads(line) for line in lines]
        self.assertEqual([item["file"] for item in found], [str(file) for file in files])
        self.assertEqual([set(item) == {"file", "error"} for item in found], [False, True, False, True])
        self.laptop.run("import", "-", "-", code=USAGE)
        self.laptop.run("undo", "--last", "--yes")
        self.assertEqual(self.titles(), [])

    def test_a_table_names_its_problem(self):
        table = self.folder / "t.csv"
        table.write_text("Aufgabe,due\nx,\n")
        result = self.laptop.run("import", table, code=FAILURE)
        self.assertRegex(result.err, r"t\.csv, line 1: Aufgabe, due.*Name one column 'title'")
        table.write_text("title,due\nOne,3/4/2027\n")
        result = self.laptop.run("import", table, code=FAILURE)
        self.assertRegex(result.err, r"t\.csv, line 2.*--date-order dmy")
        self.laptop.run("import", table, "--date-order", "dmy")
        self.assertEqual([item["due"] for item in self.laptop.json("list")], ["2027-04-03"])
        self.laptop.run("import", table, "--date-order", "ymd", code=USAGE)
        self.laptop.run("import", table, "--lists", "--list", "X", code=USAGE)

    def test_a_reminder_that_was_edited_here_stays_and_is_no_error(self):
        data = ("BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:x\r\nBEGIN:VTODO\r\nUID:a\r\nDTSTAMP:20260101T000000Z\r\n"
                "LAST-MODIFIED:20260101T000000Z\r\nSUMMARY:Old\r\nEND:VTODO\r\nEND:VCALENDAR\r\n")
        self.laptop.run("import", "-", stdin=data)
        self.laptop.run("edit", "1", "--title", "Mine")
        result = self.laptop.run("import", "-", stdin=data, code=OK)
        self.assertIn("0 added, 0 updated, 1 unchanged, 0 left out", result.out)
        self.assertEqual(self.titles(), ["Mine"])

    def test_an_ending_without_a_format_is_refused(self):
        self.laptop.run("add", "Milk")
        out = self.folder / "out.xlsx"
        self.assertIn("means no format", self.laptop.run("export", "-o", out, code=USAGE).err)
        self.assertFalse(out.exists())


if __name__ == "__main__":
    unittest.main()

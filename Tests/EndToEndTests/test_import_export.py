"""Ten thousand to-dos go in and come out, and a foreign library finds everything that was in them."""

import re
import unittest

import corpus
import icalendar
from harness import SAMPLE, EndToEnd, simple, smoke, too_long_for_smoke

COUNT = 10_000


def shape(component):
    """The content of a component in a comparable form: its properties with their parameters, and its components."""
    properties = sorted(
        (
            name,
            value.to_ical(),
            sorted((key, str(setting)) for key, setting in getattr(value, "params", {}).items()),
        )
        for name, value in component.property_items(recursive=False, sorted=False)
        if name not in ("BEGIN", "END")
    )
    return component.name, properties, sorted(map(shape, component.subcomponents), key=repr)


def todos(data):
    found = {}
    for todo in icalendar.Calendar.from_ical(data).walk("VTODO"):
        assert str(todo["UID"]) not in found, f"twice: {todo['UID']}"
        found[str(todo["UID"])] = todo
    return found


def blocks(data):
    """The bytes of each to-do, by UID, extracted without a library."""
    found = {}
    for block in re.findall(rb"BEGIN:VTODO\r\n.*?END:VTODO\r\n", data, re.DOTALL):
        found[re.search(rb"\nUID:(.*?)\r\n(?! )", block, re.DOTALL)[1]] = block
    return found


@smoke
class ImportAndExport(EndToEnd):
    @classmethod
    def setUpClass(cls):
        cls.source = corpus.calendar(range(COUNT))

    @too_long_for_smoke
    def test_everything_of_ten_thousand_todos_survives_import_and_export(self):
        laptop = self.device("laptop")
        path = self.write("in.ics", self.source)
        report = laptop.json("import", path, timeout=120)
        self.assertEqual(set(report), {"file", "added", "updated", "unchanged", "skipped", "deleted", "format", "repeating", "keptRules", "issues", "elsewhere", "run"})
        self.assertEqual((report["added"], report["updated"], report["unchanged"], report["skipped"]), (COUNT, 0, 0, 0))
        self.assertEqual(report["issues"], [])

        out = self.folder / "out.ics"
        laptop.run("export", "-o", out)
        exported = out.read_bytes()
        expected, actual = todos(self.source), todos(exported)
        self.assertEqual(set(expected), set(actual))
        for uid, todo in expected.items():
            self.assertEqual(shape(todo), shape(actual[uid]), uid)
        self.zones_are_there(exported)
        self.assertEqual(blocks(self.source), blocks(exported), "an untouched to-do did not come back byte for byte")

        again = laptop.json("import", out, timeout=120)
        self.assertEqual((again["added"], again["updated"], again["unchanged"]), (0, 0, COUNT))

    def zones_are_there(self, data):
        defined = set(re.findall(rb"\r\nTZID:([^\r]*)", data))
        self.assertEqual(defined, {b"Europe/Berlin", b"Asia/Tokyo"})
        self.assertEqual(len(re.findall(rb"BEGIN:VTIMEZONE", data)), 2, "a zone is defined more than once")

    def test_export_to_standard_output_is_the_same_file(self):
        laptop = self.device("laptop")
        laptop.run("import", "-", stdin=corpus.calendar(range(50)))
        laptop.run("export", "-o", self.folder / "out.ics")
        self.assertEqual(laptop.run("export").bytes, (self.folder / "out.ics").read_bytes())

    def test_a_dry_run_reports_the_same_and_changes_nothing(self):
        laptop = self.device("laptop")
        path = self.write("in.ics", corpus.calendar(range(50)))
        rehearsal = laptop.json("import", path, "--dry-run")
        self.assertEqual(laptop.items(), {})
        self.assertEqual(rehearsal | {"run": 1}, laptop.json("import", path))

    def test_a_changed_todo_is_updated_and_only_that_one(self):
        laptop = self.device("laptop")
        data = simple(50)
        laptop.run("import", "-", stdin=data)
        changed = data.replace(b"SUMMARY:Item 7\r\n", b"SUMMARY:Changed\r\nX-NEWER:1\r\n")
        changed = re.sub(rb"LAST-MODIFIED:\d+(T\d+Z\r\nSUMMARY:Changed)", rb"LAST-MODIFIED:20300101\1", changed)
        report = laptop.json("import", self.write("changed.ics", changed))
        self.assertEqual((report["added"], report["updated"], report["unchanged"]), (0, 1, 49))
        self.assertEqual(laptop.by_uid("item-7")["title"], "Changed")

    def test_an_edit_changes_its_own_lines_and_the_stamps_and_no_other_byte(self):
        laptop = self.device("laptop")
        source = SAMPLE.read_bytes()
        laptop.run("import", SAMPLE)
        laptop.run("edit", laptop.id_of("planner-0023"), "--title", "Winter tyres, all four")
        before, after = blocks(source), blocks(laptop.run("export").bytes)
        edited = b"planner-0023"
        self.assertEqual(set(before), set(after))
        for uid in set(before) - {edited}:
            self.assertEqual(before[uid], after[uid], uid)
        stamps = (b"SUMMARY:", b"DTSTAMP:", b"LAST-MODIFIED:", b"SEQUENCE:")
        kept = [[line for line in part[edited].split(b"\r\n") if not line.startswith(stamps)] for part in (before, after)]
        self.assertEqual(kept[0], kept[1])
        self.assertIn(b"SUMMARY:Winter tyres\\, all four\r\n", after[edited])

    def test_one_bad_line_is_reported_and_the_rest_is_read(self):
        laptop = self.device("laptop")
        data = corpus.calendar(range(3)).replace(b"BEGIN:VTODO\r\n", b"BEGIN:VTODO\r\nthis is no content line\r\n", 1)
        report = laptop.run("import", self.write("bad.ics", data), "--json", code=None).json
        self.assertEqual(report["added"], 3)
        self.assertEqual(len(report["issues"]), 1)
        self.assertEqual(set(report["issues"][0]), {"line", "code", "message"})
        number = data.split(b"\r\n").index(b"this is no content line") + 1
        self.assertEqual(report["issues"][0]["line"], number)

    def test_line_ends_bom_and_a_fold_inside_a_letter_are_read(self):
        text = (
            b"\xef\xbb\xbfBEGIN:VCALENDAR\nVERSION:2.0\r\nPRODID:-//x//EN\n\nBEGIN:VTODO\nUID:fold-1\n"
            b"DTSTAMP:20260101T000000Z\nSUMMARY:M\xc3\r\n \xbcll\nEND:VTODO\r\nEND:VCALENDAR"
        )
        laptop = self.device("laptop")
        laptop.run("import", self.write("odd.ics", text))
        self.assertEqual(laptop.by_uid("fold-1")["title"], "Müll")

    def test_the_style_event_exports_events(self):
        laptop = self.device("laptop")
        laptop.run("import", "-", stdin=corpus.calendar(range(50)))
        calendar = icalendar.Calendar.from_ical(laptop.run("export", "--style", "event").bytes)
        self.assertEqual(calendar.walk("VTODO"), [])
        self.assertGreater(len(calendar.walk("VEVENT")), 0)


if __name__ == "__main__":
    unittest.main()

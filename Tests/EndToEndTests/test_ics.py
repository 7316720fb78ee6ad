"""The `ics` commands and `expand` of the built program: files in, answers and exit codes out."""

import json
import subprocess
import unittest

import icalendar

from harness import FAILURE, OK, PARTIAL, ROOT, USAGE, EndToEnd, ics

FIXTURES = ROOT / "Fixtures"


def rule_examples():
    """The examples of RFC 5545 3.8.5.3: start, rule, dates, and whether the rule continues."""
    for line in (FIXTURES / "rrule" / "rfc5545-3.8.5.3.txt").read_text().splitlines():
        if line.startswith("#") or "|" not in line:
            continue
        head, tail = line.split("|")
        start, rule = head.split()
        month, dates = "", []
        words = tail.split()
        for word in words:
            if word == "…":
                continue
            if len(word) == 6:
                month = word
            else:
                dates.append(month + word + ("T" + start.split("T")[1] if len(word) == 2 else ""))
        yield start, rule, dates, words[-1] == "…"


class Expand(EndToEnd):
    def setUp(self):
        super().setUp()
        self.laptop = self.device("laptop")

    def dates(self, *arguments, **options):
        return self.laptop.run("expand", *arguments, **options).out.split()

    def test_every_example_of_rfc_5545(self):
        count = 0
        for start, rule, expected, goes_on in rule_examples():
            with self.subTest(rule):
                arguments = ["--dtstart", start, "--tzid", "America/New_York", "--rrule", rule]
                found = self.dates(*arguments, "--limit", str(len(expected) + 1))
                self.assertEqual(found[: len(expected)], expected)
                self.assertEqual(len(found) > len(expected), goes_on)
                count += 1
        self.assertGreater(count, 40)

    def test_options(self):
        daily = ["--dtstart", "20260101T090000", "--rrule", "FREQ=DAILY;COUNT=5"]
        for more, days in (
            ([], "01 02 03 04 05"), (["--exdate", "20260102T090000"], "01 03 04 05"),
            (["--exdate", "20260102", "--exdate", "20260103T090000,20260104T090000"], "01 05"),
            (["--rdate", "20260110T090000"], "01 02 03 04 05 10"), (["--limit", "2"], "01 02"),
            (["--from", "2026-01-03 09:00"], "03 04 05"), (["--from", "20260103T090001"], "04 05"),
            (["--to", "20260103T090000"], "01 02"), (["--from", "2026-01-02", "--to", "2026-01-04"], "02 03"),
            (["--rrule", "FREQ=DAILY;INTERVAL=7;COUNT=2"], "01 02 03 04 05 08"),
        ):
            with self.subTest(" ".join(more)):
                self.assertEqual(self.dates(*daily, *more), [f"202601{day}T090000" for day in days.split()])
        for arguments in (["ics", "expand", *daily], ["expand", *daily]):
            self.assertEqual(self.laptop.run(*arguments).out.split()[0], "20260101T090000")

    def test_forms_of_the_start(self):
        self.assertEqual(self.dates("--dtstart", "20260101", "--rrule", "FREQ=DAILY;COUNT=2"), ["20260101", "20260102"])
        self.assertEqual(self.dates("--dtstart", "20260101T090000Z", "--rrule", "FREQ=DAILY;COUNT=1"),
                         ["20260101T090000Z"])
        # The local time stays, and the moment moves.
        self.assertEqual(
            self.dates("--dtstart", "20260328T090000", "--tzid", "Europe/Berlin", "--rrule",
                       "FREQ=DAILY;UNTIL=20260329T070000Z"), ["20260328T090000", "20260329T090000"])

    def test_a_rule_without_an_end_stops_with_a_message(self):
        result = self.laptop.run("expand", "--dtstart", "20260101", "--rrule", "FREQ=DAILY")
        self.assertEqual(len(result.out.split()), 1000)
        self.assertIn("--limit", result.err)
        self.assertEqual(self.laptop.run("-q", "expand", "--dtstart", "20260101", "--rrule", "FREQ=DAILY").err, "")

    def test_bad_input_is_reported_in_one_sentence(self):
        for arguments in (
            [], ["--rrule", "FREQ=DAILY"], ["--dtstart", "soon"], ["--dtstart", "20260231"],
            ["--dtstart", "20260101", "--rrule", "FREQ=DAILY;INTERVAL=0"], ["--dtstart", "20260101", "--rrule", ""],
            ["--dtstart", "20260101", "--rrule", "FREQ=DAILY;COUNT=0"], ["--dtstart", "20260101", "--rdate", ","],
            ["--dtstart", "20260101", "--rrule", "FREQ=DAILY;BYMONTH=" + "1," * 9000 + "1"],
            ["--dtstart", "20260101", "--limit", "-1"], ["--dtstart", "20260101", "--limit", "9" * 40],
            ["--dtstart", "20260101T090000", "--tzid", "Mars/Olympus"],
            ["--dtstart", "20260101T090000Z", "--tzid", "Europe/Berlin"], ["--dtstart", "20260101", "--tzid", "UTC"],
            ["--dtstart", "20260101", "--from", "soon"],
            ["--dtstart", "20260101", "--dtstart", "20260102"], ["--dtstart", "20260101", "\x1b[31m"],
        ):
            with self.subTest(" ".join(arguments)[:80]):
                result = self.laptop.run("expand", *arguments, code=USAGE)
                self.assertEqual(result.out, "")
                self.assertNotIn("\x1b", result.err)
                self.assertLessEqual(len(result.err.splitlines()), 2)

    def test_hostile_rules_end_soon(self):
        for rule in (
            "FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=30", "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30", "FREQ=SECONDLY;BYHOUR=25",
            "FREQ=DAILY;BYMONTHDAY=31;BYMONTH=4", "FREQ=YEARLY;BYWEEKNO=53;BYMONTH=6", "FREQ=MINUTELY;BYSETPOS=366",
            "FREQ=SECONDLY;INTERVAL=2147483647;BYSECOND=59", "FREQ=DAILY;COUNT=2147483647;BYMONTH=2;BYMONTHDAY=30",
        ):
            with self.subTest(rule):
                result = self.laptop.run("expand", "--dtstart", "19970902T090000", "--rrule", rule, "--limit", "3",
                                         code=(OK, FAILURE, USAGE))
                self.assertLess(result.seconds, 2)

    def test_a_huge_limit_costs_nothing_for_few_occurrences(self):
        self.assertEqual(len(self.dates("--dtstart", "20260101", "--rrule", "FREQ=DAILY;COUNT=3", "--limit",
                                        "999999999999")), 3)

    def test_a_closed_pipe_is_no_error(self):
        for words in (["expand", "--dtstart", "20260101T000000", "--rrule", "FREQ=SECONDLY;COUNT=900000"],
                      ["expand", "--dtstart", "20260101T000000", "--rrule", "FREQ=SECONDLY", "--limit", "9000000"]):
            process = self.laptop.start(*words, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            self.assertEqual(process.stdout.readline(), b"20260101T000000\n")
            process.stdout.close()
            self.assertEqual(process.stderr.read(), b"")
            process.stderr.close()
            self.assertEqual(process.wait(20), 141)


class ExpandFiles(EndToEnd):
    def setUp(self):
        super().setUp()
        self.laptop = self.device("laptop")

    def test_a_file_and_standard_input(self):
        data = ics(["UID:a", "DTSTART;TZID=Europe/Berlin:20260328T090000", "RRULE:FREQ=DAILY;COUNT=3", "SUMMARY:A\\, b"],
                   ["UID:b", "DUE:20260329T083000Z", "SUMMARY:B"], ["UID:c", "SUMMARY:never"])
        path = self.write("a.ics", data)
        expected = [
            ["2026-03-28T09:00:00+01:00", "-", "VTODO", "a", "2026-03-28T09:00:00+01:00", "-", "A, b"],
            ["2026-03-29T09:00:00+02:00", "-", "VTODO", "a", "2026-03-29T09:00:00+02:00", "-", "A, b"],
            ["2026-03-29T08:30:00Z", "-", "VTODO", "b", "-", "-", "B"],
            ["2026-03-30T09:00:00+02:00", "-", "VTODO", "a", "2026-03-30T09:00:00+02:00", "-", "A, b"],
        ]
        for result in (self.laptop.run("ics", "expand", path), self.laptop.run("ics", "expand", "-", stdin=data)):
            self.assertEqual([line.split("\t") for line in result.out.splitlines()], expected)
        found = self.laptop.run("ics", "expand", path, "--from", "2026-03-29", "--to", "20260330", "--json").json
        self.assertEqual([(entry["uid"], entry["start"]) for entry in found],
                         [("a", expected[1][0]), ("b", expected[2][0])])
        self.assertEqual(set(found[0]), set("start end zone component uid recurrenceId summary status overridden moved line".split()))
        self.assertEqual(len(self.laptop.run("ics", "expand", path, "--limit", "2").out.splitlines()), 2)
        self.assertEqual(self.laptop.run("ics", "expand", path, "--from", "20300101", "--json").json, [])

    def test_the_rest_is_shown_if_a_component_cannot_be_shown(self):
        data = ics(["UID:a", "DUE:20260101", "RRULE:FREQ=NEVER"], ["UID:b", "DUE:20260102"])
        result = self.laptop.run("ics", "expand", "-", stdin=data, code=PARTIAL)
        self.assertIn("2026-01-02", result.out)
        self.assert_complaint(result, PARTIAL, "line 7")

    def test_every_fixture_is_expanded_without_a_crash(self):
        for path in sorted((FIXTURES / "ics").glob("*.ics")):
            with self.subTest(path.name):
                result = self.laptop.run("ics", "expand", path, "--from", "20260101", "--to", "20280101", "--json",
                                         code=None)
                self.assertIn(result.code, (OK, FAILURE, PARTIAL), repr(result))
                if result.code != FAILURE:
                    # A rule for each second of some days is expanded up to the limit of the command.
                    most = 1_000_000 if path.name == "made-period-of-millennia.ics" else 100_000
                    self.assertLessEqual(len(result.json), most)

    def test_files_that_are_no_calendar(self):
        self.assert_complaint(self.laptop.run("ics", "expand", "-", stdin="Dear all", code=None), FAILURE, "icalendar")
        self.assert_complaint(self.laptop.run("ics", "expand", "nowhere.ics", code=None), FAILURE, "nowhere.ics")


class Diff(EndToEnd):
    def setUp(self):
        super().setUp()
        self.laptop = self.device("laptop")

    def test_equal_content_in_another_form(self):
        a = self.write("a.ics", ics(["UID:a", "SUMMARY:Milk and bread", "DURATION:PT90M", "DTSTAMP:20260101T000000Z"],
                                    ["UID:b", "SUMMARY:B"]))
        b = self.write("b.ics", ics(["UID:b", "SUMMARY:B"],
                                    ["DTSTAMP:20270101T000000Z", "duration:PT1H30M", "UID:a", "SUMMARY:Milk", "  and bread"])
                       .replace(b"\r\n", b"\n"))
        self.assertIn("same", self.laptop.run("ics", "diff", a, b).out)
        self.assertEqual(self.laptop.run("ics", "diff", a, b, "--json").json, [])

    def test_every_fixture_is_the_same_as_itself_formatted(self):
        for path in sorted((FIXTURES / "ics").glob("*.ics")):
            tidy = self.laptop.run("ics", "format", path, code=None)
            if tidy.code != OK:
                continue
            with self.subTest(path.name):
                self.laptop.run("ics", "diff", path, "-", stdin=tidy.bytes)

    def test_differences(self):
        a = self.write("a.ics", ics(["UID:a", "SUMMARY:Old", "BEGIN:VALARM", "TRIGGER:-PT5M", "END:VALARM"], ["UID:b"]))
        b = self.write("b.ics", ics(["UID:a", "SUMMARY:New\x1b", "BEGIN:VALARM", "TRIGGER:-PT6M", "END:VALARM"], ["UID:c"]))
        result = self.laptop.run("ics", "diff", a, b, code=FAILURE)
        self.assertIn("~ SUMMARY: Old -> New\\x1b", result.out)
        self.assertIn("~ TRIGGER: -PT5M -> -PT6M", result.out)
        self.assertIn("+ VTODO c", result.out)
        self.assertIn("- VTODO b", result.out)
        found = self.laptop.run("ics", "diff", a, b, "--json", code=FAILURE).json
        self.assertEqual([(entry["change"], entry["uid"]) for entry in found],
                         [("changed", "a"), ("added", "c"), ("removed", "b")])
        self.assertEqual(found[0]["properties"], [{"name": "SUMMARY", "old": ["Old"], "new": ["New\x1b"]}])

    def test_an_error_is_no_difference(self):
        a = self.write("a.ics", ics(["UID:a"]))
        for arguments in ([a, self.folder / "nowhere.ics"], [a, self.folder], [a, "-"], ["-", "-"], [a]):
            self.assertEqual(self.laptop.run("ics", "diff", *arguments, stdin="Dear all", code=None).code, USAGE)

    def test_ten_thousand_components_with_one_name_take_no_time(self):
        todos = [[f"SUMMARY:{number}", "UID:same"] for number in range(10_000)]
        a, b = self.write("a.ics", ics(*todos)), self.write("b.ics", ics(*reversed(todos), ["UID:same", "SUMMARY:more"]))
        result = self.laptop.run("ics", "diff", a, b, code=FAILURE)
        self.assertEqual(len(result.out.splitlines()), 1)
        self.assertLess(result.seconds, 5)


class Convert(EndToEnd):
    def setUp(self):
        super().setUp()
        self.laptop = self.device("laptop")

    def test_both_forms_to_a_file_and_to_standard_output(self):
        path = self.write("a.ics", ics(["UID:a", "CATEGORIES:A,B", "DUE;VALUE=DATE:20260101", "SUMMARY:M\u00fcll \x1b"]))
        jcal = self.laptop.run("ics", "convert", path, "--to", "jcal").json
        self.assertEqual(jcal[2][0], ["vtodo", [["uid", {}, "text", "a"], ["categories", {}, "text", "A", "B"],
                                                ["due", {}, "date", "2026-01-01"],
                                                ["summary", {}, "text", "M\u00fcll \x1b"]], []])
        plain = self.laptop.run("ics", "convert", "-", "--to", "json", stdin=path.read_bytes()).json
        todo = plain[0]["components"][0]
        self.assertEqual(todo["component"], "vtodo")
        self.assertEqual(todo["properties"]["categories"], [{"type": "text", "value": ["A", "B"], "parameters": {}}])
        target = self.folder / "out.json"
        self.assertEqual(self.laptop.run("ics", "convert", path, "--to", "jcal", "-o", target).out, "")
        self.assertEqual(json.loads(target.read_text()), jcal)

    def test_unreadable_lines_are_named(self):
        result = self.laptop.run("ics", "convert", "-", "--to", "jcal", stdin=ics(["UID:a", "SUMMARY nothing"]),
                                 code=PARTIAL)
        self.assertEqual(len(result.json[2][0][1]), 1)
        self.assert_complaint(result, PARTIAL, "line 6")

    def test_wrong_usage(self):
        for arguments in (["a.ics"], ["a.ics", "--to", "xcal"], ["--to", "jcal"], ["a.ics", "--to", "jcal", "-o", ""]):
            self.laptop.run("ics", "convert", *arguments, code=USAGE)

    def test_every_fixture_becomes_sound_json_in_both_forms(self):
        for path in sorted((FIXTURES / "ics").glob("*.ics")):
            for form in ("jcal", "json"):
                with self.subTest(f"{path.name} {form}"):
                    result = self.laptop.run("ics", "convert", path, "--to", form, code=None)
                    if result.code != FAILURE:
                        self.assertIn(result.code, (OK, PARTIAL))
                        json.loads(result.bytes.decode())

    def test_python_icalendar_gives_the_same_result(self):
        compared = 0
        for path in sorted((FIXTURES / "ics").glob("rfc*.ics")) + sorted((FIXTURES / "ics").glob("tasks.org*.ics")):
            # The library damages a character that a fold divides.
            if path.name == "rfc5545-3.1-fold-inside-letter.ics":
                continue
            try:
                theirs = json.loads(icalendar.Calendar.from_ical(path.read_bytes()).to_json())
            except (ValueError, AttributeError, TypeError, KeyError):
                continue
            ours = self.laptop.run("ics", "convert", path, "--to", "jcal", code=None)
            if ours.code == OK:
                with self.subTest(path.name):
                    self.assert_same_jcal(ours.json, theirs)
                    compared += 1
        self.assertGreater(compared, 8)

    def assert_same_jcal(self, ours, theirs):
        """The result without the order of properties, which the other library does not keep."""
        self.assertEqual(ours[0], theirs[0])
        self.assertEqual(sorted(map(plain, with_their_types(ours[1], theirs[1])), key=repr),
                         sorted(map(plain, theirs[1]), key=repr))
        self.assertEqual(len(ours[2]), len(theirs[2]))
        for mine, other in zip(ours[2], theirs[2]):
            self.assert_same_jcal(mine, other)


def with_their_types(ours, theirs):
    """Properties with a type that only we know, in their form: in RFC 7986, 9073 and 9074 these are texts and addresses."""
    unknown = {entry[0] for entry in theirs if entry[2] == "unknown"}
    return [[*entry[:2], "unknown", *entry[3:]] if entry[0] in unknown and entry[2] in ("text", "uri") else entry
            for entry in ours]


def plain(entry):
    """A property in a normal form of its equivalent spellings."""
    name, parameters, kind, *values = entry
    if kind == "recur":
        values = [sorted((key, value if isinstance(value, list) else [value]) for key, value in values[0].items())]
    if kind == "duration":
        values = [{"P7D": "P1W", "P0D": "PT0S"}.get(value, value) for value in values]
    return name, sorted(parameters.items()), kind, values


class CheckAndFormat(EndToEnd):
    def setUp(self):
        super().setUp()
        self.laptop = self.device("laptop")

    def test_a_finding_has_its_place_its_description_and_a_remedy(self):
        path = self.write("a.ics", ics(["UID:a", "DTSTAMP:20260101T000000Z", "SUMMARY nothing"]))
        result = self.laptop.run("ics", "check", path, code=FAILURE)
        self.assertRegex(result.out, r"(?m)a\.ics:7: error: .* \(missingColon\)\. Write ")
        found = self.laptop.run("ics", "check", path, "--json", code=FAILURE).json
        self.assertIn(("missingColon", 7, "error"), [(entry["code"], entry["line"], entry["severity"]) for entry in found])
        self.assertEqual(set(found[0]), set("line code severity subject message advice more".split()))

    def test_format_is_idempotent_and_writes_to_the_given_file(self):
        source = ics(["UID:a", "SUMMARY:" + "\u00fc" * 100]).replace(b"\r\n", b"\n")
        path = self.write("a.ics", source)
        once = self.laptop.run("ics", "format", path).bytes
        self.assertEqual(self.laptop.run("ics", "format", "-", stdin=once).bytes, once)
        self.assertTrue(all(len(line) <= 75 for line in once.split(b"\r\n")))
        target = self.folder / "b.ics"
        self.laptop.run("ics", "format", path, "-o", target)
        self.assertEqual(target.read_bytes(), once)
        self.assertEqual(path.read_bytes(), source)
        self.laptop.run("ics", "format", path, "--in-place")
        self.assertEqual(path.read_bytes(), once)
        for arguments in (["-", "-i"], [path, "-i", "-o", target], [path, target]):
            self.laptop.run("ics", "format", *arguments, code=USAGE)

    def test_a_file_in_utf_16_is_named_by_every_command(self):
        good = self.write("good.ics", ics(["UID:a"]))
        letter = self.write("letter.txt", "Dear all,\n")
        for encoding in ("utf-16", "utf-16-be", "utf-16-le"):
            bad = self.write("bad.ics", ics(["UID:a"]).decode().encode(encoding))
            for words, status in (
                (["format", bad], FAILURE), (["format", "-i", bad], FAILURE), (["convert", bad, "--to", "jcal"], FAILURE),
                (["expand", bad], FAILURE), (["diff", good, bad], USAGE), (["diff", bad, good], USAGE),
                (["diff", bad, letter], USAGE),
            ):
                with self.subTest(f"{encoding} {words[0]}"):
                    result = self.laptop.run("ics", *words, code=None)
                    self.assert_complaint(result, status, r"bad\.ics", "utf-16", "iconv")
            with self.subTest(f"{encoding} import"):
                result = self.laptop.run("import", bad, code=None)
                self.assert_complaint(result, FAILURE, r"bad\.ics", "utf-16", "iconv")
            found = self.laptop.run("ics", "check", bad, code=FAILURE).out
            self.assertRegex(found, r"bad\.ics:1: error: .*UTF-16.*iconv")
        for words, status in (
            (["format", letter], FAILURE), (["convert", letter, "--to", "json"], FAILURE), (["expand", letter], FAILURE),
            (["diff", good, letter], USAGE), (["diff", letter, good], USAGE),
        ):
            with self.subTest(f"letter {words[0]}"):
                self.assert_complaint(self.laptop.run("ics", *words, code=None), status, r"letter\.txt", "icalendar")
        result = self.laptop.run("ics", "diff", good, "-", stdin="Dear all,\n", code=None)
        self.assert_complaint(result, USAGE, "standard input", "icalendar")

    def test_an_error_leaves_the_file_unchanged(self):
        path = self.write("letter.txt", "Dear all,\n")
        self.assert_complaint(self.laptop.run("ics", "format", "-i", path, code=None), FAILURE, "icalendar")
        self.assertEqual(path.read_text(), "Dear all,\n")
        self.assert_complaint(self.laptop.run("ics", "format", self.folder, code=None), FAILURE, "folder")


if __name__ == "__main__":
    unittest.main()

"""People come from other programs, and leave again: files go in, come out, and nothing is lost on the way."""

import csv
import io
import json
import os
import shutil
import subprocess
import time
import unittest

import icalendar
from harness import FAILURE, OK, PARTIAL, SAMPLE, USAGE, EndToEnd, ROOT

FIXTURES = ROOT / "Fixtures" / "task-formats"
FILES = {
    "taskwarrior-2.6-export.json": "taskwarrior", "taskwarrior-2.6-lines.json": "taskwarrior",
    "todoist-project.csv": "todoist-csv", "todoist-sync.json": "todoist-json", "todoist-rest.json": "todoist-json",
    "microsoft-graph.json": "microsoft-json", "outlook-tasks.csv": "outlook-csv",
    "google-takeout.json": "google-json", "any-table.csv": "table", "todo.txt": "todotxt",
}
EXPORT_KEYS = set(
    "uid list title notes due dueZone allDay start repeat repeatFrom status completedAt snoozedUntil priority labels alarms parent "
    "location link createdAt updatedAt icalendar".split()
)


def todos(data):
    """The to-dos of an export by their titles, as another library reads them."""
    return {str(todo["SUMMARY"]): todo for todo in icalendar.Calendar.from_ical(data).walk("VTODO")}


class TaskFormats(EndToEnd):
    def imported(self, device, name, *options, code=(OK, PARTIAL)):
        return device.json("import", FIXTURES / name, *options, code=code)

    def test_each_format_is_detected_by_its_content_and_a_second_import_adds_nothing(self):
        for name, word in FILES.items():
            with self.subTest(name):
                laptop = self.device(name)
                rehearsal = self.imported(laptop, name, "--dry-run")
                self.assertEqual(laptop.items(), {})
                report = self.imported(laptop, name)
                self.assertEqual(report, rehearsal | {"run": 1})
                self.assertEqual(report["format"], word)
                self.assertGreater(report["added"], 0)
                before = laptop.run("export").bytes
                again = self.imported(laptop, name, "--format", word)
                self.assertEqual((again["added"], again["updated"]), (0, 0))
                self.assertEqual(again["unchanged"], report["added"])
                self.assertEqual(laptop.run("export").bytes, before)

    def test_two_machines_that_import_one_file_have_the_same_reminders(self):
        exports = []
        for name in ("laptop", "desktop"):
            device = self.device(name)
            self.imported(device, "taskwarrior-2.6-export.json")
            exports.append(device.run("export").bytes)
        self.assertEqual(exports[0], exports[1])

    def test_a_move_from_taskwarrior_keeps_everything(self):
        laptop = self.device("laptop")
        data = (FIXTURES / "taskwarrior-2.6-export.json").read_bytes()
        laptop.run("import", "-", stdin=data, code=PARTIAL)
        found = todos(laptop.run("export").bytes)
        milk = found["Buy milk"]
        self.assertEqual(str(milk["DUE"].dt), "2026-12-01")
        self.assertEqual([str(label) for label in milk["CATEGORIES"].cats], ["shop", "Home.Kitchen"])
        self.assertEqual(milk["PRIORITY"], 1)
        self.assertIn("ü & <b>", str(milk["DESCRIPTION"]))
        fence = found["Paint the fence"]
        self.assertEqual((str(fence["RELATED-TO"]), fence["RELATED-TO"].params["RELTYPE"]), (str(milk["UID"]), "DEPENDS-ON"))
        rent = found["Pay rent"]
        self.assertEqual(rent["RRULE"]["FREQ"], ["MONTHLY"])
        self.assertEqual(rent["DUE"].dt.isoformat(), "2026-12-01T08:00:00+01:00")
        self.assertEqual(found["Old thing"]["STATUS"], "COMPLETED")
        self.assertNotIn("Wrong thing", found)
        self.assertEqual(str(found["Call Ben about the \"roof\""]["X-TASKWARRIOR-ESTIMATE"]), "3")

    @unittest.skipUnless(shutil.which("task"), "Taskwarrior is not installed")
    def test_taskwarrior_reads_an_export_and_its_own_export_comes_back_without_a_difference(self):
        laptop, desktop = self.device("laptop"), self.device("desktop")
        original = FIXTURES / "taskwarrior-2.6-export.json"
        laptop.run("import", original, code=PARTIAL)
        laptop.run("add", "Café, \"quoted\"", "--due", "2027-02-03", "--repeat", "every 2 months", "--notes", "one\ntwo",
                   "--label", "a b", "--priority", "high")
        folder = self.folder / "task"
        folder.mkdir()
        settings = self.folder / "taskrc"
        settings.write_text(f"data.location={folder}\nconfirmation=no\nverbose=nothing\nuda.estimate.type=numeric\n")

        def task(*arguments, data=b""):
            environment = os.environ | {"TASKRC": str(settings), "TASKDATA": str(folder), "TZ": "Europe/Berlin"}
            return subprocess.run(["task", *arguments], input=data, env=environment, check=True,
                                  stdout=subprocess.PIPE, timeout=60).stdout

        def tasks(data):
            return {each["uuid"]: {name: value for name, value in each.items() if name not in ("id", "urgency")}
                    for each in json.loads(data) if each["status"] != "deleted"}

        export = laptop.run("export", "--format", "taskwarrior").bytes
        ours = tasks(export)
        theirs = tasks(original.read_bytes())
        self.assertEqual({uuid: ours[uuid] for uuid in theirs}, theirs)
        # The new reminder has a template and its first occurrence.
        self.assertEqual(len(ours), len(theirs) + 2)
        task("import", data=export)
        back = task("export")
        for uuid, members in tasks(back).items():
            # Taskwarrior adds further occurrences of a series, and counts them in the template.
            expected = ours.get(uuid, members)
            for name in expected.keys() - {"modified", "mask", "depends", "tags"}:
                self.assertEqual(members[name], expected[name], name)
        self.assertEqual(laptop.json("import", "-", stdin=back, code=(OK, PARTIAL))["added"], 0)
        desktop.run("import", "-", stdin=back, code=PARTIAL)
        keys = ("uid", "title", "notes", "due", "repeat", "status", "completedAt", "priority", "labels", "createdAt")
        reminders = [sorted([each[key] for key in keys] for each in
                            json.loads(device.run("export", "--format", "json").bytes)["reminders"])
                     for device in (laptop, desktop)]
        self.assertEqual(reminders[0], reminders[1])

    def test_a_project_for_todoist_has_rules_in_words_that_are_read_again(self):
        laptop, desktop = self.device("laptop"), self.device("desktop")
        laptop.run("add", "with an end", "--due", "2027-02-15", "--repeat", "every weekday until 2028-01-31")
        rules = ["every day", "every 2 weeks", "every month on the 15th", "every 5 months", "every 3 days after done"]
        for number, rule in enumerate(rules):
            laptop.run("add", f"all day {number}", "--due", "2027-02-15", "--repeat", rule)
            laptop.run("add", f"timed {number}", "--due", "2027-02-15 09:30", "--repeat", rule)
        project = self.folder / "Work.csv"
        laptop.run("export", "--format", "todoist-csv", "-o", project)
        rows = list(csv.DictReader(io.StringIO(project.read_text(encoding="utf-8"), newline="")))
        dates = [row["DATE"] for row in rows]
        self.assertIn("every day starting 2027-02-15", dates)
        self.assertIn("every! 3 days at 09:30 starting 2027-02-15", dates)
        desktop.run("import", project)
        keys = ("title", "due", "dueZone", "repeat", "repeatFrom")
        reminders = [sorted(([each[key] for key in keys] for each in
                             json.loads(device.run("export", "--format", "json").bytes)["reminders"]), key=str)
                     for device in (laptop, desktop)]
        self.assertEqual(reminders[0], reminders[1])

    def test_each_row_of_todoist_and_outlook_comes_back_and_an_edit_changes_one_field(self):
        def rows(text):
            return [{name: value.replace("\r\n", "\n") for name, value in row.items() if value}
                    for row in csv.DictReader(io.StringIO(text, newline="")) if any(row.values())]

        for name, form, title, field, value in (
            ("todoist-project.csv", "todoist-csv", "Stand-up", "PRIORITY", "1"),
            ("outlook-tasks.csv", "outlook-csv", "Send cards", "Priority", "High"),
        ):
            for option in ((), ("--lists",)):
                laptop = self.device(f"{form}{len(option)}")
                self.imported(laptop, name, *option)
                original = rows((FIXTURES / name).read_bytes().decode("utf-8-sig"))
                # A task without a title is no reminder.
                expected = [row for row in original if row.get("TYPE") != "task" or "CONTENT" in row]
                self.assertEqual(rows(laptop.run("export", "--format", form).bytes.decode()), expected)
                number = next(item["id"] for item in laptop.json("list") if item["title"] == title)
                laptop.run("edit", number, "--priority", "high")
                next(row for row in expected if title in row.values())[field] = value
                self.assertEqual(rows(laptop.run("export", "--format", form).bytes.decode()), expected)

    def test_each_task_of_google_comes_back_and_an_edit_changes_one_field(self):
        def lists(data):
            found = {}
            for each in json.loads(data)["items"]:
                tasks = {task["id"]: task for task in each.get("items", []) if task["title"] and not task.get("deleted")}
                if tasks:
                    found[each["id"]] = each | {"items": tasks}
            return found

        for option in ((), ("--lists",)):
            laptop = self.device(f"google{len(option)}")
            self.imported(laptop, "google-takeout.json", *option)
            expected = lists((FIXTURES / "google-takeout.json").read_bytes())
            self.assertEqual(lists(laptop.run("export", "--format", "google-json").bytes), expected)
            number = next(item["id"] for item in laptop.json("list") if item["title"] == "Bake a cake")
            laptop.run("edit", number, "--notes", "Other")
            edited = lists(laptop.run("export", "--format", "google-json").bytes)
            task = expected["MDEx"]["items"]["dGFzazE"]
            task["notes"] = "Other"
            self.assertGreater(edited["MDEx"]["items"]["dGFzazE"]["updated"], task["updated"])
            task["updated"] = edited["MDEx"]["items"]["dGFzazE"]["updated"]
            self.assertEqual(edited, expected)

    def test_a_rule_with_an_end_is_exported_for_todoist_and_a_lost_repetition_is_named(self):
        laptop, desktop = self.device("laptop"), self.device("desktop")
        laptop.run("add", "Course", "--repeat", "every tue until 2028-03-01", "--due", "2027-03-02 09:00")
        result = laptop.run("export", "--format", "todoist-csv")
        self.assertIn("every Tue at 09:00 starting 2027-03-02 until 2028-03-01", result.bytes.decode())
        self.assertEqual(result.err, "")
        for form, parts in (("outlook-csv", ("repetition", "time of day")), ("google-json", ("repetition",))):
            lines = laptop.run("export", "--format", form).err.splitlines()
            self.assertEqual(len(lines), len(parts))
            for line, part in zip(lines, parts):
                self.assertIn(f"'Course': the {part} is not in the output, because {form} cannot contain it", line)
        tasks = self.folder / "Tasks.json"
        laptop.run("export", "--format", "google-json", "-o", tasks)
        desktop.run("import", tasks, "--format", "google-json")
        self.assertEqual(desktop.json("list")[0]["due"], laptop.json("list")[0]["due"])

    def test_an_unknown_format_of_an_export_names_the_formats(self):
        result = self.device("laptop").run("export", "--format", "todoist", code=USAGE)
        self.assertIn("todotxt, taskwarrior, todoist-csv, google-json, outlook-csv, not 'todoist'", result.err)

    def test_todoist_phrases_are_read_in_english_and_others_are_reported(self):
        laptop = self.device("laptop")
        result = laptop.run("import", FIXTURES / "todoist-project.csv", code=PARTIAL)
        self.assertIn("line 13: DATE: the phrase is not English", result.err)
        found = todos(laptop.run("export").bytes)
        self.assertEqual(found["Water the plants"]["RRULE"]["BYDAY"], ["MO"])
        self.assertEqual(found["Stand-up"]["RRULE"]["BYDAY"], ["MO", "TU", "WE", "TH", "FR"])
        self.assertEqual(found["Stand-up"]["DUE"].dt.strftime("%H:%M"), "09:15")
        self.assertIn("jeden Montag", str(found["Müll rausbringen"]["DESCRIPTION"]))
        self.assertEqual(found["And the freezer"]["RELATED-TO"], found["Check the fridge"]["UID"])

    def test_json_and_back_is_the_same_store(self):
        laptop, desktop = self.device("laptop"), self.device("desktop")
        laptop.run("import", SAMPLE, "--list", "Home")
        out = self.folder / "out.json"
        laptop.run("export", "--format", "json", "-o", out)
        export = json.loads(out.read_bytes())
        objects = export["reminders"]
        self.assertEqual([each["name"] for each in export["lists"]], ["Reminders", "Home"])
        self.assertEqual({frozenset(each) for each in objects}, {frozenset(EXPORT_KEYS)})
        self.assertEqual(laptop.json("import", out)["unchanged"], len(objects))
        self.assertEqual(desktop.json("import", out)["added"], len(objects))
        blocks = [set(todo.to_ical() for todo in todos(device.run("export").bytes).values())
                  for device in (laptop, desktop)]
        self.assertEqual(blocks[0], blocks[1])
        self.assertEqual(desktop.run("export", "--format", "json").bytes, out.read_bytes())

    def test_a_table_contains_no_formula(self):
        laptop = self.device("laptop")
        titles = ["=HYPERLINK(\"https://example.org\")", "+1", "-1", "@SUM(1)", "a, \"b\"", "'=x", "plain"]
        for title in titles:
            laptop.run("add", "--due", "none", "--", title)
        data = laptop.run("export", "--format", "csv").bytes
        rows = list(csv.DictReader(io.StringIO(data.decode(), newline="")))
        self.assertEqual(len(rows), len(titles))
        for row in rows:
            self.assertFalse(any(field[:1] in ("=", "+", "-", "@", "\t", "\r") for field in row.values() if field), row)
        desktop = self.device("desktop")
        desktop.run("import", "-", stdin=data)
        self.assertEqual(sorted(item["title"] for item in desktop.json("list")), sorted(titles))

    def test_a_checklist_is_for_people(self):
        laptop = self.device("laptop")
        laptop.run("add", "Buy *milk* <b>", "--due", "2027-05-31", "--repeat", "weekly", "--label", "a_b")
        laptop.run("add", "Done", "--due", "none")
        laptop.run("done", next(item["id"] for item in laptop.json("list") if item["title"] == "Done"))
        text = laptop.run("export", "--format", "markdown").out
        self.assertIn("- [ ] Buy \\*milk\\* \\<b\\> (due 2027-05-31; repeats every week; labels a\\_b)\n", text)
        self.assertIn("- [x] Done", text)
        self.assertNotIn("Done", laptop.run("export", "--format", "markdown", "--open").out)
        self.assertNotIn("milk", laptop.run("export", "--format", "markdown", "--completed").out)

    def test_events_become_reminders_on_request(self):
        laptop = self.device("laptop")
        data = (b"BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:x\r\nBEGIN:VEVENT\r\nUID:e\r\nDTSTAMP:20260101T000000Z\r\n"
                b"DTSTART:20270105T090000Z\r\nDTEND:20270105T100000Z\r\nSUMMARY:Dentist\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n")
        result = laptop.run("import", "-", stdin=data)
        self.assertIn("--events", result.err)
        self.assertEqual(laptop.items(), {})
        laptop.run("import", "-", "--events", stdin=data)
        self.assertEqual([item["due"] for item in laptop.json("list")], ["2027-01-05T09:00:00Z"])

    def test_wrong_arguments_and_wrong_files_are_reported(self):
        laptop = self.device("laptop")
        laptop.run("import", FIXTURES / "outlook-tasks.csv", "--format", "excel", code=USAGE)
        laptop.run("import", FIXTURES / "outlook-tasks.csv", "--format", "taskwarrior", code=FAILURE)
        laptop.run("import", "-", stdin="[{\"a\": 1}]", code=FAILURE)
        laptop.run("import", "-", stdin="[{\"uuid\": \"1\", \"description\": \"a\"", code=FAILURE)
        laptop.run("import", "-", stdin=b"\xff\xfeT", code=FAILURE)
        laptop.run("export", "--format", "xml", code=USAGE)
        laptop.run("export", "--open", "--completed", code=USAGE)
        laptop.run("export", "--format", "csv", "--style", "event", code=USAGE)
        self.assertEqual(laptop.items(), {})

    def test_hostile_files_are_read_or_refused_at_once(self):
        laptop = self.device("laptop")
        million = 1_000_000
        texts = {
            "deep": "[" * million, "deep object": "{\"description\":" * million, "quotes": "TYPE,CONTENT,INDENT\n" + "\"a,b\n" * million,
            "wide": "TYPE,CONTENT,INDENT" + "," * (8 * million), "one field": "TYPE,CONTENT,INDENT\ntask," + "x" * (8 * million) + ",1\n",
            "broken": "[" + "{\"uuid\":{,\n" * million + "]", "numbers": "[" + "1," * million + "1]",
            "escape": "[{\"uuid\":\"1\",\"description\":\"\\u001b]0;x\\u0007\\u202e\",\"status\":\"pending\"}]",
        }
        for name, text in texts.items():
            with self.subTest(name):
                started = time.monotonic()
                result = laptop.run("import", "-", "--dry-run", stdin=text, code=(OK, PARTIAL, FAILURE))
                self.assertLess(time.monotonic() - started, 60)
                self.assertNotIn("\x1b", result.out + result.err)


if __name__ == "__main__":
    unittest.main()

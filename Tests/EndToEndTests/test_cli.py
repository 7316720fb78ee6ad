"""The command line: the output and exit code of each command, and the locations of files."""

import os
import sqlite3
import stat
import subprocess
import threading
import unittest
from datetime import datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

from harness import (
    BINARY, FAILURE, LIST_KEYS, NOT_FOUND, SAMPLE, SHOW_KEYS, SYNC_KEYS, USAGE, EndToEnd, ics, simple, smoke,
)
from servers import Radicale

COMMANDS = (
    "import export list search stats show add edit done undone snooze delete alarms account lists sync conflicts feed "
    "serve ics".split()
)


@smoke
class Commands(EndToEnd):
    def setUp(self):
        super().setUp()
        self.laptop = self.device("laptop")

    def added(self, *arguments):
        return self.laptop.json("add", *arguments)

    def shown(self, identifier):
        return self.laptop.json("show", str(identifier))

    def test_help_names_every_command_and_each_has_a_page(self):
        overview = self.laptop.run("help", "--all").out
        for command in COMMANDS:
            self.assertRegex(overview, rf"(?m)^\s+{command}\b")
            page = self.laptop.run(command, "--help")
            self.assertIn(command, page.out)
            self.assertEqual(page.err, "")

    def test_wrong_usage_is_reported_on_standard_error_with_its_own_code(self):
        for arguments in (["nonsense"], ["add"], ["list", "--section", "someday"], ["snooze", "1", "7x"],
                          ["add", "x", "--priority", "urgent"], ["add", "x", "--due", "whenever"], ["import"],
                          ["list", "--no-such-option"], ["add", "x", "--repeat", "FREQ=SOMETIMES"]):
            with self.subTest(" ".join(arguments)):
                result = self.laptop.run(*arguments, code=USAGE)
                self.assertEqual(result.out, "")
                self.assertNotEqual(result.err, "")

    def test_a_missing_item_has_its_own_code(self):
        for arguments in (["show", "999"], ["edit", "999", "--title", "x"], ["done", "999"], ["snooze", "999", "1h"],
                          ["delete", "999", "--yes"], ["feed", "revoke", "999"], ["list", "--list", "Nowhere"],
                          ["account", "remove", "nobody", "--yes"]):
            with self.subTest(" ".join(arguments)):
                self.assert_complaint(self.laptop.run(*arguments, code=None), NOT_FOUND)

    def test_an_empty_store_lists_nothing_and_that_is_no_error(self):
        self.assertEqual(self.laptop.json("list"), [])
        self.assertEqual(self.laptop.json("conflicts"), [])
        self.laptop.run("list")

    def test_a_listed_reminder_has_exactly_the_documented_keys(self):
        self.added("Everything", "--notes", "n", "--due", "2035-03-01 10:00", "--repeat", "weekly", "--label", "A",
                   "--label", "B", "--priority", "medium")
        entry = self.laptop.json("list", "--all")[0]
        self.assertEqual(set(entry), LIST_KEYS)
        self.assertEqual((entry["title"], entry["notes"], entry["status"], entry["priority"]),
                         ("Everything", "n", "pending", "medium"))
        self.assertEqual((entry["due"], entry["dueZone"], entry["allDay"]),
                         ("2035-03-01T10:00:00+01:00", "Europe/Berlin", False))
        self.assertEqual(sorted(entry["labels"]), ["A", "B"])
        self.assertIn("FREQ=WEEKLY", entry["repeat"])
        self.assertEqual((entry["section"], entry["overdue"]), ("upcoming", False))
        self.assertIsNone(entry["completedAt"])
        self.assertIsNone(entry["snoozedUntil"])
        shown = self.shown(entry["id"])
        self.assertEqual(set(shown), LIST_KEYS | SHOW_KEYS)
        self.assertEqual({key: shown[key] for key in LIST_KEYS}, entry)

    def test_a_reminder_without_a_date_is_due_tomorrow_at_nine(self):
        entry = self.added("Plain")
        tomorrow = datetime.now(ZoneInfo("Europe/Berlin")).date() + timedelta(days=1)
        self.assertTrue(entry["due"].startswith(f"{tomorrow}T09:00:00+"), entry["due"])

    def test_a_date_without_a_time_is_a_whole_day(self):
        entry = self.added("Day", "--due", "2035-12-01")
        self.assertEqual((entry["due"], entry["allDay"], entry["dueZone"]), ("2035-12-01", True, None))

    def test_a_title_contains_the_other_fields_unless_it_is_literal(self):
        self.added("Plain")  # with which the list comes
        entry = self.added("Call Ben 2035-12-03 9am #home !high every monday @reminders")
        self.assertEqual((entry["title"], entry["due"], entry["repeat"], entry["labels"], entry["priority"], entry["list"]),
                         ("Call Ben", "2035-12-03T09:00:00+01:00", "FREQ=WEEKLY;BYDAY=MO", ["home"], "high", "Reminders"))
        for title in ("Read 1984", "Buy 5 apples on sale", "May's birthday", "Read John 3:16", "Fix #1 @nobody", "Tomorrow"):
            self.assertEqual(self.added(title)["title"], title)
        self.assertEqual(self.added("Call Ben tomorrow #home", "--literal")["title"], "Call Ben tomorrow #home")
        self.assertIn("'tomorrow', '#home'", self.laptop.run("add", "Call Ann tomorrow #home").out)

    def test_dates_in_all_documented_forms(self):
        today = datetime.now(ZoneInfo("Europe/Berlin")).date()
        for form, expected in (
            ("2035-07-01 08:05", "2035-07-01T08:05:00+02:00"), ("2035-07-01T08:05:00Z", "2035-07-01T08:05:00"),
            ("2035-07-01T08:05:00+05:00", "2035-07-01T"), ("today", str(today)), ("tomorrow", str(today + timedelta(1))),
            ("tomorrow 18:30", f"{today + timedelta(1)}T18:30:00"),
        ):
            with self.subTest(form):
                self.assertTrue(self.added("x", "--due", form)["due"].startswith(expected))
        instant = datetime.fromisoformat(self.added("x", "--due", "2035-07-01T08:05:00+05:00")["due"])
        self.assertEqual(instant, datetime.fromisoformat("2035-07-01T08:05:00+05:00"))

    def test_edit_changes_the_given_fields_and_none_clears(self):
        identifier = str(self.added("Old", "--notes", "n", "--due", "2035-03-01 10:00", "--label", "A",
                                    "--priority", "high", "--repeat", "daily")["id"])
        self.laptop.run("edit", identifier, "--title", "New")
        entry = self.shown(identifier)
        self.assertEqual((entry["title"], entry["notes"], entry["priority"]), ("New", "n", "high"))
        self.laptop.run("edit", identifier, "--notes", "none", "--label", "none", "--priority", "none",
                        "--repeat", "none")
        self.laptop.run("edit", identifier, "--due", "none")
        entry = self.shown(identifier)
        self.assertEqual((entry["notes"], entry["due"], entry["labels"], entry["priority"], entry["repeat"]),
                         (None, None, [], "none", None))

    def test_done_and_undone(self):
        identifier = str(self.added("Once")["id"])
        self.laptop.run("done", identifier)
        entry = self.shown(identifier)
        self.assertEqual((entry["status"], entry["section"]), ("completed", "completed"))
        self.assertIsNotNone(entry["completedAt"])
        self.assertEqual(self.laptop.json("list"), [], "what is done is not listed unless asked for")
        self.assertEqual(len(self.laptop.json("list", "--section", "completed")), 1)
        self.laptop.run("undone", identifier)
        entry = self.shown(identifier)
        self.assertEqual((entry["status"], entry["completedAt"]), ("pending", None))

    def test_done_advances_a_repeating_reminder(self):
        identifier = str(self.added("Again", "--due", "2035-03-01 10:00", "--repeat", "daily")["id"])
        self.laptop.run("done", identifier)
        open_ones = [entry for entry in self.laptop.json("list", "--all") if entry["status"] != "completed"]
        self.assertEqual([(entry["title"], entry["due"]) for entry in open_ones],
                         [("Again", "2035-03-02T10:00:00+01:00")])

    def test_snooze_keeps_the_due_time(self):
        before = self.added("Later", "--due", "2035-03-01 10:00")
        for delay, minutes in (("5m", 5), ("15m", 15), ("30m", 30), ("1h", 60), ("in 2 hours", 120), ("45m", 45)):
            self.laptop.run("snooze", str(before["id"]), *delay.split())
            entry = self.shown(before["id"])
            until = datetime.fromisoformat(entry["snoozedUntil"])
            ahead = until - datetime.now(until.tzinfo)
            self.assertLess(abs(ahead - timedelta(minutes=minutes)), timedelta(seconds=61))
            self.assertEqual(entry["due"], before["due"])

    def test_alarms_are_the_future_ones_of_open_reminders(self):
        self.added("Later", "--due", "2035-03-01 10:00", "--notes", "line one\nline two")
        again = self.added("Again", "--due", "2035-02-01 10:00", "--repeat", "daily")
        self.added("Whole day", "--due", "2035-03-02")
        self.added("No date", "--due", "none")
        done = self.added("Done", "--due", "2035-01-01 10:00")
        self.laptop.run("done", str(done["id"]))
        alarms = self.laptop.json("alarms")
        self.assertEqual([(alarm["title"], alarm["fires"], alarm["cause"]) for alarm in alarms],
                         [("Again", "2035-02-01T09:00:00Z", "alarm"), ("Later", "2035-03-01T09:00:00Z", "alarm"),
                          ("Whole day", "2035-03-02T08:00:00Z", "alarm")])
        self.assertEqual({alarm["category"] for alarm in alarms}, {"REMINDER_CATEGORY"})
        self.assertEqual([alarm["notes"] for alarm in alarms], [None, "line one\nline two", None])
        self.assertEqual(len({alarm["id"] for alarm in alarms}), 3)
        self.laptop.run("done", str(again["id"]))
        self.assertEqual(self.laptop.json("alarms")[0]["fires"], "2035-02-02T09:00:00Z")
        self.laptop.run("snooze", str(again["id"]), "1h")
        self.assertEqual(self.laptop.json("alarms")[0]["cause"], "snooze")
        self.assertEqual([alarm["title"] for alarm in self.laptop.json("alarms", "--until", "2035-03-01 10:00")],
                         ["Again", "Later"])
        self.laptop.run("alarms", "--until", "2020-01-01", code=USAGE)
        self.laptop.run("alarms", "--list", "None", code=NOT_FOUND)

    def test_delete_asks_and_without_a_terminal_refuses(self):
        identifier = str(self.added("Stay")["id"])
        self.laptop.run("delete", identifier, code=USAGE)
        self.assertEqual(len(self.laptop.json("list")), 1)
        self.laptop.run("delete", identifier, "--yes")
        self.assertEqual(self.laptop.json("list", "--all"), [])

    def test_a_reminder_that_starts_later_is_hidden_until_its_start(self):
        self.added("Report", "--start", "in 2 days", "--due", "in 9 days")
        self.added("Milk", "--due", "tomorrow")
        listed = self.laptop.run("list")
        self.assertNotIn("Report", listed.out)
        self.assertEqual(listed.err, "1 reminder starts later and is hidden (--not-started).\n")
        self.assertEqual([item["title"] for item in self.laptop.json("list")], ["Milk"])
        for options in (["--not-started"], ["--all"], ["--text", "report"]):
            found = [item for item in self.laptop.json("list", *options) if item["title"] == "Report"]
            self.assertEqual([item["startsLater"] for item in found], [True], options)
        self.assertIn("1 starts later: 'remindav list --not-started'.", self.laptop.run().out)

    def test_lists_and_labels_narrow_a_listing(self):
        self.laptop.run("lists", "add", "Work")
        self.laptop.run("lists", "add", "Home", "--color", "#112233")
        self.added("a", "--list", "Work", "--label", "X")
        self.added("b", "--list", "Work", "--label", "X", "--label", "Y")
        self.added("c", "--list", "Home", "--label", "X")
        titles = lambda *options: sorted(entry["title"] for entry in self.laptop.json("list", *options))
        self.assertEqual(titles("--list", "Work"), ["a", "b"])
        self.assertEqual(titles("--label", "X"), ["a", "b", "c"])
        self.assertEqual(titles("--list", "Work", "--label", "Y"), ["b"])
        self.assertLessEqual({"Work", "Home"}, {entry["name"] for entry in self.laptop.json("lists")})

    def test_names_are_checked_without_reading_their_content(self):
        self.laptop.run("lists", "add", "Work")
        self.added("a", "--list", "Work", "--label", "X")
        # The lookup of a list name must not read accounts, and the lookup of a found label must not read the table of labels.
        connection = sqlite3.connect(self.laptop.database())
        try:
            connection.execute("ALTER TABLE account RENAME COLUMN name TO other_name")
            connection.execute("ALTER TABLE label RENAME TO other_label")
        finally:
            connection.close()
        self.assertEqual(len(self.laptop.json("list", "--list", "work", "--label", "x")), 1)
        self.assertIn("Did you mean 'Work'?", self.laptop.run("list", "--list", "Wrok", code=NOT_FOUND).err)
        self.assertEqual(self.added("b @work")["list"], "Work")
        self.laptop.run("list", "--label", "Y", code=FAILURE)

    def test_ics_check_and_format(self):
        good = ics(["UID:a", "DTSTAMP:20260101T000000Z", "SUMMARY:x"])
        self.assertEqual(self.laptop.json("ics", "check", self.write("good.ics", good)), [])
        bad = good.replace(b"SUMMARY:x", b"SUMMARY x")
        found = self.laptop.run("ics", "check", self.write("bad.ics", bad), "--json", code=None).json
        self.assertEqual(set(found[0]), {"line", "code", "severity", "message", "subject", "advice", "more"})
        self.assertEqual(found[0]["line"], 7)
        loose = good.replace(b"\r\n", b"\n").replace(b"SUMMARY:x", b"summary:" + b"long " * 40)
        formatted = self.laptop.run("ics", "format", self.write("loose.ics", loose)).bytes
        self.assertTrue(all(len(line) <= 75 for line in formatted.split(b"\r\n")))
        self.assertNotIn(b"\n", formatted.replace(b"\r\n", b""))
        again = self.laptop.run("ics", "format", "-", stdin=formatted).bytes
        self.assertEqual(again, formatted, "formatting what is formatted changes nothing")

    def test_control_characters_of_a_title_do_not_reach_the_terminal(self):
        nasty = ics(["UID:n", "DTSTAMP:20260101T000000Z", "SUMMARY:a\x1b]0;owned\x07b\u009b31m\u202e"])
        self.laptop.run("import", "-", stdin=nasty, code=None)
        out = self.laptop.run("list", "--all").out
        self.assertNotRegex(out, "[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")

    def test_it_works_in_any_locale_and_zone(self):
        for environment in ({"LC_ALL": "C"}, {"LC_ALL": "tr_TR.UTF-8"}, {"LC_ALL": ""}, {"TZ": "Asia/Kathmandu"}, {"TZ": ""}):
            with self.subTest(str(environment)):
                self.laptop.run("add", "Größe 牛乳", environment=environment)
                self.assertIn("Größe 牛乳", self.laptop.run("list", environment=environment).out)

    def test_there_is_no_colour_where_there_is_no_terminal(self):
        self.added("One")
        self.assertNotIn("\x1b", self.laptop.run("list").out)


class Places(EndToEnd):
    def setUp(self):
        super().setUp()
        self.laptop = self.device("laptop")

    def modes(self, folder):
        return {path: stat.S_IMODE(path.lstat().st_mode) for path in [folder, *folder.rglob("*")]}

    def test_two_simultaneous_first_uses_create_one_store(self):
        for round in range(15):
            device = self.device(f"first{round}")
            started = [device.start("add", title, "--quiet") for title in ("one", "two", "three")]
            self.assertEqual([process.wait(60) for process in started], [0, 0, 0])
            self.assertEqual(sorted(item["title"] for item in device.json("list")), ["one", "three", "two"])
            self.assertEqual(len(device.json("lists")), 1)

    def test_files_are_for_their_owner_alone_with_any_umask(self):
        self.laptop.run("add", "Secret", umask=0)
        for path, mode in self.modes(self.laptop.store).items():
            self.assertEqual(mode, 0o700 if path.is_dir() else 0o600, path)

    def test_the_default_place_is_the_data_folder_of_the_user(self):
        del self.laptop.environment["XDG_DATA_HOME"]
        self.laptop.run("add", "Here")
        self.assertTrue((self.laptop.home / ".local" / "share" / "remindav").is_dir())
        elsewhere = self.laptop.folder / "data"
        self.laptop.environment["XDG_DATA_HOME"] = str(elsewhere)
        self.assertEqual(self.laptop.json("list"), [])
        self.assertFalse(elsewhere.exists())
        self.laptop.run("add", "There")
        self.assertTrue((elsewhere / "remindav").is_dir())

    def test_an_option_takes_precedence_over_the_environment(self):
        other = self.laptop.folder / "other"
        made = self.laptop.run("add", "There", "--store", other)
        self.assertIn(str(other), made.err, "a new store is reported")
        self.laptop.environment["REMINDAV_STORE"] = str(self.laptop.folder / "named")
        self.laptop.run("add", "Here")
        self.assertEqual([item["title"] for item in self.laptop.json("list")], ["Here"])
        again = self.laptop.run("list", "--json", "--store", other)
        self.assertEqual([item["title"] for item in again.json], ["There"])
        self.assertEqual(again.err, "")

    def test_a_named_folder_without_a_store_is_an_error_and_nothing_is_created(self):
        backup = self.write("backup.ics", simple(1))
        typo = self.laptop.folder / "typo" / "remindav"
        for environment, option in (({"REMINDAV_STORE": str(typo)}, ()), ({}, ("--store", typo))):
            for words in (("list",), ("show", "1"), ("search", "x"), ("sync",), ("export", "-o", backup, "--yes")):
                result = self.laptop.run(*words, *option, environment=environment, code=FAILURE)
                self.assert_complaint(result, FAILURE, "there is no store in this folder", "add")
        self.assertFalse(typo.parent.exists())
        # On a new machine no folder is configured.
        self.assertIn("Add your first reminder", self.laptop.run("list").out)
        self.laptop.run("export", "-o", backup, code=FAILURE)
        self.assertFalse(self.laptop.store.exists())
        self.assertEqual(backup.read_bytes(), simple(1))

    def test_an_empty_store_file_stays_unchanged(self):
        self.laptop.run("add", "Here")
        database = self.laptop.store / "reminders.db"
        database.write_bytes(b"")
        for words in (("list",), ("add", "There"), ("import", SAMPLE), ("doctor",)):
            result = self.laptop.run(*words, code=FAILURE)
            self.assertRegex(result.out + result.err, "is empty: its content is lost. Replace it with a backup")
        self.assertEqual(database.read_bytes(), b"")
        database.unlink()
        self.laptop.run("add", "Anew")

    def test_arguments_that_are_not_utf_8_are_refused(self):
        process = subprocess.run([bytes(BINARY), b"add", b"K\xe4se"], env=self.laptop.environment, capture_output=True)
        self.assertEqual(process.returncode, USAGE)
        self.assertRegex(process.stderr.decode(), "^remindav: Word 2 of the command line is not in UTF-8 .*Write it in UTF-8")
        self.assertFalse(self.laptop.store.exists())

    def test_nothing_is_written_outside_the_store(self):
        self.laptop.run("add", "Here")
        self.laptop.run("list")
        self.assertEqual(list(self.laptop.home.rglob("*")), [])

    def test_a_setting_is_written_privately_and_a_link_or_a_read_only_file_stays(self):
        file = self.laptop.home / ".config" / "remindav" / "config"
        self.laptop.run("config", "set", "due-time", "08:30")
        self.assertEqual(file.read_text(), "due-time = 08:30\n")
        self.assertEqual((stat.S_IMODE(file.stat().st_mode), stat.S_IMODE(file.parent.stat().st_mode)), (0o600, 0o700))
        target = self.folder / "dotfiles"
        target.write_bytes(b"# mine\r\nport = 1\r\n")
        target.chmod(0o640)
        file.unlink()
        file.symlink_to(target)
        self.laptop.run("config", "set", "port", "9000")
        self.assertEqual((target.read_bytes(), file.is_symlink()), (b"# mine\r\nport = 9000\r\n", True))
        self.assertEqual(stat.S_IMODE(target.stat().st_mode), 0o640)
        self.assertEqual(self.laptop.run("config", "get", "port").out, "9000\n")
        target.unlink()
        refused = self.laptop.run("config", "set", "port", "9001", code=1)
        self.assertIn("it is a link to a file that does not exist", refused.err)
        refused = self.laptop.run("--config", "/dev/null", "config", "set", "port", "9001", code=1)
        self.assertIn("it is not a regular file", refused.err)


class Secrets(EndToEnd):
    CANARY = "canary-1f0c-9d27"

    def setUp(self):
        super().setUp()
        self.server = Radicale()
        self.server.password = self.CANARY
        self.serve(self.server)
        self.laptop = self.device("laptop")
        self.said = []
        self.seen = set()
        self.watching = True
        self.watcher = threading.Thread(target=self.watch, daemon=True)
        self.watcher.start()
        self.addCleanup(self.stop_watching)

    def watch(self):
        """Searches for the password in the arguments and environment of every readable process."""
        while self.watching:
            for process in Path("/proc").iterdir():
                if process.name.isdigit() and int(process.name) != os.getpid():
                    for name in ("cmdline", "environ"):
                        try:
                            if self.CANARY.encode() in (process / name).read_bytes():
                                self.seen.add((name, (process / "cmdline").read_bytes()))
                        except OSError:
                            pass
            threading.Event().wait(0.002)

    def stop_watching(self):
        self.watching = False
        self.watcher.join()

    def use(self, *arguments, **options):
        result = self.laptop.run(*arguments, **options)
        self.said.append(result.out + result.err)
        return result

    def play(self):
        self.use("import", "-", "--list", "Reminders", stdin=ics(["UID:a", "DTSTAMP:20260101T000000Z", "SUMMARY:x"]))
        self.use("lists", "add", "Reminders", "--account", self.laptop.json("account", "list")[0]["name"])
        self.use("sync", "--json")
        self.use("account", "list")
        self.use("lists", "--json")
        self.use("export")
        self.server.halt()
        self.use("sync", code=None)
        self.server.start()

    def files_with_the_password(self):
        return [path for path in self.laptop.folder.rglob("*") if path.is_file() and self.CANARY.encode() in path.read_bytes()]

    def test_a_password_from_standard_input_is_in_one_file_of_its_own_and_nowhere_else(self):
        self.use("account", "add", self.server.url, "--user", "user", "--password-stdin",
                 stdin=self.CANARY + "\n")
        self.play()
        self.stop_watching()
        self.assertEqual(self.seen, set(), "in the arguments or the environment of a process")
        self.assertNotIn(self.CANARY, "".join(self.said))
        found = self.files_with_the_password()
        self.assertLessEqual(len(found), 1, found)
        for path in found:
            self.assertNotEqual(path, self.laptop.database(), "the database gets backed up and copied")
            self.assertEqual(stat.S_IMODE(path.stat().st_mode), 0o600)

    def test_a_password_command_leaves_no_copy(self):
        keeper = self.folder / "keeper"
        keeper.write_text(self.CANARY + "\n")
        self.use("account", "add", self.server.url, "--user", "user", "--password-command", f"cat {keeper}")
        self.play()
        self.stop_watching()
        self.assertEqual(self.seen, set())
        self.assertNotIn(self.CANARY, "".join(self.said))
        self.assertEqual(self.files_with_the_password(), [])

    def test_sync_reports_each_list_with_the_documented_keys(self):
        self.use("account", "add", self.server.url, "--user", "user", "--password-stdin",
                 stdin=self.CANARY + "\n")
        self.use("import", "-", "--list", "Reminders", stdin=ics(["UID:a", "DTSTAMP:20260101T000000Z", "SUMMARY:x"]))
        self.use("lists", "add", "Reminders", "--account", self.laptop.json("account", "list")[0]["name"])
        report = self.laptop.sync()
        self.assertEqual(len(report), 1)
        self.assertLessEqual(SYNC_KEYS, set(report[0]))
        self.assertEqual(report[0]["pushed"], 1)

    def test_a_password_in_an_address_is_not_repeated(self):
        address = self.server.url.replace("http://", f"http://user:{self.CANARY}@")
        self.use("account", "add", address, "--user", "user", "--password-stdin", stdin=self.CANARY + "\n", code=None)
        self.use("account", "list", code=None)
        self.assertNotIn(self.CANARY, "".join(self.said))


if __name__ == "__main__":
    unittest.main()

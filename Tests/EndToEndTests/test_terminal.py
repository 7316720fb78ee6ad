"""Titles made to hurt a terminal: every command that shows them is run with each of its ways to say things, and no byte
that a terminal would act on comes through."""

import json
import unittest

from harness import FAILURE, OK, PARTIAL, USAGE, EndToEnd, ics
from servers import Radicale
from story import Scene
from terminal import active, on_terminal, titles

# Every way to print the content of a store, each with its other permitted exit codes.
SHOWN = [
    ("list", "--all"), ("list", "--all", "--json"), ("list", "--section", "today"), ("list", "--label", "none such"),
    ("alarms",), ("alarms", "--json"), ("labels",), ("labels", "--json"), ("lists",), ("lists", "--json"),
    ("log",), ("log", "--json"), ("log", "--run", "1"), ("log", "--run", "1", "--json"), ("trash",), ("trash", "--json"),
    ("conflicts",), ("conflicts", "--all", "--json"), ("undo", "--dry-run"), ("undo", "--dry-run", "--json"),
    ("account", "list"), ("account", "list", "--json"), ("feed", "list"), ("feed", "list", "--json"),
    ("export", "--format", "json"), ("export", "--format", "markdown"),
    ("search", "x", "--all"), ("search", "x", "--all", "--json"), ("search", "x", "--label", "none such"),
    ("stats",), ("stats", "--json"), ("doctor",), ("doctor", "--json"), ("config",), ("config", "--json"),
    *(("__complete", shell, "--", *words, "") for shell in ("bash", "zsh", "fish")
      for words in (("show",), ("undone",), ("list", "--label"), ("list", "--list"), ("undo",), ("trash", "restore"))),
]
# The content of files is for programs: unchanged in a pipe, and escaped on a terminal.
FILES = [("export",), ("export", "--format", "csv"), ("export", "--style", "event"), ("ics", "format", "titles.ics")]


def todos(rows):
    """Each title as title, notes, label, place and UID; line ends are escaped as in iCalendar."""
    text = b"BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//made//titles//EN\r\n"
    for number, title in enumerate(rows):
        value = title
        for raw, escaped in ((b"\\", b"\\\\"), (b",", b"\\,"), (b";", b"\\;"), (b"\n", b"\\n")):
            value = value.replace(raw, escaped)
        folded = b"\r\n ".join(value[start:start + 60] for start in range(0, max(len(value), 1), 60))
        day = 1 + number % 28
        text += (
            b"BEGIN:VTODO\r\nUID:hostile-%d-%s\r\nDTSTAMP:20260101T000000Z\r\nSUMMARY:%s\r\nDESCRIPTION:%s\r\n"
            b"CATEGORIES:%s\r\nLOCATION:%s\r\nDUE;TZID=%s:203001%02dT090000\r\nX-OTHER;X-P=\"%s\":%s\r\nEND:VTODO\r\n"
            % (number, folded[:20].split(b"\r")[0], folded, folded, folded, folded,
               b"Europe/Berlin", day, value[:20].replace(b'"', b"'"), folded)
        )
    return text + b"END:VCALENDAR\r\n"


def see(test, device, *arguments):
    """Runs a command with a pipe and on a terminal; returns the output of the pipe."""
    piped = device.run(*arguments, code=None)
    for what, shown in (("standard output", piped.bytes), ("standard error", piped.err.encode())):
        test.assertIsNone(active(shown), f"{what} of {arguments}")
    see_on_terminal(test, device, *arguments)
    return piped


def see_on_terminal(test, device, *arguments, **options):
    """Runs a command on a terminal; returns the output."""
    code, shown = on_terminal(device, *arguments, **options)
    test.assertIsNone(active(shown), f"terminal of {arguments}")
    test.assertIn(code, range(10), f"{arguments}: {shown[-300:]!r}")
    return shown


class Terminals(EndToEnd):
    def setUp(self):
        super().setUp()
        self.titles = titles()
        self.assertGreaterEqual(len(set(self.titles)), 400)
        self.device_ = self.device("laptop")

    def see(self, *arguments, code=None):
        piped = see(self, self.device_, *arguments)
        if code is not None:
            self.assertIn(piped.code, code if isinstance(code, tuple) else (code,), repr(piped))
        return piped

    def see_on_terminal(self, *arguments, **options):
        return see_on_terminal(self, self.device_, *arguments, **options)

    def load(self):
        """Imports all of them; messages about unreadable lines quote the lines."""
        self.path = self.device_.folder / "titles.ics"
        self.path.write_bytes(todos(self.titles))
        self.see_on_terminal("import", "--dry-run", "titles.ics")
        self.see("import", "titles.ics", code=(OK, PARTIAL))
        self.assertEqual(len(self.device_.json("list", "--all")), len(self.titles))

    def test_the_content_of_the_store_is_harmless_in_every_output(self):
        self.load()
        identifiers = [str(one["id"]) for one in self.device_.json("list", "--all")]
        gone = identifiers[::20]
        for identifier in gone:
            self.see_on_terminal("delete", identifier, answer=b"y\n")
        self.see("delete", "--yes", *identifiers[1::40])
        self.see("done", *identifiers[2::40])
        self.see("undone", *identifiers[2::40])
        self.see("snooze", identifiers[3], "1h")
        self.see("labels", "delete", "x", "--yes")
        for arguments in SHOWN:
            result = self.see(*arguments)
            if "--json" in arguments or "json" in arguments:
                if result.code == OK:
                    json.loads(result.out)
                self.assertTrue(all(byte >= 0x20 or byte == 0x0A for byte in result.bytes), arguments)
        for identifier in set(identifiers[4::3]) - set(gone):
            piped = self.device_.run("show", identifier, code=None)
            self.assertIsNone(active(piped.bytes + piped.err.encode()), f"show {identifier}")
        for identifier in identifiers[4::24]:
            self.see_on_terminal("show", identifier)
            self.see("show", identifier, "--json")
        self.see_on_terminal("undo", answer=b"n\n")
        for arguments in FILES:
            self.see_on_terminal(*arguments)
        # In a pipe every byte is unchanged.
        self.assertTrue(b"\x1b]52\\;c\\;" in self.device_.run("export").bytes)

    def test_the_content_of_files_is_harmless_in_every_output(self):
        self.path = self.device_.folder / "titles.ics"
        self.path.write_bytes(todos(self.titles))
        other = self.device_.folder / "other.ics"
        other.write_bytes(todos(reversed(self.titles)))
        for arguments in (("ics", "check", "titles.ics"), ("ics", "check", "titles.ics", "--json"),
                          ("ics", "diff", "titles.ics", "other.ics"),
                          ("ics", "diff", "titles.ics", "other.ics", "--json"),
                          ("ics", "expand", "titles.ics", "--from", "2030-01-01", "--to", "2030-02-01"),
                          ("ics", "expand", "titles.ics", "--from", "2030-01-01", "--to", "2030-02-01", "--json")):
            self.see(*arguments, code=(OK, FAILURE, USAGE, PARTIAL))
        for target in ("jcal", "json", "event"):
            self.see_on_terminal("ics", "convert", "titles.ics", "--to", target)
        # Each separately: as an invalid line, and as the name of every part of a line.
        for start in range(0, len(self.titles), 40):
            lines = b"".join(
                b"%s\r\nX-%s;P=%s:v\r\nDUE:%s\r\nRRULE:%s\r\nDUE;TZID=\"%s\":20300101T090000\r\n" % (one, one, one, one, one, one)
                for one in (title.replace(b"\n", b"").replace(b"\r", b"") for title in self.titles[start:start + 40]))
            self.path.write_bytes(ics(["UID:a", "SUMMARY:a"]).replace(b"SUMMARY:a\r\n", b"SUMMARY:a\r\n" + lines))
            self.see("ics", "check", "titles.ics")
            self.see("import", "titles.ics", "--dry-run")

    def test_quoted_arguments_are_harmless_in_the_output(self):
        self.device_.run("add", "One")
        words = [title for title in self.titles if b"\x00" not in title and title and len(title) < 4000]
        for number, word in enumerate(words[::3]):
            forms = [
                (word,), ("show", word), ("list", "--list", word), ("list", "--label", word), ("edit", "1", "--due", word),
                ("edit", "1", "--repeat", word), ("edit", "1", "--priority", word), ("snooze", "1", word),
                ("labels", "rename", word, "x"), ("labels", "recolor", "x", word), ("lists", "rename", word, "x"),
                ("import", word), ("ics", "check", word), ("--store", b"/nonexistent/" + word, "list"), ("list", b"--" + word),
                ("account", "remove", word, "--yes"), ("export", "--format", word), ("help", word),
                ("undo", word), ("trash", "restore", word), ("feed", "revoke", word), ("list", "--section", word),
                ("expand", "--dtstart", word, "--rrule", word), ("account", "set", word, "--timeout", "1"),
                ("search", word), ("search", "One", "--list", word), ("search", "One", "--label", word),
                ("stats", "--list", word), ("stats", word), ("doctor", word), ("config", word),
                ("--config", b"/nonexistent/" + word, "config"),
                *(("__complete", shell, "--", "list", word) for shell in ("bash", "zsh", "fish")),
            ]
            arguments = forms[number % len(forms)]
            with self.subTest(arguments=arguments):
                code, shown = on_terminal(self.device_, *arguments)
                self.assertIsNone(active(shown), f"{arguments}")
                self.assertIn(code, range(10), f"{arguments}: {shown!r}")


class Conflicts(Scene, EndToEnd):
    make_server = Radicale

    def test_both_sides_of_a_conflict_are_harmless(self):
        self.share()
        rows = [title for title in titles() if b"\x00" not in title and 0 < len(title) < 200]
        uids = sorted(one["uid"] for one in self.laptop.json("list") if not one["repeat"])
        self.assertGreater(len(uids), 10)
        for device, step in ((self.laptop, 7), (self.desk, 11)):
            for number, uid in enumerate(uids):
                title = rows[number * step % len(rows)]
                device.run("edit", device.id_of(uid), "--title", title, code=(OK, USAGE))
        self.laptop.sync()
        self.desk.sync()
        conflicts = self.desk.json("conflicts")
        self.assertGreater(len(conflicts), 10)
        for arguments in (("conflicts",), ("conflicts", "--json"), ("conflicts", "--all"), ("log",), ("log", "--run", "2"),
                          ("log", "--run", "2", "--json"), ("undo", "--dry-run"), ("list", "--all"), ("sync",),
                          ("conflicts", "restore", str(conflicts[0]["number"]))):
            see(self, self.desk, *arguments)


class Widths(EndToEnd):
    def test_rows_and_messages_fit_into_a_narrow_terminal(self):
        device = self.device("laptop")
        device.run("add", "wake up and open the window", "--due", "tomorrow 18:30", "-l", "home", "-l", "garden")
        device.run("lists", "add", "Other")
        device.run("add", "日本語を勉強する", "--due", "in 40 days", "--repeat", "weekly", "--list", "Other", "-p", "high")
        device.run("snooze", "1", "1h")
        for columns in (20, 40, 60, 80, 200):
            for arguments in (
                    ("list",), (), ("show", "1"), ("lists",), ("labels",), ("log",), ("log", "--run", "1"), ("status",),
                    ("trash",), ("stats",), ("doctor",), ("config",)):
                code, shown = on_terminal(device, *arguments, columns=columns)
                self.assertEqual(code, OK, shown)
                for line in shown.decode().splitlines():
                    wide = sum(2 if "\u3000" < letter < "\ua000" else 1 for letter in line)
                    # A word that is wider than the terminal, such as a UID, is not broken.
                    if max(map(len, line.split()), default=0) < columns - 14:
                        self.assertLessEqual(wide, columns, f"{arguments} at {columns}: {line!r}")
            _, shown = on_terminal(device, "list", columns=columns)
            for word in (b"snoozed", b"#home", b"#garden", b"(Other)"):
                self.assertIn(word, shown)
        code, shown = on_terminal(device, "show", "999", columns=40)
        self.assertNotEqual(code, OK)
        lines = shown.decode().splitlines()
        self.assertGreater(len(lines), 1)
        # A quoted command is not broken.
        self.assertTrue(all(line.count("'") % 2 == 0 for line in lines), shown)


class Questions(EndToEnd):
    def test_control_c_at_a_question_ends_with_130_and_changes_nothing(self):
        device = self.device("laptop")
        device.run("add", "Stay", "--label", "work")
        device.run("lists", "add", "Other")
        before = device.run("export").bytes
        for arguments in (("delete", "1"), ("labels", "delete", "work"), ("lists", "delete", "Reminders")):
            code, shown = on_terminal(device, *arguments, answer=b"\x03")
            self.assertIn(b"[y/N] ", shown)
            self.assertIn(code, (130, -2), f"{arguments}: {shown!r}")
            self.assertEqual(device.run("export").bytes, before, arguments)

    def test_an_end_of_input_at_a_question_is_no(self):
        device = self.device("laptop")
        device.run("add", "Stay")
        before = device.run("export").bytes
        _, shown = on_terminal(device, "delete", "1", answer=b"\x04")
        self.assertIn(b"[y/N] ", shown)
        self.assertEqual(device.run("export").bytes, before)


if __name__ == "__main__":
    unittest.main()

"""Conventions of Linux programs for every command: each test is a row of docs/manual.md section 10."""

import json
import os
import pty
import re
import signal
import stat
import subprocess
import unittest

from harness import (
    BINARY, FAILURE, NETWORK, NOT_FOUND, OK, PARTIAL, USAGE, EndToEnd, ics, simple, smoke, too_long_for_smoke,
)

# Read-only commands, with their output for an empty store.
READ_ONLY = (
    ("list",), ("search", "one"), ("stats",), ("lists",), ("labels",), ("alarms",), ("status",), ("account", "list"), ("conflicts",), ("log",), ("trash",), ("feed", "list"),
    ("config",), ("doctor",), ("version",), ("help",), ("completion", "bash"), ("help", "--man"),
)


@smoke
class Conventions(EndToEnd):
    def setUp(self):
        super().setUp()
        self.laptop = self.device("laptop")

    def commands(self):
        """The name of each command in the overview."""
        overview = self.laptop.run("help", "--all").out.split("\nOther names\n")[0]
        names = re.findall(r"^  ([a-z]+(?: [a-z]+)?)  +[A-Z]", overview, re.M)
        self.assertGreater(len(names), 45)
        return names

    # Help and version

    @too_long_for_smoke
    def test_every_form_of_the_help_request_prints_the_page(self):
        for name in self.commands():
            with self.subTest(name):
                page = self.laptop.run(*name.split(), "--help")
                self.assertTrue(page.out.startswith(f"remindav {name} - "))
                self.assertEqual(page.err, "")
                for words in ([*name.split(), "-h"], ["help", *name.split()], ["--help", *name.split()],
                              ["-h", *name.split()]):
                    self.assertEqual(self.laptop.run(*words).out, page.out, words)
        for family in {name.split()[0] for name in self.commands() if " " in name}:
            self.assertIn(f"{family} ", self.laptop.run(family, "--help").out)
        self.assertEqual(self.laptop.run("--help").out, self.laptop.run("-h").out)
        self.assertFalse(self.laptop.store.exists(), "help made a store")

    def test_the_version_is_one_line(self):
        version = self.laptop.run("--version").out
        self.assertRegex(version, r"\Aremindav \d+\.\d+\.\d+(-[a-z]+)?( \(commit [0-9a-f]{12}\))?\n\Z")
        for words in (["version"], ["list", "--version"], ["-q", "--version"]):
            self.assertEqual(self.laptop.run(*words).out, version)

    # Words

    def test_two_hyphens_end_the_options(self):
        self.laptop.run("add", "--", "-x")
        self.laptop.run("add", "--due", "none", "--", "--json")
        self.assertEqual({item["title"] for item in self.laptop.json("list")}, {"-x", "--json"})

    def test_wrong_arguments_end_with_2_and_name_the_help(self):
        for words in (["nonsense"], ["list", "--nonsense"], ["list", "-Z"], ["show"], ["show", "0"], ["list", "x"],
                      ["--store"], ["--color", "pink", "list"], ["add", "x", "--due"], ["lists", "nonsense"]):
            with self.subTest(words):
                result = self.laptop.run(*words, code=USAGE)
                self.assertEqual(result.out, "")
                self.assertRegex(result.err, r"\Aremindav: .*[.?]\nSee 'remindav help.*'\.\n\Z")
        self.assertFalse(self.laptop.store.exists(), "wrong words made a store")

    def test_exit_codes(self):
        good = self.write("good.ics", simple(1))
        partly = self.write("partly.ics", ics(["UID:a", "SUMMARY:ok"], ["SUMMARY no colon", "UID:b"]))
        rows = (
            (OK, ["list"]), (FAILURE, ["import", "missing.ics"]), (USAGE, ["show", "0"]), (NOT_FOUND, ["show", "99"]),
            (PARTIAL, ["import", str(partly)]), (OK, ["import", str(good)]), (NOT_FOUND, ["list", "--list", "None"]),
            (PARTIAL, ["done", "1", "99"]), (NOT_FOUND, ["sync"]),
            (NETWORK, ["account", "add", "http://127.0.0.1:1/", "--user", "u", "--password-command", "echo secret"]),
        )
        for code, words in rows:
            with self.subTest(words):
                self.laptop.run(*words, code=code)

    # Streams

    def test_results_go_to_standard_output_and_errors_to_standard_error(self):
        for words in READ_ONLY:
            with self.subTest(words):
                result = self.laptop.run(*words)
                self.assertNotEqual(result.out, "")
                self.assertNotIn("remindav: ", result.err)
        result = self.laptop.run("show", "99", code=NOT_FOUND)
        self.assertEqual(result.out, "")
        self.assertNotEqual(result.err, "")

    def test_quiet_prints_nothing_on_success(self):
        for words in (["add", "One"], ["edit", "1", "--title", "Two"], ["snooze", "1", "5m"], ["done", "1"], ["undone", "1"],
                      ["delete", "1", "--yes"]):
            with self.subTest(words):
                result = self.laptop.run(*words, "-q")
                self.assertEqual(result.out + result.err, "", words)
        self.assertNotEqual(self.laptop.run("show", "1", "-q", code=NOT_FOUND).err, "", "complaints are said")
        self.assertEqual(self.laptop.run("list", "-q", "--json").json, [])

    def test_json_is_one_document_and_nothing_else(self):
        self.laptop.run("add", "One\u2028two", "--due", "2035-01-01 09:00", "--label", "x")
        for words in READ_ONLY:
            if words[0] not in ("version", "help", "completion"):
                with self.subTest(words):
                    json.loads(self.laptop.run(*words, "--json").out)
        self.assertNotIn("\x1b", self.laptop.run("list", "--json", "--color", "always").out)

    def test_a_closed_pipe(self):
        for words in (["help", "--man"], ["list"], ["config"]):
            with self.subTest(words):
                reading, writing = os.pipe()
                os.close(reading)
                process = self.laptop.start(*words, stdout=writing, stderr=subprocess.PIPE)
                os.close(writing)
                _, error = process.communicate(timeout=60)
                self.assertEqual((process.returncode, error), (141, b""), "141 is what a shell shows for SIGPIPE")

    def test_a_full_disk_is_reported(self):
        with open("/dev/full", "wb") as full:
            process = self.laptop.start("help", stdout=full, stderr=subprocess.PIPE)
            _, error = process.communicate(timeout=60)
        self.assertEqual(process.returncode, FAILURE)
        self.assertIn(b"no space left", error)

    def test_an_interrupt_ends_it(self):
        # Many times, because the signal comes directly after the printed text.
        for number in [signal.SIGINT, signal.SIGTERM] * 10:
            process = self.laptop.start("serve", "--port", "0", stderr=subprocess.PIPE)
            self.addCleanup(process.kill)
            with process.stderr:
                self.assertIn(b"Serving", process.stderr.readline())
                process.send_signal(number)
                self.assertEqual(process.wait(60), 0, "to be ended is how it ends")

    # Colour

    def colored(self, environment, *words):
        """Whether text on a terminal has an escape sequence."""
        ours, theirs = pty.openpty()
        try:
            process = self.laptop.start("list", *words, stdin=theirs, stdout=theirs, stderr=theirs, environment=environment)
            os.close(theirs)
            seen = b""
            while True:
                try:
                    piece = os.read(ours, 65536)
                except OSError:
                    break
                if not piece:
                    break
                seen += piece
            self.assertEqual(process.wait(60), 0, seen)
        finally:
            os.close(ours)
        self.assertIn(b"Today", seen)
        return b"\x1b[" in seen

    def test_colour(self):
        self.laptop.run("import", "-", stdin=ics(["UID:a", "SUMMARY:One", "DUE:20260101T090000Z"]))
        xterm = {"TERM": "xterm"}
        rows = (
            (True, xterm, []), (False, {**xterm, "NO_COLOR": "1"}, []), (True, {**xterm, "NO_COLOR": ""}, []),
            (False, {"TERM": "dumb"}, []), (False, {**xterm, "CLICOLOR": "0"}, []), (True, {**xterm, "CLICOLOR": "1"}, []),
            (False, xterm, ["--color", "never"]), (True, {**xterm, "NO_COLOR": "1"}, ["--color", "always"]),
            (False, {**xterm, "NO_COLOR": "1", "CLICOLOR_FORCE": "1"}, []), (True, {"TERM": "dumb", "CLICOLOR_FORCE": "1"}, []),
        )
        for expected, environment, words in rows:
            with self.subTest(f"{environment} {words}"):
                self.assertEqual(self.colored(environment, *words), expected)
        self.assertNotIn("\x1b", self.laptop.run("list", environment=xterm).out, "not a terminal")
        self.assertIn("\x1b", self.laptop.run("list", environment={"CLICOLOR_FORCE": "1"}).out)
        self.assertNotIn("\x1b", self.laptop.run("list", environment={"CLICOLOR_FORCE": "0"}).out)
        self.assertIn("\x1b", self.laptop.run("list", "--color=always").out)

    # Places

    def test_empty_and_relative_paths_in_variables_are_ignored(self):
        del self.laptop.environment["XDG_DATA_HOME"]
        usual = self.laptop.home / ".local" / "share" / "remindav"
        self.laptop.run("add", "Here")
        self.assertTrue(usual.is_dir())
        for environment in ({"XDG_DATA_HOME": ""}, {"XDG_DATA_HOME": "data"}, {"XDG_DATA_HOME": "./data"},
                            {"REMINDAV_STORE": ""}, {"XDG_CONFIG_HOME": "config"}):
            with self.subTest(str(environment)):
                self.assertEqual(len(self.laptop.json("list", environment=environment)), 1)
        self.assertEqual({path.name for path in self.laptop.folder.iterdir()} - {"run"}, {"home"})

    def test_without_a_home_folder_the_error_has_a_remedy(self):
        nothing = {"HOME": "", "XDG_DATA_HOME": ""}
        self.assert_complaint_on(["list"], nothing)
        for words in (["help"], ["version"], ["config"], ["completion", "zsh"], ["ics", "check", "-"]):
            self.laptop.run(*words, environment=nothing, stdin=simple(1))
        del self.laptop.environment["HOME"], self.laptop.environment["XDG_DATA_HOME"]
        self.assert_complaint_on(["add", "x"], {})
        self.laptop.run("add", "x", "--store", self.folder / "given")

    def assert_complaint_on(self, words, environment):
        result = self.laptop.run(*words, environment=environment, code=USAGE)
        self.assertIn("There is no home folder for the store. Set HOME, or use --store DIR.", result.err)

    def test_new_files_are_for_their_owner_alone(self):
        for mask in (0, 0o077, 0o277):
            device = self.device(f"mask{mask}")
            device.run("add", "Secret", umask=mask)
            for path in [device.store, *device.store.rglob("*")]:
                self.assertEqual(stat.S_IMODE(path.lstat().st_mode), 0o700 if path.is_dir() else 0o600, path)

    # Asking

    def test_destructive_commands_ask_and_without_a_terminal_refuse(self):
        self.laptop.run("add", "One", "--label", "x")
        for words in (["delete", "1"], ["lists", "delete", "Reminders"], ["labels", "delete", "x"]):
            with self.subTest(words):
                self.assertIn("--yes", self.laptop.run(*words, code=USAGE).err)
                self.assertEqual(len(self.laptop.json("list")), 1)

    def test_a_dry_run_writes_nothing(self):
        self.laptop.run("add", "One", "--label", "x")
        file = self.write("more.ics", simple(3))
        before = self.laptop.items()
        for words in (["import", str(file), "--dry-run"], ["import", str(file), "-n"], ["labels", "rename", "x", "y", "-n"],
                      ["labels", "delete", "x", "--dry-run"]):
            with self.subTest(words):
                self.laptop.run(*words)
                self.assertEqual(self.laptop.items(), before)

    # Languages

    def test_every_locale_works(self):
        rows = ({"LC_ALL": "C"}, {"LC_ALL": "POSIX"}, {"LC_ALL": "tr_TR.UTF-8"}, {"LC_ALL": "ar_EG.UTF-8"}, {"LC_ALL": ""},
                {"LC_ALL": "xx_XX"}, {"LANG": "tr_TR.UTF-8", "LC_ALL": ""})
        answers = set()
        self.laptop.run("add", "Iıİi Größe 牛乳", "--due", "2035-01-01 09:00", "--label", "ISTANBUL")
        for environment in rows:
            with self.subTest(str(environment)):
                shown = [self.laptop.run(*words, environment=environment).out
                         for words in (["list"], ["show", "1"], ["list", "--label", "istanbul"], ["help"], ["lists"])]
                answers.add("\n".join(shown))
        self.assertEqual(len(answers), 1, "the locale changed an answer")
        self.assertIn("Iıİi Größe 牛乳", answers.pop())


if __name__ == "__main__":
    unittest.main()

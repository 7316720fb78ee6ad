"""Completions for shells, manual pages, settings, and `doctor`."""

import os
import pty
import re
import select
import shutil
import signal
import subprocess
import time
import unittest

from harness import BINARY, FAILURE, OK, USAGE, EndToEnd, simple
from servers import Radicale

# A name that a shell would run if it were not quoted.
NASTY = "My $(touch PWNED) `touch PWNED`; touch PWNED & 'List' \"x\" \\ * \u0d4e;touch PWNED;\u0d4e$(touch PWNED)\u0301`"


def need(test, program):
    """Tests/packages.sh installs it; without it the test fails, because a skipped test would not be noticed."""
    if not shutil.which(program):
        test.fail(f"{program} is not installed; run sh Tests/packages.sh test")


class Completions(EndToEnd):
    def setUp(self):
        super().setUp()
        self.laptop = self.device("laptop")
        self.laptop.run("lists", "add", NASTY)
        self.laptop.run("lists", "add", "Work")
        self.laptop.run("add", "Call Ben", "--list", "Work", "--label", "at home")
        self.laptop.run("add", "$(touch PWNED)\x1b[31m\t`touch PWNED`", "--list", NASTY)
        binaries = self.folder / "bin"
        binaries.mkdir()
        (binaries / "remindav").symlink_to(BINARY)
        self.environment = {**self.laptop.environment, "PATH": f"{binaries}:/usr/bin:/bin", "TERM": "xterm"}
        self.work = self.folder / "work"
        self.work.mkdir()
        (self.work / "a file.ics").touch()
        self.addCleanup(lambda: self.assertEqual([path.name for path in self.work.iterdir()], ["a file.ics"]))

    def shell(self, *words):
        done = subprocess.run(words, env=self.environment, cwd=self.work, capture_output=True, timeout=60)
        self.assertEqual(done.stderr, b"", done)
        return done.stdout.decode()

    def bash(self, *words, after=""):
        """The candidates of bash's function for these words; the last one is completed."""
        need(self, "bash")
        script = """
            source <(remindav completion bash)
            COMP_WORDS=(remindav "$@"); COMP_CWORD=$#
            _remindav
            printf '%s\\n' "${COMPREPLY[@]}"
        """ + after
        return self.shell("bash", "-c", script, "bash", *words).splitlines()

    def test_bash_gets_commands_options_numbers_and_names(self):
        self.assertIn("lists", self.bash("li"))
        self.assertEqual(sorted(self.bash("lists", "de")), ["default", "delete"])
        self.assertEqual(self.bash("lists", "del"), ["delete"])
        self.assertEqual(self.bash("list", "--la"), ["--label"])
        self.assertEqual(sorted(self.bash("done", "")), ["1", "2"])
        self.assertEqual(self.bash("list", "--list", "=", "W"), ["Work"])
        self.assertEqual(self.bash("list", "--label", '"at'), ["at home"])
        self.assertEqual(self.bash("list", "--label", ""), [r"at\ home"])
        self.assertEqual(self.bash("import", "a"), [""], "files are bash's own business")

    def test_candidates_for_bash_name_the_list_and_run_nothing(self):
        found = self.bash("list", "--list", "My", after='eval "remindav lists recolor ${COMPREPLY[0]} \\#112233"\n')
        self.assertIn("112233", self.laptop.run("lists", "--json").out)
        self.assertEqual(len(found), 2, "the name, and what the command answered")

    def test_completion_creates_nothing(self):
        before = {path: path.stat().st_mtime_ns for path in self.laptop.store.rglob("*")}
        self.bash("done", "")
        self.assertEqual({path: path.stat().st_mtime_ns for path in self.laptop.store.rglob("*")}, before)
        self.environment["REMINDAV_STORE"] = str(self.folder / "nowhere")
        self.assertEqual(self.bash("done", ""), [""])
        self.assertFalse((self.folder / "nowhere").exists())

    def test_an_invalid_store_has_no_candidates(self):
        self.laptop.database().write_bytes(b"x" * 8192)
        self.assertEqual(self.bash("done", ""), [""])
        self.assertIn("--label", self.bash("list", "--"))

    def test_it_is_quick_and_short_among_thousands(self):
        self.laptop.run("import", "-", "--list", "Work", stdin=simple(3000))
        result = self.laptop.run("__complete", "zsh", "--", "done", "")
        self.assertLess(result.seconds, 2)
        self.assertEqual(len(result.out.splitlines()), 1001, "at most a thousand candidates")

    def typed(self, shell, setup, line):
        """The words that a shell on a terminal reads after `line` was typed, one for each output line."""
        need(self, shell[0])
        child, terminal = pty.fork()
        if child == 0:
            os.chdir(self.work)
            os.execvpe(shell[0], shell, self.environment)
        seen = b""

        def until(what, seconds=120):
            nonlocal seen
            deadline = time.monotonic() + seconds
            while what not in seen:
                if time.monotonic() > deadline:
                    self.fail(f"{what!r} did not come; the terminal shows {seen!r}")
                if select.select([terminal], [], [], 0.1)[0]:
                    seen += os.read(terminal, 65536)

        try:
            # The shell joins the words, so that their echo differs from the answer.
            os.write(terminal, (setup + "; echo rea''dy\n").encode())
            until(b"ready\r\n")
            # Input after TAB waits until the completion is done: the line then prints its own words.
            os.write(terminal, line.encode() + b"\t\x01printf '<%s>\\n' \x05; echo do''ne\n")
            until(b"done\r\n")
        finally:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            os.close(terminal)
        return re.findall(r"^<(.*)>\r$", seen.decode("utf-8", "replace"), re.M)

    def test_tab_in_bash(self):
        setup = "PS1='> '; bind 'set enable-bracketed-paste off'; source <(remindav completion bash)"
        shell = ("bash", "--norc", "--noprofile", "-i")
        self.assertEqual(self.typed(shell, setup, "remindav lists dele"), ["remindav", "lists", "delete"])
        self.assertEqual(self.typed(shell, setup, "remindav list --list My"), ["remindav", "list", "--list", NASTY])
        self.assertEqual(self.typed(shell, setup, "remindav list --label 'at"), ["remindav", "list", "--label", "at home"])
        self.assertEqual(self.typed(shell, setup, "remindav import a"), ["remindav", "import", "a file.ics"])

    def test_tab_in_zsh(self):
        setup = (f"PS1='> '; autoload -Uz compinit; compinit -u -d {self.folder}/zcompdump; "
                 "source <(remindav completion zsh)")
        shell = ("zsh", "-f", "-i")
        self.assertEqual(self.typed(shell, setup, "remindav lists dele"), ["remindav", "lists", "delete"])
        self.assertEqual(self.typed(shell, setup, "remindav list --list My"), ["remindav", "list", "--list", NASTY])
        self.assertEqual(self.typed(shell, setup, "remindav list --list=W"), ["remindav", "list", "--list=Work"])
        self.assertEqual(self.typed(shell, setup, "remindav import a"), ["remindav", "import", "a file.ics"])

    def fish(self, line):
        need(self, "fish")
        script = f"source (remindav completion fish | psub); complete -C {subprocess.list2cmdline([line])}"
        return self.shell("fish", "--no-config", "-c", script).splitlines()

    def test_fish_gets_names_with_descriptions(self):
        self.assertEqual(self.fish("remindav lists dele"), ["delete\tDelete a list with all its reminders"])
        self.assertEqual(self.fish("remindav done 1"), ["1\tCall Ben"])
        self.assertEqual(self.fish("remindav done 2"), ["2\t$(touch PWNED)[31m\\t`touch PWNED`"])
        self.assertEqual(self.fish("remindav list --list=W"), ["--list=Work"])
        self.assertEqual(self.fish("remindav list --list My"), [NASTY])
        self.assertEqual([line.split("\t")[0] for line in self.fish("remindav import a")], ["a file.ics"])

    def test_the_scripts_pass_the_check_of_their_shells(self):
        for shell, words in (("bash", ["bash", "-n"]), ("zsh", ["zsh", "-n"]), ("fish", ["fish", "--no-execute"])):
            with self.subTest(shell):
                need(self, shell)
                self.shell(*words, str(self.write(f"script.{shell}", self.laptop.run("completion", shell).bytes)))


class Manual(EndToEnd):
    def setUp(self):
        super().setUp()
        self.laptop = self.device("laptop")

    def pages(self):
        yield "remindav.1", self.laptop.run("help", "--man").bytes
        for line in self.laptop.run("help", "--all").out.split("\nOther names\n")[0].splitlines():
            if match := re.match(r"  ([a-z]+(?: [a-z]+)?)  ", line):
                name = match.group(1)
                yield f"remindav-{name.replace(' ', '-')}.1", self.laptop.run("help", "--man", *name.split()).bytes

    def test_the_pages_pass_groff_and_mandoc(self):
        need(self, "mandoc")
        need(self, "groff")
        names = []
        for name, page in self.pages():
            names.append(name)
            path = self.write(name, page)
            lint = subprocess.run(["mandoc", "-Tlint", "-Wwarning", path], capture_output=True, text=True)
            self.assertEqual((lint.returncode, lint.stdout), (0, ""), name)
            shown = subprocess.run(["groff", "-man", "-Tutf8", "-ww", "-z", path], capture_output=True, text=True)
            self.assertEqual((shown.returncode, shown.stderr), (0, ""), name)
        self.assertGreater(len(names), 50, names)

    def test_the_pages_have_the_text_of_the_help(self):
        need(self, "mandoc")
        path = self.write("remindav-add.1", self.laptop.run("help", "add", "--man").bytes)
        shown = subprocess.run(["mandoc", "-Tutf8", path], capture_output=True, text=True).stdout
        shown = " ".join(re.sub(".\b", "", shown).split())
        for line in self.laptop.run("help", "add").out.splitlines()[2:-2]:
            words = re.sub(r"^Usage: ", "", line.strip())
            for part in re.split(r"\s{2,}", words):
                if part not in ("Options", "Examples", "Exit status"):
                    self.assertIn(part, shown)


class Settings(EndToEnd):
    def setUp(self):
        super().setUp()
        self.laptop = self.device("laptop")
        self.file = self.laptop.home / ".config" / "remindav" / "config"
        self.file.parent.mkdir(parents=True)

    def effective(self, *arguments, **options):
        return {row["name"]: (row["value"], row["origin"]) for row in self.laptop.json("config", *arguments, **options)}

    def test_option_environment_file_default(self):
        self.assertEqual(self.effective()["color"], ("auto", "default"))
        self.file.write_text("color = always\nstore = ~/mine\n")
        self.assertEqual(self.effective()["color"], ("always", "file"))
        self.assertEqual(self.effective(environment={"NO_COLOR": "1"})["color"], ("never", "environment"))
        self.assertEqual(self.effective("--color", "auto", environment={"CLICOLOR": "1"})["color"], ("auto", "option"))
        self.laptop.environment["REMINDAV_STORE"] = "/named"
        self.assertEqual(self.effective()["store"], ("/named", "environment"))
        del self.laptop.environment["REMINDAV_STORE"]
        self.assertEqual(self.effective()["store"], (f"{self.laptop.home}/mine", "file"))
        self.assertEqual(self.effective("--store", "/x")["store"], ("/x", "option"))
        self.laptop.run("add", "Here")
        self.assertTrue((self.laptop.home / "mine" / "reminders.db").is_file())

    def test_other_places_of_the_file(self):
        other = self.write("other", "port = 1\n")
        self.assertEqual(self.effective("--config", other)["port"], ("1", "file"))
        self.assertEqual(self.effective(environment={"REMINDAV_CONFIG": str(other)})["port"], ("1", "file"))
        folder = self.folder / "xdg"
        (folder / "remindav").mkdir(parents=True)
        (folder / "remindav" / "config").write_text("port = 2\n")
        self.assertEqual(self.effective(environment={"XDG_CONFIG_HOME": str(folder)})["port"], ("2", "file"))
        for value in ("", "xdg", "./xdg"):
            self.assertEqual(self.effective(environment={"XDG_CONFIG_HOME": value})["port"], ("8737", "default"))

    def test_an_error_is_reported_with_its_line(self):
        self.file.write_text("port = 1\n\nlisst = Work\n")
        self.assert_complaint(self.laptop.run("list", code=None), USAGE, r"config:3: .*did you mean 'list'\?")
        self.assert_complaint(self.laptop.run("add", "x", code=None), USAGE, "config:3")
        self.assertFalse(self.laptop.store.exists(), "nothing was done")
        self.assertIn("config:3", self.laptop.run("config", code=USAGE).err)
        self.assertIn("problem  config", self.laptop.run("doctor", code=FAILURE).out)
        for words in (["--help"], ["help"], ["list", "--help"], ["--version"], ["completion", "bash"]):
            self.laptop.run(*words)
        self.file.write_bytes(bytes(range(256)) * 100)
        self.laptop.run("list", code=USAGE)
        self.file.write_bytes(b"#" * 70_000)
        self.assert_complaint(self.laptop.run("list", code=None), FAILURE, "too large")
        self.file.unlink()
        self.file.mkdir()
        self.assert_complaint(self.laptop.run("list", code=None), FAILURE, "folder")


class Doctor(EndToEnd):
    def setUp(self):
        super().setUp()
        self.laptop = self.device("laptop")

    def findings(self, *arguments, code=OK, **options):
        rows = self.laptop.json("doctor", *arguments, code=code, **options)
        for row in rows:
            self.assertEqual(set(row), {"level", "topic", "sentence"})
            self.assertRegex(row["sentence"], r"[.!?]$")
        return {(row["level"], row["topic"]) for row in rows}, rows

    def test_there_is_no_problem_with_and_without_a_store(self):
        before = sorted(self.laptop.folder.rglob("*"))
        found, _ = self.findings()
        self.assertEqual({level for level, _ in found}, {"ok"})
        self.assertEqual(sorted(self.laptop.folder.rglob("*")), before, "it made something")
        self.laptop.run("add", "One")
        found, _ = self.findings()
        self.assertEqual({level for level, _ in found}, {"ok"})
        self.assertEqual({topic for _, topic in found},
                         {"config", "zone", "locale", "disk", "store", "feeds", "clock", "alarms", "notifications"})

    def test_each_problem_is_reported(self):
        self.laptop.run("add", "One")
        cases = (
            ({"TZ": "Mars/Olympus"}, ("problem", "zone"), FAILURE),
            ({"LC_ALL": "C"}, ("warning", "locale"), OK),
            ({"HOME": "", "XDG_DATA_HOME": ""}, ("problem", "store"), FAILURE),
        )
        for environment, expected, code in cases:
            with self.subTest(str(environment)):
                self.assertIn(expected, self.findings(environment=environment, code=code)[0])
        self.laptop.database().chmod(0o644)
        self.laptop.store.chmod(0o755)
        self.assertIn(("warning", "files"), self.findings()[0])
        self.laptop.run("list")
        self.laptop.store.chmod(0o700)
        self.assertNotIn(("warning", "files"), self.findings()[0])
        self.laptop.run("feed", "create")
        self.assertIn(("warning", "feeds"), self.findings()[0])
        content = bytearray(self.laptop.database().read_bytes())
        content[4096 * 2:4096 * 3] = b"\xff" * 4096
        self.laptop.database().write_bytes(content)
        self.assertIn(("problem", "store"), self.findings(code=FAILURE)[0])

    def test_servers_are_contacted_only_with_the_option_and_no_password_is_shown(self):
        server = self.borrow(Radicale)
        self.laptop.add_account(server.url)
        self.assertIn("it has no list", " ".join(row["sentence"] for row in self.findings()[1]))
        self.laptop.publish("Work")
        self.assertIn("there was no sync yet", " ".join(row["sentence"] for row in self.findings()[1]))
        self.laptop.run("sync")
        self.assertEqual({level for level, topic in self.findings()[0] if topic == "account"}, {"ok"})
        found, rows = self.findings("--network")
        self.assertIn("the server answers", " ".join(row["sentence"] for row in rows))
        server.halt()
        self.assertIn(("ok", "account"), self.findings()[0])
        found, rows = self.findings("--network", code=FAILURE)
        self.assertIn(("problem", "account"), found)
        shutil.rmtree(self.laptop.store / "secrets")
        found, rows = self.findings(code=FAILURE)
        self.assertIn(("problem", "account"), found)
        self.assertNotIn("correct horse", str(rows))


if __name__ == "__main__":
    unittest.main()

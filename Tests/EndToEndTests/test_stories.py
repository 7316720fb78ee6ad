"""The first five minutes of three users, each on a terminal and through pipes, in four locales, and with 10,000 reminders.

Ben uses a terminal, Dana comes from another program, Greta has scripts. They have an empty home, an empty environment and no
privileges; afterwards files may only be in the folders of the XDG specification.
"""

import contextlib
import fcntl
import functools
import json
import os
import pty
import re
import select
import shutil
import struct
import subprocess
import tempfile
import termios
import time
import unittest
from datetime import datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import corpus
from harness import BINARY, NOT_FOUND, OK, PARTIAL, USAGE, Device, EndToEnd, ics
from servers import PASSWORD, USER, Radicale
from terminal import PROGRESS, active

COUNT = 10_000
LOCALES = {
    "C.UTF-8": {"LC_ALL": "C.UTF-8"},
    "C": {"LC_ALL": "C"},
    "none": {},
    "tr_TR": {"LC_ALL": "tr_TR.UTF-8", "LANG": "tr_TR.UTF-8"},
}
# The default folders of the XDG specification.
XDG = {
    "XDG_DATA_HOME": ".local/share", "XDG_CONFIG_HOME": ".config", "XDG_STATE_HOME": ".local/state",
    "XDG_CACHE_HOME": ".cache",
}
# Folders that every user may write to.
OPEN_FOLDERS = ("/tmp", "/var/tmp", "/dev/shm")
# The list is named if there are several.
LIST = r"(?: \(Reminders\))?"
STYLE = re.compile(rb"\x1b\[([0-9;]*)m")


@functools.cache
def stranger():
    """The options of Popen for a process of a user that owns nothing. Empty if this process is not root."""
    number = 40_000 + os.getpid() % 20_000
    options = {"user": number, "group": number, "extra_groups": []}
    if os.geteuid() != 0:
        return {}
    try:
        subprocess.run([str(BINARY), "--version"], env={}, check=True, capture_output=True, cwd="/", **options)
    except (OSError, subprocess.CalledProcessError):
        return {}  # the program is in a folder without access for others
    return options


@functools.cache
def turkish():
    """A folder with the Turkish locale, also if the machine does not have it: in it, `I` is not the capital of `i`."""
    folder = tempfile.mkdtemp(prefix="remindav-locale-")
    unittest.addModuleCleanup(shutil.rmtree, folder)
    os.chmod(folder, 0o755)
    if shutil.which("localedef"):
        subprocess.run(["localedef", "-i", "tr_TR", "-f", "UTF-8", f"{folder}/tr_TR.UTF-8"], capture_output=True)
    return folder


@functools.cache
def crowd():
    """A data folder with 10,000 reminders in the list Work, created once."""
    folder = tempfile.mkdtemp(prefix="remindav-crowd-")
    unittest.addModuleCleanup(shutil.rmtree, folder)
    person = Device(folder, "crowd")
    person.environment |= {"REMINDAV_STORE": str(Path(folder) / "remindav")}
    report = person.json("import", "-", "--list", "Work", stdin=corpus.calendar(range(COUNT)), timeout=60)
    assert report["added"] == COUNT, report
    return Path(folder) / "remindav"


class Person(Device):
    """A user with an empty home, on a terminal or with pipes."""

    def __init__(self, folder, name, test, on_terminal, locale, crowded=False):
        super().__init__(folder, name)
        self.test = test
        self.on_terminal = on_terminal
        self.crowded = crowded
        self.locale = locale
        self.temporary = self.folder / "tmp"
        self.temporary.mkdir()
        self.environment = {"HOME": str(self.home), "PATH": "/usr/bin:/bin", "TZ": "Europe/Berlin",
                            "TMPDIR": str(self.temporary), **LOCALES[locale]}
        self.places = {name: self.home / folder for name, folder in XDG.items()}
        if locale == "tr_TR":
            # This user has set all folders, so the home stays empty.
            self.environment["LOCPATH"] = turkish()
            self.places = {name: self.folder / "xdg" / name for name in XDG}
            self.environment |= {name: str(place) for name, place in self.places.items()}
        self.store = self.places["XDG_DATA_HOME"] / "remindav"
        if crowded:
            shutil.copytree(crowd(), self.store)
        self.own(self.folder)
        self.own_files = set()

    def own(self, top):
        if stranger():
            for path in [top, *top.rglob("*")]:
                os.chown(path, stranger()["user"], stranger()["group"])

    def has(self, name, content):
        """A file of this user, in the working directory."""
        path = self.folder / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        self.own(path)
        self.own_files.add(name)
        return path

    def start(self, *arguments, environment=None, **options):
        return super().start(*arguments, environment=environment, **stranger(), **options)

    def see(self, *arguments, code=OK, answer=None, stdin=b"", into=None, environment=None):
        """Runs a command as this user, and returns the visible text.

        `answer` is typed at a question, on a terminal only. Of a tuple of answers the first one must be requested, and the
        others may be. `into` is a file for the output.
        """
        if not self.on_terminal:
            result = self.run(*arguments, code=None, stdin=stdin, environment=environment, timeout=60)
            shown, status = result.bytes + result.err.encode(), result.code
            if into:
                self.has(into, result.bytes)
                shown = result.err.encode()
            self.test.assertNotIn(b"\x1b", shown, "colours through a pipe")
        else:
            status, shown = self.on_a_terminal(arguments, answer, stdin, into, environment)
        self.test.assertIsNone(active(shown), f"a terminal would act on what {arguments} says")
        self.test.assertEqual(status, code, f"{arguments}: {shown[-1500:].decode(errors='replace')}")
        return shown.decode()

    def on_a_terminal(self, arguments, answer, stdin, into, environment):
        ours, theirs = pty.openpty()
        # The terminal is wide enough for each message. No user leaves a pager here.
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 500, 250, 0, 0))
        if stranger():
            os.fchown(theirs, stranger()["user"], -1)
        before = termios.tcgetattr(theirs)
        with contextlib.ExitStack() as files:
            given, taken = theirs, theirs
            if stdin:
                given = files.enter_context(tempfile.TemporaryFile())
                given.write(stdin)
                given.seek(0)
            if into:
                taken = files.enter_context(open(self.has(into, b""), "wb"))
            process = self.start(
                *arguments, environment={"TERM": "xterm-256color", "PAGER": "cat", **(environment or {})}, stdin=given,
                stdout=taken, stderr=theirs, start_new_session=True, preexec_fn=lambda: fcntl.ioctl(2, termios.TIOCSCTTY, 0))
        shown = b""
        answers = [] if answer is None else list(answer) if isinstance(answer, tuple) else [answer]
        needed = len(answers) - 1
        deadline = time.monotonic() + 60
        while True:
            over = process.poll() is not None
            if select.select([ours], [], [], 0 if over else 0.02)[0]:
                shown += os.read(ours, 65536)
                if answers and shown.endswith(b"] "):
                    os.write(ours, answers.pop(0).encode() + b"\n")
            elif over:
                break
            elif time.monotonic() > deadline:
                process.kill()
                process.wait()
                self.test.fail(f"still running: {arguments}: {shown[-500:]}")
        self.test.assertEqual(termios.tcgetattr(theirs), before, f"{arguments} left the terminal as another one")
        os.close(theirs)
        os.close(ours)
        self.test.assertLessEqual(len(answers), max(needed, 0), f"{arguments} did not ask, but said {shown.decode()}")
        styles = STYLE.findall(shown)
        self.test.assertIn(styles[-1:], ([], [b"0"], [b""]), f"{arguments} left the terminal in a colour")
        return process.returncode, STYLE.sub(b"", PROGRESS.sub(b"", shown)).replace(b"\r\n", b"\n")

    def assert_nothing_left(self):
        """Checks that files are only in the folders of XDG, and that no process still runs."""
        places = [place / "remindav" for place in self.places.values()]
        known = {above for place in places for above in [place, *place.parents]}
        for path in self.folder.rglob("*"):
            inside = any(place in path.parents for place in places)
            mine = path.parent == self.folder and path.name in self.own_files
            basis = path in (self.home, self.temporary)
            self.test.assertTrue(inside or mine or basis or path in known, f"{path} was left")
        self.test.assertTrue(self.store.is_dir())
        if stranger():
            for folder in (*OPEN_FOLDERS, "/proc"):
                for entry in os.scandir(folder):
                    with contextlib.suppress(FileNotFoundError):
                        owner = entry.stat(follow_symlinks=False).st_uid
                        self.test.assertNotEqual(owner, stranger()["user"], f"{entry.path} was left")


class Story(EndToEnd):
    """A mixin that runs `tell` in every way. A test case names the user."""

    def setUp(self):
        super().setUp()
        os.chmod(self.folder, 0o755)
        today = datetime.now(ZoneInfo("Europe/Berlin")).date()
        self.tomorrow = today + timedelta(1)
        self.friday = self.tomorrow + timedelta((4 - self.tomorrow.weekday()) % 7)

    def person(self, name, **options):
        self.devices.append(Person(self.folder, name, self, **options))
        return self.devices[-1]

    def rounds(self, on_terminal):
        for locale in LOCALES:
            with self.subTest(locale):
                person = self.person(locale, on_terminal=on_terminal, locale=locale)
                self.tell(person)
                person.assert_nothing_left()

    def test_on_a_terminal_in_every_locale(self):
        self.rounds(True)

    def test_through_pipes_in_every_locale(self):
        self.rounds(False)

    def test_among_ten_thousand(self):
        for on_terminal in (True, False):
            with self.subTest(on_terminal=on_terminal):
                person = self.person(f"crowded{on_terminal}", on_terminal=on_terminal, locale="none", crowded=True)
                self.tell(person)
                person.assert_nothing_left()
                sentences = " ".join(one["sentence"] for one in person.json("doctor"))
                self.assertGreaterEqual(int(re.search(r"Reminders: (\d+), .*nothing is damaged", sentences)[1]), COUNT)

    def assert_line(self, shown, pattern):
        self.assertRegex(shown, rf"(?m)^{pattern}$")

    def number(self, shown, title):
        return re.search(rf"(?m)^Added (\d+): {re.escape(title)}", shown)[1]


class Ben(Story):
    """P2: adds in one line, lists and completes by number, pipes JSON, writes notes in an editor, syncs later."""

    def setUp(self):
        super().setUp()
        self.server = self.borrow(Radicale)

    def tell(self, ben):
        number = self.adds(ben)
        self.looks(ben, number)
        self.writes_notes(ben, number)
        self.mistypes(ben)
        self.puts_off_and_finishes(ben, number)
        self.changes_his_mind(ben)
        self.syncs(ben)

    def adds(self, ben):
        self.assertTrue(ben.see("completion", "bash").startswith("# Completes the words of remindav in bash."))
        self.assertTrue(ben.see("help", "add", "--man").startswith(".TH"))
        weekday = f"{self.tomorrow:%A}".lower()
        shown = ben.see("add", f"Call Ben tomorrow 9am #home every {weekday}")
        number = self.number(shown, "Call Ben")
        self.assert_line(shown, rf"Added {number}: Call Ben, due {self.tomorrow:%a %Y-%m-%d} 09:00, tomorrow, "
                                rf"repeats every week on {self.tomorrow:%a}, #home(, in Reminders)?")
        self.assert_line(shown, f"Removed from the title: 'tomorrow 9am', '#home', 'every {weekday}'. "
                                "'--literal' keeps them in the title\\.")
        # Also in a locale in which `I` is not the capital of `i`, these are the same words.
        shown = ben.see("add", "Iıİi Größe 牛乳 #IDEAS !HIGH FRIDAY")
        self.assert_line(shown, rf"Added \d+: Iıİi Größe 牛乳, due {self.friday:%a %Y-%m-%d}, .*high.*#IDEAS(, in Reminders)?")
        return number

    def date(self, day):
        """The form of a day in a listing."""
        is_this_year = day.year == (self.tomorrow - timedelta(1)).year
        return f"{day:%a %e %b}" if is_this_year else f"{day:%e %b %Y}"

    def looks(self, ben, number):
        listing = ben.see("list")
        self.assert_line(listing, "Upcoming")
        self.assert_line(listing, "  Tomorrow")
        self.assert_line(listing, rf" *{number}  {self.date(self.tomorrow)} 09:00 +Call Ben {self.marks(ben)[0]}  #home{LIST}")
        self.assert_line(listing, rf" *\d+  {self.date(self.friday)} +!!! +Iıİi Größe 牛乳  #IDEAS{LIST}")
        self.assertNotIn("Call Ben", listing[:listing.index("\n  Tomorrow\n")])
        self.assertEqual(ben.see("list", "--label", "ideas").count("\n  "), 2, "a heading and a reminder")
        self.assertIn("Call Ben", ben.see("search", "CALL", "ben"))
        entries = json.loads(ben.see("list", "--label", "home", "--json"))
        mine = next(one for one in entries if str(one["id"]) == number)
        self.assertEqual((mine["title"], mine["repeat"], mine["labels"], mine["status"]),
                         ("Call Ben", f"FREQ=WEEKLY;BYDAY={self.tomorrow:%a}"[:20].upper(), ["home"], "pending"))
        self.assertTrue(mine["due"].startswith(f"{self.tomorrow}T09:00:00+0"), mine["due"])

    def marks(self, ben):
        """The marks of a repeat and of notes in the rows of a list."""
        return "% =" if ben.locale == "C" else "↻ ✎"

    def writes_notes(self, ben, number):
        if ben.on_terminal:
            editor = {"EDITOR": 'echo "Ask about the trip" >>"$1"; true'}
            self.assertIn(f"Changed {number}: Call Ben", ben.see("edit", number, environment=editor))
        else:
            self.assertIn("--title", ben.see("edit", number, code=USAGE))
            shown = ben.see("edit", number, "--notes", "-", stdin=b"Ask about the trip\n")
            self.assertIn(f"Changed {number}: Call Ben", shown)
        shown = ben.see("show", number)
        self.assert_line(shown, f"  Repeats +every week on {self.tomorrow:%a}")
        self.assertTrue(shown.endswith("\n\n  Ask about the trip\n"), shown)

    def mistypes(self, ben):
        shown = ben.see("list", "--lable", "x", code=USAGE)
        self.assertIn("There is no option '--lable'. Did you mean '--label'?", shown)
        self.assertIn("There is no such reminder ('99999').", ben.see("done", "99999", code=NOT_FOUND))

    def puts_off_and_finishes(self, ben, number):
        shown = ben.see("snooze", number, "1h")
        self.assert_line(shown, rf"Snoozed {number}: Call Ben, snoozed until .* \d\d:\d\d, (today|tomorrow)")
        following = self.tomorrow + timedelta(7)
        shown = ben.see("done", number)
        self.assert_line(shown, rf"Completed {number}: Call Ben\. Next: {following:%a} {following} 09:00, in \d+ days\. "
                                r"The completed occurrence is \d+\.")
        self.assert_line(ben.see("list", "--label", "home"), rf" *{number}  {self.date(following)} 09:00 +Call Ben {self.marks(ben)}  #home{LIST}")
        self.assertIn("Call Ben", ben.see("list", "--section", "completed"))

    def changes_his_mind(self, ben):
        number = self.number(ben.see("add", "Buy stamps"), "Buy stamps")
        if ben.on_terminal:
            shown = ben.see("delete", number, answer="n")
            self.assertIn("Delete 'Buy stamps'? [y/N] ", shown)
            self.assertIn(f"Not deleted {number}: Buy stamps", shown)
            self.assertIn(f"Deleted {number}: Buy stamps", ben.see("delete", number, answer="y"))
            self.assertNotIn("Buy stamps", ben.see("list"))
            self.assertIn(f"Restored {number}: Buy stamps", ben.see("undo", answer="y"))
        else:
            self.assertIn("Add --yes to confirm.", ben.see("delete", number, code=USAGE))
            self.assertIn("Buy stamps", ben.see("list"))
            self.assertIn(f"Deleted {number}: Buy stamps", ben.see("delete", number, "--yes"))
            self.assertNotIn("Buy stamps", ben.see("list"))
            self.assertIn(f"Restored {number}: Buy stamps", ben.see("undo", "--last"))
        self.assertIn("Buy stamps", ben.see("list"))

    def syncs(self, ben):
        """Syncs later, with a password command like `pass`. Only the list of this round is sent to the server."""
        name = f"Trip {ben.folder.name}"
        ben.has("password", PASSWORD + "\n")
        ben.see("lists", "add", name)
        ben.see("add", "Pack the Größe", "--list", name)
        shown = ben.see("account", "add", self.server.url, "--user", USER, "--password-command", "cat password",
                        answer=("y", "", "") if ben.on_terminal else None)
        self.assertIn("Added the account 127.0.0.1 with", shown)
        self.assertNotIn(PASSWORD, shown)
        ben.see("lists", "add", name, "--account", "127.0.0.1")
        shown = ben.see("sync", "--dry-run")
        self.assertIn("Dry run: nothing is changed.", shown)
        self.assert_line(shown, f"{name}: 1 sent")
        self.assert_line(ben.see("sync"), f"{name}: 1 sent")
        self.assert_line(ben.see("sync"), rf"({name}|\d+ lists): nothing to do")
        answer = self.server.request("PROPFIND", self.server.home, b"", {"Depth": "1"})[2].decode()
        self.assertIn(name, answer)
        other = self.person(f"other-{ben.folder.name}", on_terminal=False, locale=ben.locale)
        other.has("password", PASSWORD + "\n")
        other.see("account", "add", self.server.url, "--user", USER, "--password-command", "cat password")
        other.see("sync")
        self.assertIn("Pack the Größe", other.see("list", "--list", name))
        other.assert_nothing_left()


class Dana(Story):
    """P4: runs an import dry, imports, exports, and compares."""

    HOME = [f"old-{number}" for number in range(0, 214, 3)]

    def old(self, numbers):
        """The other program's file: 214 to-dos, 12 of them repeating, 3 with two rules, and 2 invalid lines."""
        todos = []
        for number in numbers:
            lines = [f"UID:old-{number}", "DTSTAMP:20260101T000000Z", "LAST-MODIFIED:20260101T000000Z",
                     f"SUMMARY:Alt {number}: Größe İıIi", "DTSTART:20350301T080000Z", "DUE:20350301T090000Z"]
            if f"old-{number}" in self.HOME:
                lines.append("CATEGORIES:home")
            if number in range(10, 22):
                lines.append("RRULE:FREQ=WEEKLY")
            if number in range(19, 22):
                lines.append("RRULE:FREQ=MONTHLY;BYMONTHDAY=1")
            if number in (100, 200):
                lines.append("PRIORITY high")
            todos.append(lines)
        return ics(*todos)

    def tell(self, dana):
        source = self.old(range(214))
        dana.has("old.ics", source)
        dana.has("few.ics", self.old(range(5)))
        lines = source.decode().split("\r\n")
        broken = [number for number, line in enumerate(lines, 1) if line == "PRIORITY high"]
        rules = [number for number, line in enumerate(lines, 1) if line.startswith("RRULE:FREQ=MONTHLY")]

        dana.see("import", "few.ics", "--list", "Old")
        rehearsal = dana.see("import", "old.ics", "--list", "Old", "--dry-run", code=PARTIAL)
        self.assertIn("Dry run: nothing is changed.", rehearsal)
        # The to-dos start later, so the list hides them and counts them.
        every = ["list", "--list", "Old", "--started", "--not-started"]
        self.assertEqual(json.loads(dana.see("list", "--list", "Old", "--json")), [])
        self.assertEqual(len(json.loads(dana.see(*every, "--json"))), 5)
        done = dana.see("import", "old.ics", "--list", "Old", code=PARTIAL)
        for shown in (rehearsal, done):
            self.assert_line(shown, r"209 added, 0 updated, 5 unchanged, 0 left out \(list Old\)")
            for number in broken:
                self.assert_line(shown, f"old.ics, line {number}: there is no ':' between the name and the value; "
                                        "the line is skipped")
            told = re.search(r"(?m)^Repeat rules that are stored but cannot be edited: 3 "
                             r"\(of 12 repeating reminders; line ([\d, ]+)\)\.$", shown)
            self.assertIsNotNone(told, shown)
            # One line number for each to-do, which may be any of its lines.
            for number, rule in zip(map(int, told[1].split(", ")), rules, strict=True):
                begin = max(line for line in range(1, rule) if lines[line - 1] == "BEGIN:VTODO")
                self.assertIn(number, range(begin, rule + 1))
        self.assertEqual(len(json.loads(dana.see(*every, "--json"))), 214)
        self.assertIn("214 reminders start later and are hidden (--not-started).", dana.see("list", "--list", "Old"))
        self.assertIn("Alt 213: Größe İıIi", dana.see(*every))

        dana.see("export", "--label", "home", "--list", "Old", into="home.ics")
        home = (dana.folder / "home.ics").read_bytes().decode()
        self.assertEqual(sorted(re.findall(r"\r\nUID:([^\r]*)", home)), sorted(self.HOME))
        self.assertIn("\r\nSUMMARY:Alt 3: Größe İıIi\r\n", home)
        difference = dana.see("ics", "diff", "home.ics", "old.ics", code=1)
        self.assertEqual(len(re.findall(r"(?m)^\+ VTODO", difference)), 214 - len(self.HOME))
        self.assertNotRegex(difference, r"(?m)^[-~] VTODO")

        # The export equals the import; only the program in PRODID differs.
        dana.see("export", "--list", "Old", into="all.ics")
        self.assertEqual(dana.see("ics", "diff", "old.ics", "all.ics", code=1),
                         "~ VCALENDAR\n    ~ PRODID: -//Test//EN -> -//Remindav//Remindav//EN\n")
        again = dana.see("import", "all.ics", "--list", "Old", code=PARTIAL)
        self.assert_line(again, r"0 added, 0 updated, 214 unchanged, 0 left out \(list Old\)")
        dana.see("export", "--list", "Old", into="again.ics")
        self.assertEqual(dana.see("ics", "diff", "all.ics", "again.ics"), "Both files have the same content.\n")
        self.assertEqual((dana.folder / "all.ics").read_bytes(), (dana.folder / "again.ics").read_bytes())

        # The import can be undone.
        run = re.search(r"'remindav undo --run (\d+)' reverts this", done)[1]
        # Without a terminal, an option confirms the deletion of many.
        words = ("undo", "--run", run)
        if not dana.on_terminal:
            dana.see(*words, code=USAGE)
            words += ("--yes",)
        shown = dana.see(*words, answer="y" if dana.on_terminal else None)
        self.assertIn(": Alt 213: Größe İıIi", shown)
        self.assertEqual("[y/N]" in shown, dana.on_terminal)
        self.assertEqual({one["uid"] for one in json.loads(dana.see(*every, "--json"))},
                         {f"old-{number}" for number in range(5)})


class Greta(Story):
    """P7: scripts that may run twice, JSON, a health check, backups, and a dry run before anything is sent."""

    def setUp(self):
        super().setUp()
        self.server = self.borrow(Radicale)

    def json(self, greta, *arguments, **options):
        return json.loads(greta.see(*arguments, "--json", **options))

    def tell(self, greta):
        self.runs_twice(greta)
        self.asks_for_health(greta)
        self.checks_codes(greta)
        self.backs_up(greta)
        self.rehearses(greta)

    def runs_twice(self, greta):
        """The UID is the key: a second run creates nothing."""
        night = ics(["UID:backup-2026-11", "DTSTAMP:20261101T000000Z", "LAST-MODIFIED:20261101T000000Z",
                     "SUMMARY:Yedekleri denetle İI", "DUE:20350301T090000Z"])
        self.assertEqual(self.json(greta, "import", "-", "--list", "Lab", stdin=night)["added"], 1)
        before = json.loads(greta.see("list", "--list", "Lab", "--json"))
        self.assertEqual([(one["uid"], one["title"]) for one in before], [("backup-2026-11", "Yedekleri denetle İI")])
        report = self.json(greta, "import", "-", "--list", "Lab", stdin=night)
        self.assertEqual((report["added"], report["updated"], report["unchanged"]), (0, 0, 1))
        self.assertEqual(json.loads(greta.see("list", "--list", "Lab", "--json")), before)

        # The id of an add command is a key too.
        line = ("add", "Check the backup", "--literal", "--id", "backup-2026-12", "--list", "Lab")
        first = self.json(greta, *line, "--due", "2035-03-01 09:00")
        again = self.json(greta, *line, "--due", "2035-04-01 09:00", "--notes", "All of them")
        self.assertEqual((first.pop("added"), first.pop("differs")), (True, []))
        self.assertEqual((again.pop("added"), sorted(again.pop("differs"))), (False, ["due", "notes"]))
        self.assertEqual((again, first["uid"]), (first, "backup-2026-12"))
        self.assertIn("although this command differs in: title", greta.see("add", "x", "--id", "backup-2026-12"))
        self.assertEqual(len(json.loads(greta.see("list", "--list", "Lab", "--json"))), 2)

    def asks_for_health(self, greta):
        checks = self.json(greta, "doctor")
        levels = {one["topic"]: one["level"] for one in checks}
        locale = levels.pop("locale")
        self.assertEqual(set(levels.values()), {"ok"}, checks)
        self.assertLessEqual({"config", "zone", "disk", "store", "clock"}, set(levels))
        self.assertEqual(locale, "ok" if "UTF-8" in LOCALES[greta.locale].get("LC_ALL", "") else "warning", checks)
        store = next(one["sentence"] for one in checks if one["topic"] == "store")
        self.assertRegex(store, r"^Reminders: \d+, lists: \d, .*nothing is damaged\.$")

    def checks_codes(self, greta):
        added = self.json(greta, "add", "Replace the disk", "--literal", "--due", "2035-03-01 10:00", "--list", "Lab")
        self.assertEqual((added["title"], added["due"]), ("Replace the disk", "2035-03-01T10:00:00+01:00"))
        number = str(added["id"])
        self.assertIn(f"Completed {number}: Replace the disk", greta.see("done", number))
        self.assertIn(number, greta.see("done", number), "said, and no error")
        self.assertEqual(self.json(greta, "show", number)["status"], "completed")
        self.assertEqual(greta.see("edit", number, "--title", "Replace both", "-q"), "")
        greta.see("show", "99999", "--json", code=NOT_FOUND)
        greta.see("add", "x", "--due", "whenever", code=USAGE)

    def backs_up(self, greta):
        # With thousands it would take a minute, and test_import_export does it.
        which = ("--list", "Lab") if greta.crowded else ()
        greta.see("export", "--format", "json", "-o", "backup.json", *which)
        greta.own_files.add("backup.json")
        backup = (greta.folder / "backup.json").read_bytes()
        self.assertIn("Replace both", backup.decode())
        other = self.person(f"restored-{greta.folder.name}", on_terminal=greta.on_terminal, locale=greta.locale)
        other.has("backup.json", backup)
        other.see("import", "backup.json")
        if greta.crowded:
            self.assertEqual(*(sorted((one["uid"], one["title"], one["status"]) for one in
                                      person.json("list", "--all", "--list", "Lab")) for person in (greta, other)))
        else:
            self.assert_same(greta, other)
        other.assert_nothing_left()

    def rehearses(self, greta):
        name = f"CI {greta.folder.name}"
        greta.has("password", PASSWORD + "\n")
        greta.see("lists", "add", name)
        greta.see("add", "Deploy", "--list", name)
        account = self.json(
            greta, "account", "add", self.server.url, "--user", USER, "--password-command", "cat password", "--yes")
        self.assertEqual((account["user"], account["password"]), (USER, "command: cat password"))
        greta.see("lists", "add", name, "--account", account["name"])
        resources = self.server.request("PROPFIND", self.server.home, b"", {"Depth": "1"})[2]
        plan = self.json(greta, "sync", "--dry-run")
        self.assertEqual(self.server.request("PROPFIND", self.server.home, b"", {"Depth": "1"})[2], resources)
        mine = next(one for one in plan if one["list"] == name)
        planned = [mine[key] for key in ("pushed", "pulled", "deletedLocally", "deletedRemotely")]
        self.assertEqual(planned, [1, 0, 0, 0])
        self.assertEqual(next(one for one in self.json(greta, "sync") if one["list"] == name)["pushed"], 1)
        self.assertEqual(next(one for one in self.json(greta, "sync") if one["list"] == name)["pushed"], 0)
        account = next(one for one in self.json(greta, "doctor", "--network") if one["topic"] == "account")
        self.assertEqual((account["level"], account["sentence"]),
                         ("ok", "127.0.0.1: the server answers and accepts the password."))


# The mixin has no user of its own.
del Story

if __name__ == "__main__":
    unittest.main()

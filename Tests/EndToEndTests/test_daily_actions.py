"""The table of docs/daily-actions.md: each line of ours has its effect, and no line of another program is shorter.

The lines of taskwarrior and todoman run too, where these programs are installed.
"""

import os
import re
import shlex
import shutil
import subprocess
import unittest
from pathlib import Path

from harness import OK, EndToEnd
from servers import tool
from signin import at_terminal

PAGE = Path(__file__).resolve().parents[2] / "docs" / "daily-actions.md"
LEAST_ACTIONS = 40
ENTER = "⏎"
# The reminders of the page; the words after each title are those of our command.
STORE = ["Buy milk --due none", "Call Ben tomorrow 9am p1 @work", "Pay rent +home --due yesterday", "Water plants +home --due today",
         "Write report @work in 3 days", "Old thing --due none", "Buy paint +home --due none"]
TASKS = ["Buy milk", "Call Ben due:tomorrow+9h pri:H pro:work", "Pay rent +home due:yesterday", "Water plants +home due:eod",
         "Write report pro:work due:today+3d", "Old thing", "Buy paint +home"]
TODOS = ["Buy milk", "-d tomorrow -l work --priority high Call Ben", "-d yesterday -c home Pay rent", "-d today -c home Water plants",
         "-l work Write report", "Old thing", "-c home Buy paint"]
FILE = "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:x\r\nBEGIN:VTODO\r\nUID:new\r\nDTSTAMP:20260101T000000Z\r\n" \
       "SUMMARY:New one\r\nEND:VTODO\r\nEND:VCALENDAR\r\n"


def table():
    """The action, and for each program the line and the stated number of keystrokes; `None` without a line."""
    rows = []
    for line in PAGE.read_text().splitlines():
        cells = [cell.strip() for cell in line.strip("|").split(" | ")]
        if re.match(r"\| \d+ \| ", line):
            texts = [cell.strip("`") if cell.startswith("`") else None for cell in cells[2::2]]
            rows.append((cells[1], dict(zip(("taskwarrior", "todoman", "remindav"), zip(texts, cells[3::2])))))
    return rows


def typed(line):
    """The words of the first line, and the answers to the questions after it."""
    first, *answers = line.removesuffix(ENTER).split(ENTER)
    return shlex.split(first), answers


def field(number, name, value):
    return lambda before, after, shown: after[number][name] == value and before[number][name] != value


def shows(*titles):
    """Exactly these titles of the store are shown."""
    def check(before, after, shown):
        known = {reminder["title"] for reminder in before.values()}
        return {title for title in known if title in shown} == set(titles) and before == after
    return check


def adds(**fields):
    def check(before, after, shown):
        new = [reminder for number, reminder in after.items() if number not in before]
        return len(new) == 1 and all(new[0][name] == value or callable(value) and value(new[0][name]) for name, value in fields.items())
    return check


def says(text):
    return lambda before, after, shown: text in shown and before == after


def gone(*numbers):
    return lambda before, after, shown: set(before) - set(after) == set(numbers)


def completed(*numbers):
    return lambda before, after, shown: all(after[number]["status"] == "completed" for number in numbers) and all(
        after[number] == before[number] for number in before if number not in numbers)


OPEN = ["Buy milk", "Call Ben", "Pay rent", "Water plants", "Write report", "Buy paint"]
EFFECTS = {
    "add": adds(title="Buy eggs"),
    "add with a date": adds(title="Buy eggs", allDay=True),
    "add for tomorrow": adds(title="Buy eggs", allDay=True),
    "add with a date and a time": adds(title="Buy eggs", due=lambda due: "T09:00" in due),
    "add with a priority": adds(title="Buy eggs", priority="high"),
    "add with a label": adds(title="Buy eggs", labels=["home"]),
    "add to a list": adds(title="Buy eggs", list="work"),
    "add, repeated daily": adds(title="Pills", repeat="FREQ=DAILY"),
    "add, repeated weekly": adds(title="Bins", repeat="FREQ=WEEKLY;BYDAY=SU"),
    "add with a start": adds(title="Report", start=lambda start: start is not None),
    "add a subtask": adds(title="Buy glue", parentId=7),
    "add with an alarm": adds(title="Dentist", alarms=["-PT1H"]),
    "the next ones, or all if they fit": shows(*OPEN),
    "today": shows("Pay rent", "Water plants"),
    "overdue": shows("Pay rent"),
    "due this week": lambda before, after, shown: all(title in shown for title in ("Pay rent", "Water plants")) and "milk" not in shown,
    "without a date": shows("Buy milk", "Buy paint"),
    "of a label": shows("Pay rent", "Water plants", "Buy paint"),
    "of a list": shows("Call Ben", "Write report"),
    "of a priority": shows("Call Ben"),
    "with a word": shows("Buy milk"),
    "completed ones": shows("Old thing"),
    "the labels in use": says("home"),
    "the number of open ones": says("Open           6"),
    "all data of one": says("Number      3"),
    "complete one": completed(3),
    "complete several": completed(3, 4),
    "complete all of a label": completed(3, 4, 7),
    "undo the last change": field(6, "status", "pending"),
    "reopen a completed one": field(6, "status", "pending"),
    "title": field(3, "title", "Pay the rent"),
    "due date": lambda before, after, shown: after[3]["due"] > before[3]["due"],
    "no due date": field(3, "due", None),
    "priority": field(3, "priority", "high"),
    "add a label": field(3, "labels", ["home", "shop"]),
    "remove a label": field(3, "labels", []),
    "add a note": field(3, "notes", "Ask Ben"),
    "move to another list": field(3, "list", "work"),
    "postpone": lambda before, after, shown: after[3]["snoozedUntil"] is not None,
    "delete one": gone(3),
    "delete several": gone(3, 4),
    "export": lambda before, after, shown: shown.count("BEGIN:VTODO") == len(before) == 7,
    "import": adds(title="New one"),
    "help": says("remindav help COMMAND"),
}


class DailyActions(EndToEnd):
    def test_no_action_needs_more_keystrokes_here(self):
        rows = table()
        self.assertGreaterEqual(len(rows), LEAST_ACTIONS)
        for action, programs in rows:
            for name, (line, keys) in programs.items():
                self.assertEqual(keys, str(len(line)) if line else "-", f"{action}: {name}")
            ours = len(programs.pop("remindav")[0])
            for name, (line, _) in programs.items():
                self.assertTrue(line is None or ours <= len(line), f"{action}: {ours} keystrokes, but {len(line or '')} in {name}")

    def test_each_line_of_ours_has_its_effect(self):
        pattern = self.device("pattern")
        pattern.run("lists", "add", "Reminders")
        pattern.run("lists", "add", "work")
        for line in STORE:
            pattern.run("add", *line.split())
        pattern.run("done", "6")
        self.assertEqual({action for action, _ in table()}, set(EFFECTS))
        for number, (action, programs) in enumerate(table()):
            with self.subTest(action=action):
                device = self.device(f"device {number}")
                shutil.copytree(pattern.store, device.store)
                (device.folder / "file").write_text(FILE)
                before = self.reminders(device)
                words, answers = typed(programs["remindav"][0])
                code, shown, left = at_terminal(device, words, [(r"\[[yY]/[nN].*\] ", answer) for answer in answers],
                                                environment={"REMINDAV_PAGER": "", "TERM": "dumb"}, size=(50, 100))
                self.assertEqual((code, left), (OK, []), shown)
                self.assertTrue(EFFECTS[action](before, self.reminders(device), shown), f"{words}: {shown}")

    def reminders(self, device):
        return {each["id"]: {name: value for name, value in each.items() if name != "updatedAt"}
                for each in device.json("list", "--all")}

    def run_lines(self, program, path, lines, files, environment):
        """Runs the lines of another program, each in a copy of one home folder in which `lines` were run before."""
        environment = {**os.environ, "TZ": "Europe/Berlin", "LC_ALL": "C.UTF-8", **environment}

        def run(home, words, answers=()):
            return subprocess.run([path, *words], input="".join(f"{answer}\n" for answer in answers), cwd=home,
                                  env={**environment, "HOME": str(home)}, capture_output=True, text=True, timeout=60)
        pattern = self.folder / program
        for name, text in files.items():
            (pattern / name).parent.mkdir(parents=True, exist_ok=True)
            (pattern / name).write_text(text)
        for words in lines:
            done = run(pattern, words)
            self.assertEqual(done.returncode, 0, f"{words}: {done.stdout}{done.stderr}")
        rows = [(action, *typed(programs[program][0])) for action, programs in table() if programs[program][0]]
        for number, (action, words, answers) in enumerate(rows):
            with self.subTest(action=action):
                home = self.folder / f"{program} {number}"
                shutil.copytree(pattern, home)
                done = run(home, words, answers)
                self.assertEqual(done.returncode, 0, f"{words}: {done.stdout}{done.stderr}")

    @unittest.skipUnless(shutil.which("task"), "Taskwarrior is not installed")
    def test_taskwarrior_accepts_its_lines(self):
        # Without gc=off, a report would give the number of a completed task to another one.
        files = {".taskrc": "data.location=~/data\ngc=off\n", "data/empty": "", "file": '{"description": "New one"}\n'}
        lines = [["add", *line.split()] for line in TASKS] + [["6", "done"]]
        self.run_lines("taskwarrior", "task", lines, files, {})

    @unittest.skipUnless(os.access(tool("todo"), os.X_OK), "todoman is not installed")
    def test_todoman_accepts_its_lines(self):
        settings = ('path = "~/lists/*"\ndate_format = "%Y-%m-%d"\ntime_format = "%H:%M"\ndefault_list = "home"\n'
                    'cache_path = "~/cache"\n')
        files = {"config.py": settings, "lists/home/displayname": "home", "lists/work/displayname": "work"}
        self.run_lines("todoman", tool("todo"), [["new", *line.split()] for line in TODOS], files, {"TODOMAN_CONFIG": "config.py"})


if __name__ == "__main__":
    unittest.main()

"""The programs that commands.py measures, each in its own folder with the same to-dos."""

import json
import os
import re
import shutil
import subprocess
import sys
from datetime import datetime, timezone
from pathlib import Path
from zoneinfo import ZoneInfo

# This folder comes first on the path: the end-to-end tests have another module `corpus`.
from corpus import HEAD, ZONES, Todo
from programs import HERE, install, say

sys.path.insert(0, str(HERE.parent / "EndToEndTests"))

from folding import written  # noqa: E402
from harness import BINARY, Device  # noqa: E402
from servers import system_python  # noqa: E402

PEERS = ["todoman==4.7.0", "khal==0.13.0"]
DAY = "2027-03-01"
# The searched word. One title in 500 contains it. That to-do is open and has a part. `show` shows these to-dos too.
WORD, WORD_EVERY = "walrus", 500
# The number of reminders that a bulk action by a filter completes, and the number of runs for which there are reminders.
BULK, RUNS = 500, 12
# Left out: todoman 4.7 refuses to-dos that begin after their due time, and each program completes a series differently.
CLEARED = re.compile("DTSTART|RRULE|EXDATE")
STATE = re.compile("STATUS|COMPLETED|PERCENT-COMPLETE")


class Item:
    """One to-do: its lines, and its fields for programs without iCalendar."""

    def __init__(self, index):
        todo = Todo(index)
        self.index = index
        self.uid = todo.uid
        self.lines = [line for line in todo.lines() if not CLEARED.match(line)]
        self.is_walrus = index % WORD_EVERY == 7
        if self.is_walrus:
            lines = [line for line in self.lines if not STATE.match(line)]
            self.lines = [f"{line} {WORD}" if line.startswith("SUMMARY") else line for line in lines]
        elif index % WORD_EVERY == 8:
            self.lines.insert(-1, f"RELATED-TO:{Todo(index - 1).uid}")
        self.values = {}
        for line in self.lines:
            if line.startswith("BEGIN:VALARM"):
                break
            head, _, value = line.partition(":")
            name, _, parameters = head.partition(";")
            self.values.setdefault(name, (parameters, value))
        self.title = self.text("SUMMARY").replace("\n", " ")
        self.notes = self.text("DESCRIPTION")
        self.labels = [unescaped(label) for label in re.split(r"(?<!\\),", self.value("CATEGORIES")) if label]

    def text(self, name):
        return unescaped(self.values.get(name, ("", ""))[1])

    def value(self, name):
        return self.values.get(name, ("", ""))[1]

    @property
    def is_open(self):
        return self.value("STATUS") not in ("COMPLETED", "CANCELLED")

    def due(self):
        """In UTC; a day begins there."""
        parameters, value = self.values.get("DUE", ("", ""))
        if not value:
            return None
        if len(value) == 8:
            return datetime.strptime(value, "%Y%m%d").replace(tzinfo=timezone.utc)
        zone = ZoneInfo(parameters.partition("TZID=")[2]) if "TZID=" in parameters else timezone.utc
        return datetime.strptime(value.rstrip("Z"), "%Y%m%dT%H%M%S").replace(tzinfo=zone).astimezone(timezone.utc)

    def calendar(self):
        zones = [line for name, zone in ZONES.items() if any(f"TZID={name}" in line for line in self.lines) for line in zone]
        return written([*HEAD, *zones, *self.lines, "END:VCALENDAR"])


def unescaped(text):
    return re.sub(r"\\(.)", lambda match: "\n" if match[1] in "nN" else match[1], text)


class Program:
    """A program with its folder. `commands` are the measured commands, by name: each is a function from the number of the
    run to the arguments. `says` has the expected output of each."""

    name = ""
    says = {}

    def __init__(self, folder, items):
        self.folder = Path(folder)
        self.folder.mkdir(parents=True)
        self.items = items
        self.commands = {}
        self.environment = {
            **os.environ, "HOME": str(folder), "TZ": "Europe/Berlin", "LC_ALL": "C.UTF-8",
            "XDG_DATA_HOME": str(self.folder / "data"), "XDG_CONFIG_HOME": str(self.folder / "config"),
            "XDG_CACHE_HOME": str(self.folder / "cache"),
        }

    def ask(self, *words):
        """Returns the output."""
        return subprocess.run([str(word) for word in words], env=self.environment, check=True, stdin=subprocess.DEVNULL,
                              capture_output=True, text=True).stdout


class Remindav(Program):
    name = "Remindav"
    says = {"list": "a line for each open one", "list, 2 filters and a sort": "a line for each open one with a date",
            "search": "a line for each", "add": "what was added", "done": "one line",
            "done of 500": "ten lines and the number of the others", "show": "all about it and its part"}

    def __init__(self, folder, items):
        super().__init__(folder, items)
        whole = self.folder / "all.ics"
        lines = [line for item in items for line in item.lines]
        whole.write_bytes(written([*HEAD, *(line for zone in ZONES.values() for line in zone), *lines, "END:VCALENDAR"]))
        device = Device(self.folder, "laptop")
        device.run("import", whole, timeout=600)
        self.environment = device.environment
        self.program = self.folder / "remindav"
        # A copy, as an installation makes one: the kernel caches the file of the linker in small pieces, and starts it later.
        program = shutil.copy(BINARY, self.folder / "remindav")
        listed = device.json("list")
        opened = [str(one["id"]) for one in listed if not one["title"].endswith(WORD)]
        # Each run completes reminders of its own by a label; the first ones are left to the single `done`.
        size = min(BULK, len(opened) // (RUNS + 1))
        for run in range(RUNS):
            part = opened[(run + 1) * size:(run + 2) * size]
            device.run("edit", ",".join(part), "--label", f"bulk{run}")
        walruses = [str(one["id"]) for one in listed if one["title"].endswith(WORD)]
        # Filters that leave out as few to-dos as possible are the slowest.
        every_priority = [word for name in ("high", "medium", "low", "none") for word in ("--priority", name)]
        self.commands = {
            "list": lambda _: [program, "list"],
            "list, 2 filters and a sort": lambda _: [
                program, "list", "--due-after", "2000-01-01", *every_priority, "--sort", "priority,title"],
            "search": lambda _: [program, "search", WORD],
            "add": lambda run: [program, "add", f"Bench {run}", "--due", DAY],
            "done": lambda run: [program, "done", opened[run]],
            "done of 500": lambda run: [program, "done", "--label", f"bulk{run}", "--yes"],
            "show": lambda run: [program, "show", walruses[run % len(walruses)]],
            "--version": lambda _: [program, "--version"],
        }


class Todoman(Program):
    name = "todoman"
    says = {"list": "a line for each open one", "search": "a line for each, by the title alone", "add": "what was added",
            "done": "what was done", "show": "all about it but alarms and parts"}

    def __init__(self, folder, items, programs):
        super().__init__(folder, items)
        tasks = self.folder / "calendars" / "tasks"
        tasks.mkdir(parents=True)
        for item in items:
            (tasks / f"{item.index:06}.ics").write_bytes(item.calendar())
        config = self.folder / "todoman.py"
        config.write_text(f'path = "{folder}/calendars/*"\ndate_format = "%Y-%m-%d"\ntime_format = "%H:%M"\n'
                          f'default_list = "tasks"\ncache_path = "{folder}/cache.sqlite3"\n')
        self.environment["TODOMAN_CONFIG"] = str(config)
        todo = programs / "todo"
        # This fills the cache, too.
        listed = json.loads(self.ask(todo, "--porcelain", "list"))
        opened = [one["id"] for one in listed if not one["summary"].endswith(WORD)]
        walruses = [one["id"] for one in listed if one["summary"].endswith(WORD)]
        self.commands = {
            "list": lambda _: [todo, "list"],
            "search": lambda _: [todo, "list", "--grep", WORD],
            "add": lambda run: [todo, "new", f"Bench {run}", "--due", DAY],
            "done": lambda run: [todo, "done", opened[run]],
            "show": lambda run: [todo, "show", walruses[run % len(walruses)]],
            "--version": lambda _: [todo, "--version"],
        }


class Taskwarrior(Program):
    name = "taskwarrior"
    says = {"list": "a line for each open one", "search": "a line for each", "add": "one line", "done": "two lines",
            "show": "all that it was given"}

    def __init__(self, folder, items):
        super().__init__(folder, items)
        program = shutil.which("task")
        if not program:
            install("taskwarrior")
            program = shutil.which("task")
        settings = self.folder / "taskrc"
        # As wide as it is on a broad terminal: a title on several lines would take it longer.
        settings.write_text(f"data.location={folder}/tasks\nconfirmation=no\nhooks=0\ndefaultwidth=200\n")
        self.environment["TASKRC"] = str(settings)
        subprocess.run([program, "import", "-"], input="\n".join(map(self.task, items)).encode(), env=self.environment,
                       check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        opened = [self.uuid(item) for item in items if item.is_open and not item.is_walrus]
        walruses = [self.uuid(item) for item in items if item.is_walrus]
        self.commands = {
            "list": lambda _: [program, "list"],
            "search": lambda _: [program, f"/{WORD}/", "list"],
            "add": lambda run: [program, "add", f"Bench {run}", f"due:{DAY}"],
            "done": lambda run: [program, opened[run], "done"],
            "show": lambda run: [program, walruses[run % len(walruses)], "info"],
            "--version": lambda _: [program, "--version"],
        }

    @staticmethod
    def uuid(item):
        return item.uid.lower()

    @classmethod
    def task(cls, item):
        """As its own JSON. No repeats: it would make tasks of them by itself."""
        task = {"uuid": cls.uuid(item), "description": item.title, "entry": item.value("CREATED"),
                "status": "pending" if item.is_open else "completed" if item.value("STATUS") == "COMPLETED" else "deleted"}
        if not item.is_open:
            task["end"] = item.value("COMPLETED") or item.value("LAST-MODIFIED")
        if item.due():
            task["due"] = item.due().strftime("%Y%m%dT%H%M%SZ")
        if priority := {"1": "H", "5": "M", "9": "L"}.get(item.value("PRIORITY")):
            task["priority"] = priority
        if item.labels:
            task["tags"] = [re.sub(r"\W", "_", label) for label in item.labels]
        if item.notes:
            task["annotations"] = [{"entry": item.value("CREATED"), "description": item.notes}]
        return json.dumps(task, ensure_ascii=False)


class Khal(Program):
    """Has no to-dos: it is given an event for each, in 2027."""

    name = "khal (events)"
    says = {"list": "a line for each of the year, and for each day", "search": "a line for each", "add": "nothing"}

    def __init__(self, folder, items, programs):
        super().__init__(folder, items)
        events = self.folder / "events"
        events.mkdir()
        for item in items:
            (events / f"{item.index:06}.ics").write_bytes(self.event(item))
        config = self.folder / "khal.conf"
        config.write_text(
            f"[calendars]\n[[bench]]\npath = {events}\n[locale]\ntimeformat = %H:%M\ndateformat = %Y-%m-%d\n"
            "longdateformat = %Y-%m-%d\ndatetimeformat = %Y-%m-%d %H:%M\nlongdatetimeformat = %Y-%m-%d %H:%M\n"
            "local_timezone = Europe/Berlin\ndefault_timezone = Europe/Berlin\n"
            f"[sqlite]\npath = {folder}/khal.db\n[default]\ndefault_calendar = bench\n")
        program = [programs / "khal", "-c", config]
        # This fills its database.
        self.ask(*program, "list", "2027-01-01", "2027-01-02")
        self.commands = {
            "list": lambda _: [*program, "list", "2027-01-01", "2028-01-01"],
            "search": lambda _: [*program, "search", WORD],
            "add": lambda run: [*program, "new", DAY, "09:00", f"Bench {run}"],
            "--version": lambda _: [programs / "khal", "--version"],
        }

    @staticmethod
    def event(item):
        day = f"2027{item.index % 12 + 1:02}{item.index % 28 + 1:02}"
        names = ("SUMMARY", "DESCRIPTION", "CATEGORIES", "LOCATION")
        texts = [f"{name}:{item.value(name)}" for name in names if item.value(name)]
        return written([*HEAD, "BEGIN:VEVENT", f"UID:{item.uid}", "DTSTAMP:20260101T000000Z", *texts,
                        f"DTSTART:{day}T090000Z", f"DTEND:{day}T100000Z", "END:VEVENT", "END:VCALENDAR"])


class Empty(Program):
    """Minimal Swift programs, compiled like ours: a lower bound of the times."""

    name = "empty program"
    says = {"add": "nothing: a row into a table of SQLite, as safely"}
    ROW = """
import CSQLite

var database: OpaquePointer?
sqlite3_open(CommandLine.arguments[1], &database)
let sql = "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; CREATE TABLE IF NOT EXISTS bench (title TEXT);"
let result = sqlite3_exec(database, sql + "INSERT INTO bench VALUES ('Bench')", nil, nil, nil)
guard result == SQLITE_OK, sqlite3_close(database) == SQLITE_OK else { fatalError() }
"""

    def __init__(self, folder, items):
        super().__init__(folder, items)
        for name, text in (("empty", ""), ("row", self.ROW)):
            (self.folder / f"{name}.swift").write_text(text)
            subprocess.run(["swiftc", "-O", "-static-stdlib", "-I", HERE.parent.parent / "Sources" / "CSQLite",
                            f"{name}.swift", "-o", name], cwd=folder, check=True)
        self.commands = {
            "add": lambda _: [self.folder / "row", self.folder / "row.db"],
            "--version": lambda _: [self.folder / "empty"],
        }


class Floor(Empty):
    """The same in C, which loads nothing but SQLite."""

    name = "floor in C"
    says = {"add": "nothing: the row, as safely"}

    def __init__(self, folder, items):
        Program.__init__(self, folder, items)
        program = self.folder / "row_floor"
        subprocess.run(["cc", "-std=c11", "-Wall", "-Wextra", "-Werror", "-O2", "-o", program,
                        HERE / "peers" / "row_floor.c", "-lsqlite3"], check=True)
        self.commands = {"add": lambda _: [program, self.folder / "row.db"]}


def installed(folder):
    """The folder with the peers that are Python, in an environment of their own; made once."""
    mark = folder / "installed"
    if not mark.exists() or mark.read_text() != " ".join(PEERS):
        say(f"installing {', '.join(PEERS)}")
        shutil.rmtree(folder, ignore_errors=True)
        subprocess.run([system_python(), "-m", "venv", folder], check=True)
        subprocess.run([folder / "bin" / "pip", "install", "--quiet", *PEERS], check=True)
        mark.write_text(" ".join(PEERS))
    return folder / "bin"

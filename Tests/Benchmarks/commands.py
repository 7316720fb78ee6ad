"""How long a person waits for a command with many reminders, beside other programs with the same ones.

    commands.py [COUNT [ROUNDS]]

`list`, `add`, `done` and `show` of remindav; of todoman 4.7 the same; of taskwarrior `next`, `add`, `done` and `info`; and
of each, with an empty program of Swift beside them, what `--version` takes, which is the start of the program and nothing
more. khal has no to-dos: its events, one for each reminder, are listed and added to.

Programs take turns, round after round, so that what else the machine does hits all; medians are compared. What keeps a
cache gets two rounds to build it first. A program that cannot be had is left out, and that is said.
"""

import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "EndToEndTests"))

import corpus  # noqa: E402
from harness import BINARY, Device  # noqa: E402
from list import one_label_line  # noqa: E402
from programs import install, say  # noqa: E402
from servers import system_python, tool  # noqa: E402

KHAL = "khal==0.13.0"
DAY = "2027-03-01"


class Program:
    """A program with its folder; `commands` are what is measured, by name, each a function of the round."""

    def __init__(self, name, environment, version, commands):
        self.name = name
        self.environment = environment
        self.commands = {"--version": lambda _: version, **commands}

    def run(self, what, number):
        words = [str(word) for word in self.commands[what](number)]
        started = time.perf_counter()
        done = subprocess.run(words, env=self.environment, stdin=subprocess.DEVNULL, capture_output=True)
        seconds = time.perf_counter() - started
        if done.returncode != 0:
            raise SystemExit(f"{words} failed: {(done.stderr or done.stdout).decode()[-500:]}")
        return seconds


def peer_environment(folder, **more):
    return {**os.environ, "HOME": str(folder), "TZ": "Europe/Berlin", "LC_ALL": "C.UTF-8",
            "XDG_DATA_HOME": str(folder / "data"), "XDG_CONFIG_HOME": str(folder / "config"),
            "XDG_CACHE_HOME": str(folder / "cache"), **more}


def remindav(folder, count):
    folder.mkdir()
    whole = folder / "all.ics"
    whole.write_bytes(one_label_line(corpus.calendar(range(count))))
    laptop = Device(folder, "laptop")
    laptop.run("import", whole, timeout=600)
    opened = [str(one["id"]) for one in laptop.json("list") if not one["repeat"]]
    return Program("remindav", laptop.environment, [BINARY, "--version"], {
        "list": lambda _: [BINARY, "list"],
        "add": lambda number: [BINARY, "add", f"Bench {number}", "--due", DAY],
        "done": lambda number: [BINARY, "done", opened[number]],
        "show": lambda number: [BINARY, "show", opened[-1 - number]],
    })


def todoman(folder, count):
    tasks = folder / "calendars" / "tasks"
    tasks.mkdir(parents=True)
    for index in range(count):
        (tasks / f"{index:06}.ics").write_bytes(one_label_line(corpus.calendar([index])))
    (folder / "todoman.py").write_text(
        f'path = "{folder}/calendars/*"\ndate_format = "%Y-%m-%d"\ntime_format = "%H:%M"\n'
        f'default_list = "tasks"\ncache_path = "{folder}/cache.sqlite3"\n')
    program = tool("todo")
    return Program("todoman", peer_environment(folder, TODOMAN_CONFIG=str(folder / "todoman.py")), [program, "--version"], {
        "list": lambda _: [program, "list"],
        "add": lambda number: [program, "new", f"Bench {number}", "--due", DAY],
        # The numbers of its cache; of the last, which no list shows first.
        "done": lambda number: [program, "done", count - number],
        "show": lambda number: [program, "show", count // 2 + number],
    })


def taskwarrior(folder, count):
    if not shutil.which("task"):
        install("taskwarrior")
    folder.mkdir()
    (folder / "taskrc").write_text(f"data.location={folder}/tasks\nconfirmation=no\nverbose=nothing\nhooks=0\n")
    environment = peer_environment(folder, TASKRC=str(folder / "taskrc"))
    tasks = "\n".join(
        f'{{"description":"Bench task {index}","status":"pending","entry":"20260101T000000Z",'
        f'"uuid":"00000000-0000-4000-8000-{index:012}","due":"2027{index % 12 + 1:02}{index % 28 + 1:02}T090000Z"}}'
        for index in range(count))
    subprocess.run(["task", "import", "-"], input=tasks.encode(), env=environment, check=True, stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL)
    return Program("taskwarrior", environment, ["task", "--version"], {
        "list": lambda _: ["task", "next", "limit:none"],
        "add": lambda number: ["task", "add", f"Bench {number}", f"due:{DAY}"],
        "done": lambda number: ["task", f"00000000-0000-4000-8000-{number:012}", "done"],
        "show": lambda number: ["task", f"00000000-0000-4000-8000-{count - 1 - number:012}", "info"],
    })


def khal(folder, count):
    environment = folder.parent / "khal-venv"
    subprocess.run([system_python(), "-m", "venv", environment], check=True)
    subprocess.run([environment / "bin" / "pip", "install", "--quiet", KHAL], check=True)
    events = folder / "events"
    events.mkdir(parents=True)
    for index in range(count):
        day = f"2027{index % 12 + 1:02}{index % 28 + 1:02}"
        (events / f"{index:06}.ics").write_bytes(
            f"BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//bench//EN\r\nBEGIN:VEVENT\r\nUID:bench-{index}\r\n"
            f"DTSTAMP:20260101T000000Z\r\nSUMMARY:Bench event {index}\r\nDTSTART:{day}T090000Z\r\n"
            f"DTEND:{day}T100000Z\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n".encode())
    config = folder / "khal.conf"
    config.write_text(
        f"[calendars]\n[[bench]]\npath = {events}\n[locale]\ntimeformat = %H:%M\ndateformat = %Y-%m-%d\n"
        "longdateformat = %Y-%m-%d\ndatetimeformat = %Y-%m-%d %H:%M\nlongdatetimeformat = %Y-%m-%d %H:%M\n"
        f"[sqlite]\npath = {folder}/khal.db\n[default]\ndefault_calendar = bench\n")
    program = [environment / "bin" / "khal", "-c", config]
    return Program("khal (events)", peer_environment(folder), [environment / "bin" / "khal", "--version"], {
        "list": lambda _: [*program, "list", "2027-01-01", "2027-12-31"],
        "add": lambda number: [*program, "new", DAY, "09:00", f"Bench {number}"],
    })


def empty(folder, _):
    folder.mkdir()
    (folder / "empty.swift").write_text("")
    subprocess.run(["swiftc", "-O", "empty.swift", "-o", "empty"], cwd=folder, check=True)
    return Program("an empty program of Swift", peer_environment(folder), [folder / "empty"], {})


def main(count=10_000, rounds=7):
    with tempfile.TemporaryDirectory(prefix="remindav-bench-") as folder:
        programs = []
        for make in (remindav, todoman, taskwarrior, khal, empty):
            say(f"preparing {make.__name__}")
            try:
                programs.append(make(Path(folder) / make.__name__, count))
            except subprocess.CalledProcessError as error:
                print(f"{make.__name__} cannot be had here and is left out: {error}")
        times = {}
        for number in range(-2, rounds):
            for program in programs:
                for what in program.commands:
                    seconds = program.run(what, number + 2)
                    if number >= 0:
                        times.setdefault((what, program.name), []).append(seconds)
        print(f"{count} reminders, {rounds} rounds, medians")
        for what in ("--version", "list", "show", "add", "done"):
            for program in programs:
                values = times.get((what, program.name))
                if values:
                    print(f"{what:10} {program.name:26} {statistics.median(values) * 1000:9.1f} ms "
                          f"({min(values) * 1000:.1f} to {max(values) * 1000:.1f})")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))

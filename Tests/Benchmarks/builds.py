"""Compares the speed of two builds of Remindav, for example of a commit and of the one before it.

    builds.py OLD NEW [--count N] [--rounds N]      the paths of two programs; default: 10000 reminders and 31 rounds

The script measures `list`, `search`, `show`, `add`, `done`, `import` of a tenth of the reminders, and a `sync` that
changes nothing. Each build has a store and a Radicale collection of its own, with the same reminders. The builds take
turns, and the order within a turn alternates. The quotients are medians over all turns: above 1, the new build is slower. The
processor time is less affected by other load of the machine than the wall time. Exits with 1 if the processor time of a
command is more than 2 % above that of the old build, or if the new build loads libpq or libsodium for a command.
"""

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "EndToEndTests"), str(HERE)]

MOST = 1.02
WARM_UP = 2
SYNC = "sync without changes"
# These belong to hosts; a command for the store of one user loads neither of them.
FOREIGN = "libpq", "libsodium"


class Build:
    def __init__(self, folder, program, address, password, whole):
        folder.mkdir()
        self.program = shutil.copy(program, folder / "remindav")
        self.environment = {**os.environ, "HOME": str(folder), "TZ": "Europe/Berlin", "LC_ALL": "C.UTF-8",
                            "REMINDAV_STORE": str(folder / "store"), "XDG_CONFIG_HOME": str(folder / "config")}
        self.run("import", whole)
        self.run("account", "add", address, "--user", "user", "--password-stdin", text=password + "\n")
        account = json.loads(self.run("account", "list", "--json"))[0]["name"]
        self.run("lists", "add", "Reminders", "--account", account)
        for _ in range(2):
            self.run("sync")

    def run(self, *words, text=None):
        done = subprocess.run([self.program, *map(str, words)], env=self.environment, input=text or "", capture_output=True,
                              text=True)
        if done.returncode != 0:
            raise SystemExit(f"{' '.join(map(str, words))} ended with {done.returncode}:\n{done.stderr[-1000:]}")
        return done.stdout

    def measured(self, words):
        """The seconds of the processor and of the clock."""
        begun = time.monotonic()
        pid = os.posix_spawn(self.program, ["remindav", *map(str, words)], self.environment, file_actions=[
            (os.POSIX_SPAWN_OPEN, number, os.devnull, os.O_RDWR, 0) for number in range(3)])
        _, status, usage = os.wait4(pid, 0)
        wall = time.monotonic() - begun
        if status != 0:
            raise SystemExit(f"{' '.join(map(str, words))} ended with status {status}")
        return usage.ru_utime + usage.ru_stime, wall

    def loaded(self, words):
        """The names of the libraries of hosts that a command loads, as the linker reports them."""
        done = subprocess.run([self.program, *map(str, words)], env={**self.environment, "LD_DEBUG": "files"}, text=True,
                              stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        if done.returncode != 0 or "libsqlite3" not in done.stderr:
            raise SystemExit(f"{' '.join(map(str, words))} ended with {done.returncode}, or the linker reported nothing.")
        return [name for name in FOREIGN if name in done.stderr]


def renamed(part, turn):
    """A file with the reminders of another one, with other UIDs."""
    file = part.with_name(f"part-{turn}.ics")
    file.write_bytes(part.read_bytes().replace(b"\nUID:", b"\nUID:%d-" % turn))
    return file


def commands(part):
    """The arguments of each command in a turn; each turn completes a reminder of its own."""
    return {
        "list": lambda turn: ["list"],
        "search": lambda turn: ["search", "boiler"],
        "show": lambda turn: ["show", 100 + turn],
        "add": lambda turn: ["add", f"Call number {turn}", "--due", "2035-03-01 12:00"],
        "done": lambda turn: ["done", 200 + turn],
        SYNC: lambda turn: ["sync"],
        "import": lambda turn: ["import", renamed(part, turn)],
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("old", type=Path)
    parser.add_argument("new", type=Path)
    parser.add_argument("--count", type=int, default=10000)
    parser.add_argument("--rounds", type=int, default=31)
    arguments = parser.parse_args()
    if arguments.count <= 200 + WARM_UP + arguments.rounds:
        parser.error("Each turn completes a reminder of its own, so --count must be larger.")
    from realservers.base import PASSWORD
    from realservers.radicale import Radicale
    from servers import install
    install(["radicale"])
    passed = True
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        whole, part = folder / "whole.ics", folder / "part.ics"
        for count, file in (arguments.count, whole), (arguments.count // 10, part):
            subprocess.run([sys.executable, HERE / "corpus.py", str(count), file], check=True)
        radicales, builds = [], []
        try:
            for path in arguments.old, arguments.new:
                radicales.append(Radicale())
                radicales[-1].start()
                address = radicales[-1].url + radicales[-1].path[1:]
                builds.append(Build(folder / str(len(builds)), path.resolve(), address, PASSWORD, whole))
            print("| command | old, processor | new / old, processor | new / old, clock |\n|---|---|---|---|", flush=True)
            for what, words in commands(part).items():
                processor, clock, olds = [], [], []
                if what == SYNC:
                    # The edits before are sent, and the answers are read.
                    for build in builds * 2:
                        build.run("sync")
                for turn in range(WARM_UP + arguments.rounds):
                    order = builds if turn % 2 == 0 else builds[::-1]
                    runs = {id(build): build.measured(words(turn)) for build in order}
                    old, new = (runs[id(build)] for build in builds)
                    if turn >= WARM_UP:
                        processor.append(new[0] / old[0])
                        clock.append(new[1] / old[1])
                        olds.append(old[0])
                quotient = statistics.median(processor)
                passed = passed and quotient <= MOST
                print(f"| {what} | {statistics.median(olds) * 1000:.1f} ms | {quotient:.3f} "
                      f"| {statistics.median(clock):.3f} |{'' if quotient <= MOST else ' MISSED'}", flush=True)
                foreign = builds[1].loaded(words(WARM_UP + arguments.rounds))
                if foreign:
                    passed = False
                    print(f"{what} loads {' and '.join(foreign)}.")
        finally:
            for radicale in radicales:
                radicale.stop()
    return 0 if passed else 1


if __name__ == "__main__":
    sys.exit(main())

"""How long `remindav list` takes on many reminders, beside todoman on the same to-dos.

    list.py [COUNT [ROUNDS]]

Rounds take turns, so that what else the machine does hits both; the medians are compared. todoman gets two rounds to
build its cache first, which is its best case. Prints one line per program and the ratio, and fails when remindav takes
a tenth of todoman's time or more.
"""

import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "EndToEndTests"))

import corpus  # noqa: E402
from harness import BINARY, Device  # noqa: E402
from servers import tool  # noqa: E402


def one_label_line(data):
    """todoman 4.7 cannot read a to-do with two lines of CATEGORIES; it gets one. Both programs get the same."""
    seen = False
    kept = []
    for line in re.split(rb"\r\n(?![ \t])", data):
        if line == b"BEGIN:VTODO":
            seen = False
        if line.startswith(b"CATEGORIES"):
            if seen:
                continue
            seen = True
        kept.append(line)
    return b"\r\n".join(kept)


def timed(command, environment):
    started = time.perf_counter()
    done = subprocess.run(command, env=environment, stdin=subprocess.DEVNULL, capture_output=True)
    seconds = time.perf_counter() - started
    if done.returncode != 0:
        raise SystemExit(f"{command[0]} failed: {done.stderr.decode()[:500]}")
    return seconds, done.stdout


def main(count=10_000, rounds=7):
    with tempfile.TemporaryDirectory(prefix="remindav-bench-") as folder:
        folder = Path(folder)
        tasks = folder / "calendars" / "tasks"
        tasks.mkdir(parents=True)
        for index in range(count):
            (tasks / f"{index:06}.ics").write_bytes(one_label_line(corpus.calendar([index])))
        whole = folder / "all.ics"
        whole.write_bytes(one_label_line(corpus.calendar(range(count))))
        laptop = Device(folder, "laptop")
        laptop.run("import", whole, timeout=600)
        (folder / "todoman.py").write_text(
            f'path = "{folder}/calendars/*"\ndate_format = "%Y-%m-%d"\ntime_format = "%H:%M"\n'
            f'default_list = "tasks"\ncache_path = "{folder}/cache"\n')
        peer = {**os.environ, "HOME": str(folder), "TZ": "Europe/Berlin", "LC_ALL": "C.UTF-8",
                "TODOMAN_CONFIG": str(folder / "todoman.py")}
        ours, theirs = [str(BINARY), "list"], [tool("todo"), "list"]
        for _ in range(2):
            timed(ours, laptop.environment)
            timed(theirs, peer)
        times = {"remindav": [], "todoman": []}
        for _ in range(rounds):
            times["remindav"].append(timed(ours, laptop.environment)[0])
            times["todoman"].append(timed(theirs, peer)[0])
        lines = {"remindav": len(timed(ours, laptop.environment)[1].splitlines()),
                 "todoman": len(timed(theirs, peer)[1].splitlines())}
        medians = {name: statistics.median(values) for name, values in times.items()}
        for name, values in times.items():
            print(f"{name} list, {count} reminders: median {medians[name] * 1000:.1f} ms "
                  f"({min(values) * 1000:.1f} to {max(values) * 1000:.1f}), {rounds} rounds, {lines[name]} lines")
        ratio = medians["todoman"] / medians["remindav"]
        print(f"todoman takes {ratio:.1f} times as long")
        return 0 if ratio > 10 else 1


if __name__ == "__main__":
    raise SystemExit(main(*map(int, sys.argv[1:])))

"""Compares the engine with libical, Python's libraries and ical.js, and checks the bounds of the project.

    engine.py [--sizes N,N] [--rounds N] [--only PART,PART] [--keep FOLDER] [--corpus FILE]...

Builds or installs everything, makes its own to-dos (corpus.py), and prints one table. In each round the programs of one
part run one after the other, and another one is first in each round, so that other load affects all of them. A ratio is
computed for each round; the median is printed with the smallest and the largest value. It is a ratio of processor time,
which other processes disturb least; the ratio of wall time stands beside it. The exit status is 1 if a ratio is missed.

  --sizes   numbers of to-dos; default 10000,100000
  --rounds  default 5
  --only    some of: text rules memory peers
  --keep    a folder for programs and to-dos of the next run; without it they are temporary
  --corpus  files with other to-dos instead of ours
"""

import argparse
import platform
import statistics
import subprocess
import sys
import tempfile
from collections import namedtuple
from pathlib import Path

from programs import HERE, Programs, say

# Programs of a comparison: (label, program, arguments). A label with "!" at its end is timed from outside, as a process.
# A ratio: name, slower label, faster label, bound. A positive bound is a minimum, a negative one a maximum, `None` no bound.
Part = namedtuple("Part", "name runs ratios same")
Row = namedtuple("Row", "what ours theirs ratio least most clock asked isKept")

SHAPES = ["FREQ=DAILY", "FREQ=DAILY;INTERVAL=3", "FREQ=WEEKLY;BYDAY=MO,WE,FR", "FREQ=WEEKLY;INTERVAL=2;WKST=SU;BYDAY=TU",
          "FREQ=MONTHLY;BYMONTHDAY=1", "FREQ=MONTHLY;BYDAY=-1FR", "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1",
          "FREQ=MONTHLY;BYMONTHDAY=-1;UNTIL=20301231T235959", "FREQ=YEARLY", "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29",
          "FREQ=YEARLY;BYMONTH=11;BYDAY=4TH", "FREQ=YEARLY;INTERVAL=2;BYMONTH=1,7;BYDAY=1MO"]
# Rule, number of occurrences, and the bound of the ratio to libical.
EXPANSIONS = [("FREQ=DAILY", 10_000, 15), ("FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,WE,FR;WKST=SU", 10_000, None),
              ("FREQ=MONTHLY;BYDAY=-1FR", 1000, 20), ("FREQ=YEARLY;BYWEEKNO=1,20,-1;BYDAY=MO,WE,FR", 1000, None),
              ("FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1,1", 1000, None),
              ("FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29", 100, None)]


def text_part(path):
    """Runs all operations on a text. Compared programs run one after the other."""
    # Of a small file, a whole process is mostly the start of a program that also speaks HTTP.
    whole = 8 if path.stat().st_size > 50e6 else None
    return Part(
        path.name,
        [("floor", "floor", [path]), ("ours, parse", "engine", ["parse", path]), ("parse", "libical_text", ["parse", path]),
         ("ours, values", "engine", ["values", path]), ("values", "libical_text", ["values", path]),
         ("ours, rewrite", "engine", ["rewrite", path]), ("rewrite", "libical_text", ["rewrite", path]),
         ("ours, file!", "remindav", ["ics", "format", path]), ("file!", "libical_text", ["format", path]),
         ("ours, fields", "engine", ["fields", path]), ("ours, split", "engine", ["split", path]),
         ("ours, edit", "engine", ["edit", path]), ("ours, format", "engine", ["format", path])],
        [("parse into components, x libical", "parse", "ours, parse", 15),
         ("parse into components, x the floor's time", "ours, parse", "floor", -5),
         ("parse, every value typed, x libical", "values", "ours, values", 4),
         ("parse and write back, x libical", "rewrite", "ours, rewrite", 15),
         ("`ics format`, whole process, x libical in C", "file!", "ours, file!", whole),
         ("parse, six fields of each to-do, x libical's parse", "parse", "ours, fields", None),
         ("components of a stream, x libical's parse", "parse", "ours, split", None),
         ("parse, edit one title, write, x libical's parse and write", "rewrite", "ours, edit", None),
         ("parse and format in memory, x libical's parse and write", "rewrite", "ours, format", None)],
        ["components", "todos", "moments", "integers", "durations", "rules", "text"],
    )


def rule_parts(programs):
    for rule, count, asked in EXPANSIONS:
        words = ["expand", rule, count, "20200101T090000"]
        runs = [("ours", "engine", words), ("libical", "libical_rules", words)]
        ratios = [(f"{rule}, {count}, x libical", "libical", "ours", asked)]
        for name, label in [("python", "dateutil"), ("node", "ical.js")]:
            if name in programs.commands:
                runs.append((label, name, words))
                ratios.append((f"{rule}, {count}, x {label}", label, "ours", None))
        yield Part(rule, runs, ratios, ["found", "sum"])
    for count, label, name, asked in [(100_000, "libical", "libical_rules", 20), (600, "dateutil", "python", None)]:
        if name in programs.commands:
            words = ["next", count, *SHAPES]
            yield Part("next", [("ours", "engine", words), (label, name, words)],
                       [(f"{count} `next after 2026-01-01` of rules from 2010, x {label}", label, "ours", asked)],
                       ["found", "sum"])


def peer_parts(programs, path):
    for name, label in [("python", "python icalendar"), ("node", "ical.js")]:
        for task in ["parse", "rewrite"] if name in programs.commands else []:
            yield Part(task, [("ours", "engine", [task, path]), (label, name, [task, path])],
                       [(f"{task} of 1000 to-dos, x {label}", label, "ours", None)],
                       ["components"] if task == "parse" else [])


def measured(programs, part, rounds):
    """The figures of each run of a part, by label, a list with one entry a round."""
    figures = {label: [] for label, _, _ in part.runs}
    for turn in range(rounds):
        shift = turn % len(part.runs)
        for label, name, words in part.runs[shift:] + part.runs[:shift]:
            run = programs.run_whole if label.endswith("!") else programs.run
            figures[label].append(run(name, *words))
    for key in part.same:
        # A program reports 0 for things that it does not count.
        found = {label: runs[0].found[key] for label, runs in figures.items() if runs[0].found.get(key)}
        if len(set(found.values())) > 1:
            # A peer may be wrong where nothing is asked: libical 3 miscounts BYWEEKNO=-1.
            if any(asked for *_, asked in part.ratios):
                raise SystemExit(f"{part.name}: not the same work, {key} is {found}")
            print(f"| not the same result: {key} is {found} |")
    return figures


def rows(part, figures):
    for what, slow, fast, asked in part.ratios:
        ratios = [slower.cpu / faster.cpu for slower, faster in zip(figures[slow], figures[fast])]
        clock = statistics.median(s.wall / f.wall for s, f in zip(figures[slow], figures[fast]))
        ratio = statistics.median(ratios)
        ours, theirs = (fast, slow) if fast.startswith("ours") else (slow, fast)
        kept = None if asked is None else ratio >= asked if asked > 0 else ratio <= -asked
        yield Row(what, *(statistics.median(run.cpu for run in figures[label]) for label in (ours, theirs)),
                  ratio, min(ratios), max(ratios), clock, asked, kept)


def show(row, size=None):
    asked = "" if row.asked is None else f"{'>=' if row.asked > 0 else '<='} {abs(row.asked)}"
    speed = f"{size / 1e6 / row.ours:8.0f}" if size else " " * 8
    print(f"| {row.what:<72} | {row.ours * 1000:10.3f} | {speed} | {row.theirs * 1000:10.3f} | {row.ratio:7.2f} | "
          f"{f'{row.least:.2f}-{row.most:.2f}':>15} | {row.clock:7.2f} | {asked:>5} | {verdict(row.isKept):<6} |", flush=True)


def verdict(kept):
    return "" if kept is None else "ok" if kept else "MISSED"


def memory(programs, paths, big):
    """Peaks: a whole tree against the file, an import against a fixed bound."""
    kept = []
    empty = programs.folder / "empty.ics"
    empty.write_bytes(b"BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n")
    for path in paths:
        size = path.stat().st_size
        for what, name, words, asked in [("whole tree", "engine", ["tree"], 2.5),
                                         ("`ics format`", "remindav", ["ics", "format"], None)]:
            peak = programs.run_whole(name, *words, path).memory
            own = programs.run_whole(name, *words, empty).memory
            # Of a small file, most of it is the program itself.
            ratio = (peak if size > 50e6 else peak - own) / size
            kept.append(asked is None or ratio <= asked)
            print(f"peak memory, {what}, {size / 1e6:.1f} MB: {peak / 1e6:.1f} MB, {own / 1e6:.1f} MB of an empty calendar; "
                  f"{ratio:.2f} x the file" + (f"; at most {asked}: {verdict(kept[-1])}" if asked else ""), flush=True)
    for path in [*paths, big]:
        size = path.stat().st_size
        for what, name, words, asked in [("components of a stream", "engine", ["stream", path], 64),
                                         ("`remindav import`", "remindav", ["import", path], 64)]:
            run = programs.run_whole(name, *words)
            kept.append(run.memory <= asked * 1e6)
            print(f"peak memory, {what}, {size / 1e6:.1f} MB in {run.wall:.2f} s: {run.memory / 1e6:.1f} MB; "
                  f"at most {asked}: {verdict(kept[-1])}", flush=True)
    return all(kept)


def made(folder, count, copies=1):
    """A file of our to-dos. Another process writes it: the memory of this process counts as the memory of its children."""
    path = Path(folder) / f"todos-{count * copies}.ics"
    if not path.exists():
        say(f"writing {count * copies} to-dos")
        unfinished = path.with_suffix(".part")
        subprocess.run([sys.executable, HERE / "corpus.py", str(count), unfinished, "--copies", str(copies)], check=True)
        unfinished.rename(path)
    return path


def run(arguments, folder):
    programs = Programs(folder)
    programs.prepare()
    sizes = [int(size) for size in arguments.sizes.split(",")]
    only = arguments.only.split(",")
    paths = [Path(path).resolve() for path in arguments.corpus] or [made(folder, size) for size in sizes]
    kept = []
    print(f"{platform.platform()}, {platform.machine()}; {arguments.rounds} rounds; times in ms of processor time")
    print(f"| {'what':<72} | {'ours':>10} | {'MB/s':>8} | {'theirs':>10} | {'ratio':>7} | {'of the rounds':>15} | "
          f"{'clock':>7} | asked |        |")

    def take(parts, size=None):
        for part in parts:
            for row in rows(part, measured(programs, part, arguments.rounds)):
                show(row, size)
                kept.append(row.isKept is not False)

    if "text" in only:
        for path in paths:
            print(f"| {path.name}, {path.stat().st_size / 1e6:.1f} MB |")
            take([text_part(path)], path.stat().st_size)
    if "rules" in only:
        take(rule_parts(programs))
    if "peers" in only:
        small = made(folder, 1000)
        take(peer_parts(programs, small), small.stat().st_size)
    if "memory" in only:
        kept.append(memory(programs, paths, made(folder, max(sizes), 5)))
    return 0 if all(kept) else 1


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", default="10000,100000")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--only", default="text,rules,peers,memory")
    parser.add_argument("--keep")
    parser.add_argument("--corpus", action="append", default=[])
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="remindav-bench-") as temporary:
        raise SystemExit(run(chosen, chosen.keep or temporary))

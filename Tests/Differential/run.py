"""Compares random recurrence rules in three engines: this one, libical and python-dateutil.

    run.py                        50,000 rules, and the test of each row of docs/recurrence.md
    run.py --count 5000000 --judge 50 --keep FILE
                                  the long run: of cases on which two engines agree, the judge checks one in 50; an
                                  interrupted run continues at the end of FILE
    run.py --seed S --chunk N     repeats one part of a run
    run.py --case START RULE      prints the answers of each engine and of the judge for one rule

Rows of docs/recurrence.md (rows.py) must explain each difference, and the judge (reference.py) must agree with this
engine. An unexplained difference is printed with the command that shows it again, and the run fails.
"""

import argparse
import collections
import itertools
import json
import multiprocessing
import os
import subprocess
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

import cases  # noqa: E402
import reference  # noqa: E402
from rows import DATEUTIL, LIBICAL, ROWS  # noqa: E402

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
# Each rule is expanded for this number of years: the next Monday on a 29 February may be 40 years away.
YEARS = 45
CHUNK = 1000
# The judge checks one of this number of cases on which all engines agree.
SAMPLE = 50
# The others' time for the example of a row, in times of that for a random rule.
PATIENCE = 40
# A chunk takes some seconds; an engine that needs this long hangs.
CHUNK_SECONDS = 1800
DEFAULT_SEED = "5545"


class Engines:
    """The three programs, as commands."""

    def __init__(self, commands):
        self.commands = commands

    @staticmethod
    def build(expander):
        folder = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "remindav-tests"
        folder.mkdir(parents=True, exist_ok=True)
        flags = subprocess.run(
            ["pkg-config", "--cflags", "--libs", "libical"], capture_output=True, text=True, check=True).stdout.split()
        program = folder / "libical_rules"
        fresh = folder / f"libical_rules.{os.getpid()}"
        subprocess.run(["cc", "-O2", "-Wall", "-o", fresh, HERE / "libical_rules.c", *flags], check=True)
        os.replace(fresh, program)
        return Engines({
            "ours": [str(expander)],
            "libical": [str(program)],
            "dateutil": [sys.executable, str(HERE / "dateutil_rules.py")],
        })

    def patient(self):
        """The same with more time for the others: their answer to a finite rule must not depend on the load of the machine."""
        return Engines({
            name: command if name == "ours" else [*command, str(PATIENCE)] for name, command in self.commands.items()})

    def answers(self, name, lines):
        """One `(mark, occurrences)` for each case."""
        text = "".join(f"{start}|{rule}|{cases.LIMIT}|{int(start[:4]) + YEARS}\n" for start, rule in lines)
        done = subprocess.run(
            self.commands[name], input=text, capture_output=True, text=True, timeout=CHUNK_SECONDS, check=True)
        found = [(words[0], words[1:]) for words in map(str.split, done.stdout.splitlines())]
        if len(found) != len(lines):
            raise RuntimeError(f"{name}: {len(found)} answers to {len(lines)} cases. {done.stderr[-500:]}")
        return found


def is_beginning(part, whole):
    return whole[:len(part)] == part


class Judge:
    """One case on which the engines differ."""

    def __init__(self, start, text, answers):
        self.start = reference.Start(start)
        self.rule = reference.Rule(text)
        self.answers = answers
        self.known = {}
        self.found, self.mark, self.reach = self.expected(())

    def expected(self, readings):
        key = frozenset(readings)
        if key not in self.known:
            expansion = reference.Expansion(self.rule, self.start, self.start.local.year + YEARS, key)
            self.known[key] = expansion.lines(cases.LIMIT)
        return self.known[key]

    def complaint(self):
        """The error in our answer according to the RFC; `None` without an error."""
        mark, found = self.answers["ours"]
        if mark == "T":
            # Given up: right only where the judge finds nothing more.
            return None if found == self.found and self.mark != "+" else "ours gave up, and there are occurrences"
        if self.mark == "T":
            # The judge has searched only up to its limit.
            ours, judged = ([x for x in words if x < self.reach] for words in (found, self.found))
            return None if ours == judged else "ours and the judge differ"
        return None if (mark, found) == (self.mark, self.found) else "ours and the judge differ"

    def explanation(self, engine, sorted_answer):
        """The rows that explain the engine's answer; empty when none do."""
        mark, found = self.answers[engine]
        rows = [row for row in (LIBICAL if engine == "libical" else DATEUTIL) if row.applies(self.rule, self.start)]
        by_kind = collections.defaultdict(list)
        for row in rows:
            if not row.holds(mark, found, self.found):
                continue
            by_kind[row.kind].append(row.id)
        if mark == "X":
            return by_kind["crashed"][:1]
        if mark == "T" and self.is_beginning(found, self.found, self.mark):
            return by_kind["gave up"][:1]
        if mark == "E" and (by_kind["refused"] or not self.found):
            return (by_kind["refused"] or by_kind["refused as empty"])[:1]
        readings = [row for row in rows if row.reading]
        # libical gives no iterator to a rule that it finds nothing for.
        refusal = by_kind["refused as empty"][:1] if mark == "E" else []
        tries = [(("." if refusal else mark, found), refusal)]
        if by_kind["sorted"] and sorted_answer:
            tries.append((sorted_answer, by_kind["sorted"]))
        for answer, ids in tries:
            for size in range(min(len(readings), 4) + 1):
                for chosen in itertools.combinations(readings, size):
                    if (size or ids != refusal or self.mark == "T") and self.is_answer(*answer, [row.reading for row in chosen]):
                        return [row.id for row in chosen] + ids or by_kind["gave up"][:1]
        return by_kind["other"][:1] or self.reading_and_more(rows, readings, mark, found)

    def reading_and_more(self, rows, readings, mark, found):
        """A reading with an answer that differs from the other engine's in the way that a row describes."""
        checked = [row for row in rows if row.check]
        for size in range(1, min(len(readings), 4) + 1 if checked else 0):
            for chosen in itertools.combinations(readings, size):
                expected = self.expected([row.reading for row in chosen])[0]
                for row in checked:
                    if row.holds(mark, found, expected):
                        return [row.id for row in chosen] + [row.id]
        return []

    def is_answer(self, mark, found, readings):
        expected, expected_mark, reach = self.expected(readings)
        return self.is_same(mark, found, expected, expected_mark)

    def is_same(self, mark, found, expected, expected_mark):
        if mark == "T" or expected_mark == "T":
            return is_beginning(found, expected) or is_beginning(expected, found)
        return (mark, found) == (expected_mark, expected)

    def is_beginning(self, found, expected, expected_mark):
        return is_beginning(found, expected) or (expected_mark == "T" and is_beginning(expected, found))


def in_order(text):
    """The rule with its lists in order."""
    parts = [part.partition("=") for part in text.split(";")]
    return ";".join(
        f"{name}={','.join(map(str, sorted(map(int, value.split(',')))))}" if name in reference.LISTS else f"{name}={value}"
        for name, _, value in parts)


def settled(rule, start, engine, answer, ours, sorted_answer):
    """The row that must explain a different answer if two engines agree; `None` without a row.

    This does not check that another reading of the rule gives exactly this answer. The judge checks it for a sample.
    """
    (mark, found), (_, expected) = answer, ours
    rows = [row for row in (LIBICAL if engine == "libical" else DATEUTIL) if row.applies(rule, start)]

    def first(*kinds):
        return next((row.id for row in rows if row.kind in kinds and row.holds(mark, found, expected)), None)

    if mark == "X":
        return first("crashed")
    if mark == "T":
        return first("gave up") if is_beginning(found, expected) else None
    if mark == "E":
        return first("refused", *([] if expected else ["refused as empty"]))
    if sorted_answer == ours:
        return first("sorted")
    return first("reading", "other")


def settle(lines, answers, different, sorted_answers, judge_one_in):
    """`(engine, row)` pairs of the cases that need no judge, and there is a row about rules like this one.

    In such a case another engine answers as this one does, or no engine has found an occurrence.
    """
    explained = {}
    for number, index in enumerate(different):
        mine = answers["ours"][index]
        others = [engine for engine in ("libical", "dateutil") if answers[engine][index] != mine]
        found_any = any(answers[name][index][1] for name in answers)
        if number % judge_one_in == 0 or mine[0] == "T" or (len(others) > 1 and found_any):
            continue
        start, text = lines[index]
        rows = [
            (engine, settled(reference.Rule(text), reference.Start(start), engine, answers[engine][index], mine,
                             sorted_answers.get(index) if engine == "libical" else None))
            for engine in others
        ]
        if all(row for _, row in rows):
            explained[index] = rows
    return explained


def compare(engines, lines, judge_one_in=1):
    """`(rows by number of cases, unexplained cases, agreements)`."""
    answers = {name: engines.answers(name, lines) for name in engines.commands}
    different = [
        index for index in range(len(lines))
        if not answers["ours"][index] == answers["libical"][index] == answers["dateutil"][index]
    ]
    # libical once more, with lists in order.
    again = [index for index in different if in_order(lines[index][1]) != lines[index][1]]
    in_order_answers = dict(zip(again, engines.answers("libical", [
        (lines[index][0], in_order(lines[index][1])) for index in again]))) if again else {}
    counts = collections.Counter()
    trouble = []
    for index in list(different):
        # One gave up, with the beginning of an answer in which the two others agree: no judge is needed.
        mark, found = answers["ours"][index]
        for engine, other in (("libical", "dateutil"), ("dateutil", "libical")):
            part = answers[engine][index]
            if mark != "T" and (mark, found) == answers[other][index] and part[0] == "T" and is_beginning(part[1], found):
                counts[f"{engine}-gave-up"] += 1
                counts[f"{engine}-gave-up, the third agrees"] += 1
                counts[f"{engine} differs"] += 1
                different.remove(index)
    explained = settle(lines, answers, different, in_order_answers, judge_one_in)
    for rows in explained.values():
        for engine, row in rows:
            counts.update([row, f"{engine} differs"])
            counts[f"{row}, the third agrees"] += len(rows) == 1
    different = [index for index in different if index not in explained]
    # All three engines may have the same error: the judge also checks some cases on which they agree.
    agreed = set(range(len(lines))) - set(different) - set(explained)
    for index in sorted(agreed)[::SAMPLE]:
        judge = Judge(*lines[index], {"ours": answers["ours"][index]})
        counts["agreed, judged"] += 1
        if judge.complaint():
            trouble.append((*lines[index], f"all agree: {judge.complaint()}"))
    for index in different:
        start, text = lines[index]
        judge = Judge(start, text, {name: found[index] for name, found in answers.items()})
        complaint = judge.complaint()
        counts["judged"] += 1
        if complaint:
            trouble.append((start, text, complaint))
            continue
        counts["judged to the end"] += judge.mark != "T"
        for engine in ("libical", "dateutil"):
            if judge.answers[engine] in (judge.answers["ours"], (judge.mark, judge.found)):
                continue
            rows = judge.explanation(engine, in_order_answers.get(index))
            if not rows:
                trouble.append((start, text, f"{engine} differs without a row"))
            counts[f"{engine} differs"] += 1
            other = judge.answers["dateutil" if engine == "libical" else "libical"]
            for row in rows:
                counts[row] += 1
                counts[f"{row}, the third agrees"] += other == judge.answers["ours"]
    for engine in ("libical", "dateutil"):
        counts[f"{engine} agrees"] = sum(a == b for a, b in zip(answers["ours"], answers[engine]))
    counts["all agree"] = sum(
        a == b == c for a, b, c in zip(answers["ours"], answers["libical"], answers["dateutil"]))
    counts["cases"] = len(lines)
    counts["with occurrences"] = sum(bool(found) for _, found in answers["ours"])
    counts["ours gave up"] = sum(mark == "T" for mark, _ in answers["ours"])
    return counts, trouble


def show(engines, start, text):
    for name in engines.commands:
        mark, found = engines.answers(name, [(start, text)])[0]
        print(f"{name:9}", mark, *found)
    judge = Judge(start, text, {name: engines.answers(name, [(start, text)])[0] for name in engines.commands})
    print(f"{'judge':9}", judge.mark, *judge.found)
    counts, trouble = compare(engines, [(start, text)])
    print(*[row.id for row in ROWS if counts[row.id]], *[words for _, _, words in trouble])


def work(task):
    engines, seed, chunk, count, judge_one_in = task
    try:
        return chunk, *compare(engines, list(cases.cases(f"{seed}:{chunk}", count)), judge_one_in)
    except Exception as error:  # one chunk must not end a run of hours; it fails all the same
        return chunk, collections.Counter(), [("chunk", str(chunk), f"{type(error).__name__}: {error}")]


def run(engines, seed, count, judge_one_in, keep):
    """Compares `count` cases on all processors. Returns the results of `compare`, with the chunk of each error."""
    total, trouble = collections.Counter(), []
    done = set()
    for line in Path(keep).read_text().splitlines() if keep and Path(keep).exists() else []:
        chunk, counts, found = json.loads(line)
        done.add(chunk)
        total.update(counts)
        trouble += [(chunk, *case) for case in found]
    tasks = [
        (engines, seed, chunk, min(CHUNK, count - chunk * CHUNK), judge_one_in)
        for chunk in range((count + CHUNK - 1) // CHUNK) if chunk not in done
    ]
    with multiprocessing.Pool(os.cpu_count()) as pool, open(keep or os.devnull, "a") as kept:
        for chunk, counts, found in pool.imap_unordered(work, tasks):
            total.update(counts)
            trouble += [(chunk, *case) for case in found]
            print(json.dumps([chunk, counts, found]), file=kept, flush=True)
    return total, trouble


def report(total, trouble, seed, seconds):
    print(f"{total['cases']} rules, seed {seed}, {seconds:.0f} s; {total['with occurrences']} have occurrences.")
    print(f"All three agree on {total['all agree']}, libical and this engine on {total['libical agrees']}, "
          f"dateutil and this engine on {total['dateutil agrees']}.")
    print(f"The judge looked at {total['judged']} differences, at {total['judged to the end']} of them to the end; "
          f"this engine gave up on {total['ours gave up']}, where there is nothing to find.")
    print(f"Of those without a difference it looked at {total['agreed, judged']}.")
    print("  explained   the third engine agrees with this one")
    for row in ROWS:
        print(f"{total[row.id]:11} {total[f'{row.id}, the third agrees']:11} {row.id}")
    for chunk, start, text, words in trouble[:40]:
        print(f"{words}: {start} {text}")
        print(f"    run.py --seed {seed} --chunk {chunk}, or run.py --case '{start}' '{text}'")
    print(f"{len(trouble)} differences without explanation")


def rows_hold(engines):
    """Tests the example of each row and its entry in docs/recurrence.md. Returns the rows that fail."""
    text = (ROOT / "docs" / "recurrence.md").read_text()
    bad = []
    for row in ROWS:
        counts, trouble = compare(engines if row.kind == "gave up" else engines.patient(), [row.example])
        if trouble or not counts[row.id] or f"`{row.id}`" not in text or row.example[1] not in text:
            bad.append(row.id)
            print(f"{row.id}: {trouble} {[other.id for other in ROWS if counts[other.id]]}")
    return bad


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--count", type=int, default=50_000)
    parser.add_argument("--seed", default=DEFAULT_SEED)
    parser.add_argument("--judge", type=int, default=1, metavar="N",
                        help="of the cases that settle() explains, judge one in N all the same")
    parser.add_argument("--chunk", type=int)
    parser.add_argument("--case", nargs=2)
    parser.add_argument("--expander", default=str(ROOT / ".build" / "release" / "RuleExpander"))
    parser.add_argument("--counts", help="file for the numbers of passed and failed checks, and the names of those that failed")
    parser.add_argument("--keep", help="file with a line for each chunk that is done; such chunks are not run again")
    arguments = parser.parse_args()
    engines = Engines.build(arguments.expander)
    if arguments.case:
        show(engines, *arguments.case)
        return 0
    started = time.monotonic()
    if arguments.chunk is not None:
        total, found = work((engines, arguments.seed, arguments.chunk, CHUNK, 1))[1:]
        trouble, bad, checks = [(arguments.chunk, *case) for case in found], [], 1
    else:
        bad = rows_hold(engines)
        total, trouble = run(engines, arguments.seed, arguments.count, arguments.judge, arguments.keep)
        checks = len(ROWS) + 1
    report(total, trouble, arguments.seed, time.monotonic() - started)
    bad += ["a difference without explanation"] if trouble else []
    failed = len(bad)
    print(f"{checks - failed} checks passed, {failed} failed", flush=True)
    if arguments.counts:
        Path(arguments.counts).write_text("\n".join([f"{checks - failed} {failed}", *bad]) + "\n")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

"""Compares docs/requirements.md with the tests: each id has its row, each row its states, each test its function.

  python3 Tests/requirements.py                  all ids exist in order, and so do all named tests
  python3 Tests/requirements.py --ran FILE...    and they have passed: the files have the output of `swift test` (not
                                                 filtered) and of Tests/EndToEndTests/run.py

A row is | id | requirement | implementation | states |. The states have semicolons between them: `done:` with one to
three tests in backquotes, `open:` with the missing part. A test is `File.function`
(Swift), `module.Class.test` (end to end) or `run.sh: NAME` (a check of Tests/run.sh, which reports its own failure).
"""

import ast
import re
import sys
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "requirements.md"
UNIT_TESTS = sorted((ROOT / "Tests").glob("*Tests/**/*.swift"))
END_TO_END = ROOT / "Tests" / "EndToEndTests"
IDS = [f"{letter}{number:02}" for letter, last in (("A", 37), ("N", 33), ("H", 22), ("L", 23), ("E", 42))
       for number in range(1, last + 1)]
STATES = ("done", "open")
MOST_TESTS = 3


def swift_tests():
    """`File.function` to the names of its tests in the output of the runner; several tests can have one name."""
    found = {}
    for path in UNIT_TESTS:
        text = path.read_text()
        # A comment may speak of @Test.
        for match in re.finditer(r"^ *@Test\b", text, re.M):
            rest = text[match.end():]
            function = re.search(r"\bfunc\s+`?(\w+)`?", rest)
            if function:
                title = re.match(r'\(\s*"((?:[^"\\]|\\.)*)"', rest)
                called = '"' + re.sub(r"\\(.)", r"\1", title[1]) + '"' if title else f"{function[1]}()"
                found.setdefault(f"{path.stem}.{function[1]}", []).append(called)
    return found


class EndToEndTests:
    """The classes of the end-to-end tests with their bases, parsed and not run."""

    def __init__(self):
        self.classes = {}       # name to bases and methods, of all modules
        self.places = set()     # module.Class
        self.scenarios = set()
        for path in sorted(END_TO_END.rglob("*.py")):
            for node in ast.walk(ast.parse(path.read_text())):
                if isinstance(node, ast.ClassDef):
                    bases = [base.id for base in node.bases if isinstance(base, ast.Name)]
                    methods = {one.name for one in node.body if isinstance(one, ast.FunctionDef)}
                    self.classes[path.stem, node.name] = (bases, methods)
                    self.places.add(f"{path.stem}.{node.name}")
                if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "scenario":
                    if node.args and isinstance(node.args[0], ast.Constant):
                        sentence = node.args[0].value
                        self.scenarios.add("test_" + re.sub(r"[^a-z0-9]+", "_", sentence.lower()).strip("_"))

    def methods(self, module, name, seen=()):
        """The methods of a class and of its bases; a class of the same module is preferred."""
        if name in seen:
            return set()
        places = [(module, name)]
        if places[0] not in self.classes:
            places = [key for key in self.classes if key[1] == name]
        found = set()
        for place in places:
            bases, methods = self.classes[place]
            found |= methods
            for base in bases:
                found |= self.methods(place[0], base, (*seen, name))
        return found

    def has(self, test):
        module, name, method = test.split(".")
        if module == "test_scenarios":
            # A class for each server is made there.
            server = name.removeprefix("Over")
            return name != server and any(key[1] == server for key in self.classes) and method in self.scenarios
        return f"{module}.{name}" in self.places and method in self.methods(module, name)


def rows():
    """Line number, id, and the cells of the row."""
    for number, line in enumerate(PAGE.read_text().splitlines(), 1):
        if re.match(r"\| [A-Z]\d\d \|", line):
            cells = [cell.strip() for cell in line.strip().strip("|").split(" | ")]
            yield number, cells[0], cells


def states_of(cell):
    """(state, text) of each part of a cell."""
    for part in re.split(r"; (?=(?:done|open)\b)", cell):
        state = next((one for one in STATES if part == one or part.startswith(one + ":")), None)
        yield state, part[len(state):].lstrip(": ") if state else part


def outcomes(paths):
    """The outcomes of each test by its name: a list of words. The names of Swift tests are those of `swift_tests`."""
    swift, python = {}, {}
    for path in paths:
        current = None
        for line in Path(path).read_text(errors="replace").splitlines():
            # "✔ Test "a title" with 3 test cases passed after 0.1 seconds."; a title may hold quotation marks.
            match = re.match(r'\S+ +Test (".*"|\w+\(.*?\))(?: with \d+ test cases?)? (passed|failed|skipped)\b', line)
            if match:
                called = re.sub(r"\(.*\)$", "()", match[1]) if match[1].endswith(")") else match[1]
                swift.setdefault(called, []).append(match[2])
                continue
            match = re.match(r"test_\w+ \((\w+\.\w+\.test_\w+)\)", line)
            if match:
                current = match[1]
                python.setdefault(current, "")
            # The output of a test may be between its name and its outcome.
            outcome = re.search(r"(?:^|\.\.\. )(ok|FAIL|ERROR|skipped)\b", line)
            if current and outcome and python[current] not in ("FAIL", "ERROR"):
                python[current] = outcome[1]
    return swift, python


def not_passed(test, swift, names, python):
    """Why a test that is there counts as not run; `None` when it passed."""
    if test.startswith("run.sh: "):
        return None
    if test.count(".") == 2:
        if test not in python:
            return "did not run"
        return {"ok": None, "skipped": "was skipped", "": "has no outcome"}.get(python[test], "failed")
    called = names[test][0]
    words = swift.get(called, [])
    # If several tests have one name, the output does not distinguish them: then all of them have to pass.
    wanted = sum(one.count(called) for one in names.values())
    if "failed" in words:
        return "failed"
    if words.count("passed") < wanted:
        return "was skipped" if "skipped" in words else "did not run"
    return None


def counts_line(counts):
    return (f"Of {len(IDS)} rows {counts['done']} have a part that is done, {counts['whole']} of them are done as a "
            f"whole; {counts['open']} have an open part.")


def main(arguments):
    troubles = []
    trouble = lambda text: troubles.append(f"docs/requirements.md: {text}")
    ran = arguments[1:] if arguments[:1] == ["--ran"] else []
    if arguments and not ran:
        print(__doc__.strip(), file=sys.stderr)
        return 2
    missing = [path for path in ran if not Path(path).is_file()]
    if missing:
        print(f"There is no file {missing[0]}.", file=sys.stderr)
        return 2

    found = list(rows())
    ids = [one for _, one, _ in found]
    for one in IDS:
        if ids.count(one) != 1:
            trouble(f"{one} has {ids.count(one)} rows")
    for one in sorted(set(ids) - set(IDS)):
        trouble(f"{one} is no id")
    if not troubles and ids != IDS:
        first = next(one for one, expected in zip(ids, IDS) if one != expected)
        trouble(f"{first} does not stand in its order")

    counts = Counter()
    named = {}
    for number, one, cells in found:
        if len(cells) != 4 or not all(cells):
            trouble(f"line {number}, {one}: a row has four cells with something in them, this has {len(cells)}")
            continue
        seen = []
        for state, text in states_of(cells[3]):
            seen.append(state)
            tests = re.findall(r"`([^`]+)`", text)
            if state is None:
                trouble(f"{one}: '{text}' is no state")
            elif state == "done" and not (1 <= len(tests) <= MOST_TESTS and text == "`" + "`, `".join(tests) + "`"):
                trouble(f"{one}: done has one to {MOST_TESTS} tests and nothing else, not '{text}'")
            elif state == "open" and not text:
                trouble(f"{one}: open does not name the missing part")
            if state == "done":
                for test in tests:
                    named.setdefault(test, []).append(one)
        for state in set(seen):
            counts[state] += 1
            if seen.count(state) > 1:
                trouble(f"{one}: '{state}' stands there twice")
        counts["whole"] += seen == ["done"]

    names = swift_tests()
    end_to_end = EndToEndTests()
    checks = set(re.findall(r'^check "([^"]+)"', (ROOT / "Tests" / "run.sh").read_text(), re.M))
    swift, python = outcomes(ran)
    for test, places in named.items():
        where = " ".join(places)
        if test.startswith("run.sh: "):
            if test.removeprefix("run.sh: ") not in checks:
                trouble(f"{where}: Tests/run.sh has no check '{test.removeprefix('run.sh: ')}'")
                continue
        elif test.count(".") == 2:
            if not end_to_end.has(test):
                trouble(f"{where}: there is no end-to-end test {test}")
                continue
        elif len(names.get(test, [])) != 1:
            trouble(f"{where}: there are {len(names.get(test, []))} tests {test}")
            continue
        reason = not_passed(test, swift, names, python) if ran else None
        if reason:
            trouble(f"{where}: {test} {reason}")

    if counts_line(counts) not in " ".join(PAGE.read_text().split()):
        trouble(f"the counts at its head are not these: {counts_line(counts)}")
    for text in troubles:
        print(text)
    print(counts_line(counts))
    passed = ", all have passed" if ran and not troubles else ""
    print(f"{len(named)} tests are named{passed}; {len(troubles)} troubles")
    return 1 if troubles else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

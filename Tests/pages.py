"""Generates the parts of docs/ that would repeat the code: limits, commands, options, settings, targets, JSON keys.

  python3 Tests/pages.py --check [--program FILE]     exits with 1 if a generated part differs from the code
  python3 Tests/pages.py --write [--program FILE]     writes the parts

A generated part stands between two comments, which stay:

  <!-- generated: NAME -->
  <!-- end of NAME -->

NAME is one of: limits; targets; commands GROUP (a group of `remindav help --all`); options; settings; json TYPE. FILE is the
built program; without it, the debug build. The function of each part below names its source.
"""

import argparse
import json
import re
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"
PART = re.compile(r"(<!-- generated: ([^\n]*?) -->\n)(.*?)(<!-- end of \2 -->)", re.S)


def table(head, rows):
    """A table of Markdown."""
    lines = ["| " + " | ".join(cells) + " |" for cells in [head, *rows]]
    lines.insert(1, "|---" * len(head) + "|")
    return "\n".join(lines).replace("|  |", "| |") + "\n"


def cell(text):
    return text.replace("|", "\\|")


def column(text, number):
    """The cells of a column by the first cell of their rows: a column that is written by hand is kept."""
    rows = [[one.strip() for one in re.split(r"(?<!\\)\|", line)[1:-1]] for line in text.splitlines() if line.startswith("| `")]
    return {cells[0].strip("`"): cells[number] for cells in rows if len(cells) > number}


# -- limits ----------------------------------------------------------------------------------------------------------

# A constant is a limit by its name; in a struct of limits each field is one.
BY_NAME = re.compile(
    r"^ *(?:(?:public|package|private|fileprivate) )*static let "
    r"(?P<name>(?:maximum|longest|largest|most)[A-Za-z]*|[a-z][A-Za-z]*Limit|limit)(?:: [A-Za-z.]+)? = "
    r"(?!Option|Self)(?P<value>.+)$", re.M)
FIELD = re.compile(r"^ *(?:(?:public|package|private) )*(?:var|let) (?P<name>[A-Za-z]+)(?:: [A-Za-z0-9]+)?(?: = (?P<value>[^{\n]+))?$",
                   re.M)
STANDARD = re.compile(r"static let standard = Self\(([^)]*)\)", re.S)
KNOWN = {"ClockTime.secondsPerDay": "86400", "CalendarDate.lastDayNumber": "2932896"}


def value_of(expression, others):
    """The number of a Swift expression of digits, shifts and other constants; `None` for anything else."""
    text = re.sub(r"//.*", "", expression).strip().rstrip(",")
    text = re.sub(r"^(?:Duration)?\.seconds\((.*)\)$", r"\1", text)
    for name, known in [*KNOWN.items(), *((f"Self.{name}", str(number)) for name, number in others.items()),
                        *((name, str(number)) for name, number in others.items())]:
        text = re.sub(rf"(?<![\w.]){re.escape(name)}\b", known, text)
    text = re.sub(r"(?<=\d)_(?=\d)", "", text)
    return eval(text, {"__builtins__": {}}) if re.fullmatch(r"[\d\s.+*<()-]+", text) else None


def comment_above(text, position):
    """The doc comment that ends directly above a line, as one text."""
    lines = text[:text.rfind("\n", 0, position) + 1].splitlines()
    found = []
    while lines and lines[-1].strip().startswith("///"):
        found.insert(0, lines.pop().strip()[3:].strip())
    return " ".join(line for line in found if line)


def limits_of(path):
    """`Type.constant` to (value, doc comment), for every limit of a source file; the type is that of the file's name."""
    text = path.read_text()
    found = {}

    def keep(name, expression, place):
        number = value_of(expression, {name: value for name, (value, _) in found.items()})
        if number is not None:
            found[name] = (number, comment_above(text, place))

    for match in BY_NAME.finditer(text):
        keep(match["name"], match["value"], match.start("name"))
    owner = path.stem
    structure = re.search(r"struct (\w*Limits)\b.*?\n}", text, re.S)
    if structure:
        owner, body = structure[1], structure[0]
        for match in FIELD.finditer(body):
            if match["value"]:
                keep(match["name"], match["value"], structure.start() + match.start("name"))
        comments = {match["name"]: comment_above(text, structure.start() + match.start("name"))
                    for match in FIELD.finditer(body)}
        for fields in STANDARD.findall(body):
            for name, expression in re.findall(r"(\w+): ([^,\n]+)", fields):
                found[name] = (value_of(expression, {}), comments.get(name, ""))
    return {f"{owner}.{name}": limit for name, limit in found.items()}


def with_unit(name, number):
    """The value with the unit that the name of the constant contains."""
    last = re.findall(r"[A-Z]?[a-z]+", name)[-1].lower()
    if last in ("bytes", "octets"):
        for size, unit in ((1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB")):
            if number >= size and number % size == 0:
                return f"{number // size:,} {unit}"
        return f"{number:,} bytes"
    if last in ("seconds", "milliseconds", "days", "minutes", "hours"):
        return f"{number:,} {'s' if last == 'seconds' else last}"
    return f"{number:,}"


def limits(old):
    """The named constants of Sources, by target, with their doc comments as reasons.

    The last column, the effect beyond the limit, is written by hand in the table and kept; a new limit has none yet.
    """
    effects = column(old, 3)
    by_target = {}
    for path in sorted((ROOT / "Sources").rglob("*.swift")):
        found = limits_of(path)
        if found:
            by_target.setdefault(path.relative_to(ROOT / "Sources").parts[0], {}).update(found)
    order = {name: number for number, (name, _) in enumerate(layers())}
    text = ""
    for target in sorted(by_target, key=lambda name: (order.get(name, 99), name)):
        rows = [[f"`{name}`", with_unit(name, number), cell(comment), effects.get(name, "")]
                for name, (number, comment) in by_target[target].items()]
        text += f"\n## {target}\n\n" + table(["constant", "value", "reason", "beyond it"], rows)
    return text.lstrip("\n")


def check_limits():
    """The problems that a comparison does not find: a missing reason or effect, and a quoted text that does not exist."""
    sources = "\n".join(path.read_text() for path in sorted((ROOT / "Sources").rglob("*.swift")))
    code = re.sub(r"^ *///?.*$", "", sources, flags=re.M)
    # The interpolated parts of a text become …, so that a comment can quote it.
    plain = re.sub(r"\\\((?:[^()]|\([^()]*\))*\)", "…", code).replace("\\\"", "\"")
    page = (DOCS / "limits.md").read_text()
    effects = column(page, 3)
    for path in sorted((ROOT / "Sources").rglob("*.swift")):
        for name, (_, comment) in limits_of(path).items():
            if not comment:
                yield f"{path.relative_to(ROOT)}: {name} has no doc comment with its reason"
            if not effects.get(name):
                yield f"docs/limits.md: {name} has no effect in the last column"
    for quoted in re.findall(r"‹(.*?)›", page):
        if quoted not in plain:
            yield f"docs/limits.md: no text of the program is ‹{quoted}›"


# -- targets ---------------------------------------------------------------------------------------------------------

@cache
def layers():
    """(name, comment) for each row of the table `layers` in Package.swift, in its order."""
    text = (ROOT / "Package.swift").read_text()
    body = text[text.index("let layers"):]
    body = body[:body.index("\n]\n")]
    found, comment = [], []
    for line in body.splitlines():
        row = re.match(r' *\(?"(\w+)",', line)
        if re.match(r" *// \d  ", line):
            continue
        if line.strip().startswith("//"):
            comment.append(line.strip()[2:].strip())
        elif line.strip() != "(":
            # Without a parenthesis and a comment, the line belongs to a list of imports.
            if row and (line.strip().startswith("(") or comment):
                found.append((row[1], " ".join(comment)))
            comment = []
    return found


def targets():
    """The rows of `layers` in Package.swift; the comment above a row is `// DUTY` or `// DUTY Without: THINGS.`."""
    rows = []
    for name, comment in layers():
        duty, _, without = comment.partition(" Without: ")
        duty = re.sub(r"\bdecision (\d{4})\b", link_to_decision, duty)
        rows.append([f"`{name}`", duty, without.rstrip(".")])
    return table(["target", "responsibility", "must not contain"], rows)


def link_to_decision(match):
    found = list((DOCS / "decisions").glob(f"{match[1]}-*.md"))
    return f"[{match[1]}](decisions/{found[0].name})" if found else match[0]


def check_targets():
    for name, comment in layers():
        if not comment:
            yield f"Package.swift: {name} has no comment with its responsibility"


# -- the program's own tables ----------------------------------------------------------------------------------------

PROGRAM = None


@cache
def output(*arguments):
    """The output of the program without a store and without settings."""
    with tempfile.TemporaryDirectory() as home:
        environment = {"HOME": home, "PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"}
        return subprocess.run([PROGRAM, *arguments], env=environment, capture_output=True, text=True, check=True).stdout


def section(text, title):
    """The (left, right) columns of a part of a help page; a further line of the right column is joined."""
    lines = text.split(f"\n{title}\n", 1)[1].split("\n\n")[0].splitlines()
    rows = []
    for line in lines:
        match = re.match(r"  ( *\S.*?)  +(\S.*)$", line)
        if match and len(line) - len(line.lstrip()) < 10:
            rows.append([match[1].strip(), match[2]])
        else:
            rows[-1][1] += " " + line.strip()
    return rows


def usage(name):
    """The usage lines of a command, each without the name of the program."""
    text = output("help", *name.split())
    block = text.split("\nUsage: ", 1)[1].split("\n\n")[0]
    lines = [line.strip() for line in block.splitlines()]
    first = lines[0].removeprefix(f"remindav {name}").strip()
    return " ".join([first, *lines[1:]]).strip()


def commands(group):
    """The commands of a group of `remindav help --all`: usage and summary."""
    rows = []
    for name, summary in section(output("help", "--all"), group):
        rows.append([f"`{cell(f'{name} {usage(name)}'.strip())}`", cell(summary)])
    return table(["command", "purpose"], rows)


def options():
    """The options of all commands."""
    return table(["option", "effect"], [[f"`{cell(left)}`", cell(right)] for left, right in section(output("help", "--all"), "Options")])


def settings(old):
    """The rows of `remindav help config` with the values of `remindav config` without a file; one column is kept."""
    overriders = column(old, 2)
    values = {row["name"]: row["value"] for row in json.loads(output("--config", "/dev/null", "config", "--json"))}
    text = output("help", "config")
    rows = []
    for name in values:
        help_text = re.search(rf"^  {re.escape(name)} +(\S.*)$", text, re.M)[1]
        default = f"`{cell(values[name])}`" if values[name] and name != "store" else ""
        rows.append([f"`{name}`", cell(help_text), overriders.get(name, ""), default])
    return table(["setting", "value", "overridden by", "default"], rows)


def error_codes():
    """The codes of errors in JSON, by exit status."""
    numbers = dict(re.findall(r"case (\w+) = (\d+)", (ROOT / "Sources/CLI/ExitStatus.swift").read_text()))
    messages = (ROOT / "Sources/CLI/ErrorMessages.swift").read_text()
    codes = {number: set() for number in numbers.values()}
    for body in re.findall(r"func advice\(_ .*?\n    }\n", messages, re.S):
        for names, status in re.findall(r"case ((?:\.\w+(?:,\s*)?)+):\s*\(\s*\.(\w+),", body):
            codes[numbers[status]].update(re.findall(r"\w+", names))
    for status, code in re.findall(r'Explanation\(\s*"(\w+)", [^\n]*?status: \.(\w+)\)', messages):
        codes[numbers[code]].add(status)
    feeds = (ROOT / "Sources/CLI/FeedPushMessages.swift").read_text()
    for names, status in re.findall(r"case ((?:\.\w+(?:,\s*)?)+):\s*\(\s*\.(\w+),", feeds):
        codes[numbers[status]].update(f"feed{name[0].upper()}{name[1:]}" for name in re.findall(r"\w+", names))
    errors = "".join((ROOT / f"Sources/{name}.swift").read_text()
                     for name in ("CLI/CommandErrors", "CLI/Service/ServiceError", "Platform/TextEditor"))
    enums = dict(re.findall(r"struct (\w+): Error[^\n]*\n(?:    ///[^\n]*\n)?    (?:package )?enum Code[^\n]*\n(.*?)\n    }\n", errors, re.S))
    for name, prefix, status in [("UsageError", "", "usage"), ("FileError", "file", "failure"),
                                 ("OutputError", "output", "failure"), ("PasswordError", "password", "usage"),
                                 ("EditorError", "editor", "failure"), ("ServiceError", "service", "failure")]:
        cases = re.findall(r"\w+", " ".join(re.findall(r"^ +case (\w+(?:, \w+)*)", enums[name], re.M)))
        for case in cases:
            if case not in ("interrupted", "brokenPipe"):
                codes[numbers[status]].add(prefix + (case[0].upper() + case[1:] if prefix else case))
    codes[numbers["refused"]].add("deletionsHeld")
    codes = {number: names - {"interrupted", "brokenPipe"} for number, names in codes.items()}
    rows = [[number, ", ".join(f"`{name}`" for name in sorted(names))] for number, names in codes.items() if names]
    return table(["status", "codes"], rows)


# -- JSON keys -------------------------------------------------------------------------------------------------------

def line_fields():
    """The names of the reminder fields with one line of text, which are JSON keys."""
    rows = (ROOT / "Sources/Reminders/Fields/ReminderField.swift").read_text()
    return re.findall(r'Self\(line: "(\w+)"', rows)


@cache
def json_types():
    """The keys of each type with `jsonMembers`, in their order, without those of other types that it includes."""
    found = {}
    owner = re.compile(r"^ *(?:(?:public|package|private|fileprivate) )*(?:extension|struct|enum|final class) ([\w.]+)", re.M)
    for path in sorted((ROOT / "Sources").rglob("*.swift")):
        text = path.read_text()
        for match in re.finditer(r"static let (?:jsonMembers|commonMembers|values)\b", text):
            body = text[match.start():]
            body = body[:re.search(r"\n    \]\n|\n\n|\n}", body).start()]
            keys = re.findall(r'JSONMember\("(\w+)"\)', body)
            if keys:
                names = owner.findall(text[:match.start()])
                found.setdefault(names[-1], []).extend(keys)
                if "ReminderField.lines" in text[:match.start()]:
                    found[names[-1]] += line_fields()
    return found


def json_keys(types, old):
    """The keys of Swift types (names with spaces between them). Type and meaning are written by hand and kept.

    A row may have several keys with one meaning. A new key has no meaning yet.
    """
    keys = [key for name in types.split() for key in json_types().get(name, [])]
    lines = [[one.strip() for one in re.split(r"(?<!\\)\|", line)[1:-1]] for line in old.strip().splitlines()]
    head = lines[0] if lines else ["key", "type", "meaning"]
    rows, done = [], set()
    for cells in lines[2:]:
        named = re.findall(r"`(\w+)`", cells[0])
        if set(named) <= set(keys):
            rows.append(cells)
            done.update(named)
    rows += [[f"`{key}`", "", ""] for key in keys if key not in done]
    return table(head, rows)


def check_json():
    """A key without a type and a meaning, and a part for a type that does not exist."""
    for _, name, text, _ in PART.findall((DOCS / "manual.md").read_text()):
        if name.startswith("json "):
            for one in name.split()[1:]:
                if one not in json_types():
                    yield f"docs/manual.md: no type {one} has JSON keys"
            for line in text.splitlines():
                if line.startswith("| `") and re.search(r"\| +\|", line):
                    yield f"docs/manual.md: {line.split('|')[1].strip()} of {name} has no type or no meaning"


# -- all -------------------------------------------------------------------------------------------------------------

def part(name, old):
    kind, _, argument = name.partition(" ")
    makers = {"limits": lambda: limits(old), "targets": targets, "commands": lambda: commands(argument),
              "options": options, "error-codes": error_codes, "settings": lambda: settings(old), "json": lambda: json_keys(argument, old)}
    if kind not in makers:
        raise SystemExit(f"docs/: there is no generated part '{name}'.")
    return makers[kind]()


def main():
    global PROGRAM
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    mode = parser.add_mutually_exclusive_group(required=True)
    mode.add_argument("--check", action="store_true")
    mode.add_argument("--write", action="store_true")
    parser.add_argument("--program", type=Path, default=ROOT / ".build" / "debug" / "remindav")
    given = parser.parse_args()
    PROGRAM = given.program.resolve()
    problems = [*check_limits(), *check_targets(), *check_json()]
    count = 0
    for page in sorted(DOCS.glob("*.md")):
        text = page.read_text()
        count += len(PART.findall(text))
        new = PART.sub(lambda match: f"{match[1]}\n{part(match[2], match[3]).strip()}\n\n{match[4]}", text)
        if given.write and new != text:
            page.write_text(new)
        elif new != text:
            for match, other in zip(PART.finditer(text), PART.finditer(new)):
                old_lines, new_lines = match[3].splitlines(), other[3].splitlines()
                for line in [f"- {one}" for one in old_lines if one not in new_lines][:5] + \
                            [f"+ {one}" for one in new_lines if one not in old_lines][:5]:
                    print(line[:200])
                if old_lines != new_lines:
                    problems.append(f"docs/{page.name}: '{match[2]}' differs from the code; run Tests/pages.py --write")
    for problem in problems:
        print(problem)
    print(f"{count} generated parts, {len(problems)} problems")
    return 1 if problems or not count else 0


if __name__ == "__main__":
    sys.exit(main())

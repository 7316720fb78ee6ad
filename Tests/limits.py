"""Holds docs/limits.md against the sources: each limit has its row, each row its constant, its value and its words.

  python3 Tests/limits.py

A row is `File.constant` | value | ...; what stands in ‹…› in the last column is a text of the program, with … for what
is filled in.
"""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "limits.md"
SOURCES = sorted((ROOT / "Sources").rglob("*.swift"))

# A constant is a limit by its name; in a struct of limits each field is one.
BY_NAME = re.compile(
    r"^ *(?:(?:public|package|private|fileprivate) )*static let "
    r"((?:maximum|longest|largest|most)[A-Za-z]*|[a-z][A-Za-z]*Limit|limit)(?:: [A-Za-z.]+)? = (?!Option|Self)(.+)$", re.M
)
FIELD = re.compile(r"^ *(?:(?:public|package|private) )*var ([A-Za-z]+)(?:: [A-Za-z]+)? = ([^{\n]+)$", re.M)
STANDARD = re.compile(r"static let standard = Self\(([^)]*)\)", re.S)
UNITS = {"": 1, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30, "s": 1, "bytes": 1, "days": 1}
KNOWN = {"ClockTime.secondsPerDay": "86400", "CalendarDate.lastDayNumber": "2932896"}


def value_of(expression, others):
    """The number that a Swift expression of digits, shifts and other constants stands for; `None` for anything else."""
    text = re.sub(r"//.*", "", expression).strip().rstrip(",")
    text = re.sub(r"^(?:Duration)?\.seconds\((.*)\)$", r"\1", text)
    for name, known in [*KNOWN.items(), *((f"Self.{name}", str(number)) for name, number in others.items()),
                        *((name, str(number)) for name, number in others.items())]:
        text = re.sub(rf"(?<![\w.]){re.escape(name)}\b", known, text)
    text = re.sub(r"(?<=\d)_(?=\d)", "", text)
    return eval(text, {"__builtins__": {}}) if re.fullmatch(r"[\d\s.+*<()-]+", text) else None


def limits_of(path):
    """`File.constant` to value, for every limit that a source file declares."""
    text = path.read_text()
    found = {}
    for name, expression in BY_NAME.findall(text):
        number = value_of(expression, found)
        if number is not None:
            found[name] = number
    for match in re.finditer(r"struct (\w*Limits)\b.*?\n}", text, re.S):
        body = match.group(0)
        for name, expression in FIELD.findall(body):
            number = value_of(expression, {})
            if number is not None:
                found[name] = number
        for fields in STANDARD.findall(body):
            for name, expression in re.findall(r"(\w+): ([^,\n]+)", fields):
                found[name] = value_of(expression, {})
        return {f"{match.group(1)}.{name}": number for name, number in found.items()}
    return {f"{path.stem}.{name}": number for name, number in found.items()}


def rows():
    for line in PAGE.read_text().splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if line.startswith("| `") and len(cells) >= 4:
            number, _, unit = cells[1].partition(" ")
            yield cells[0].strip("`"), float(number.replace(",", "")) * UNITS.get(unit, 0), cells


def main():
    declared = {}
    for path in SOURCES:
        declared.update(limits_of(path))
    text = "\n".join(path.read_text() for path in SOURCES)
    # Filled-in parts of a text become …, so that a page can quote it.
    plain = re.sub(r"\\\((?:[^()]|\([^()]*\))*\)", "…", text).replace("\\\"", "\"")
    troubles = []
    named = {}
    for name, number, cells in rows():
        named[name] = number
        if name not in declared:
            troubles.append(f"{name} is in the table and in no source")
        elif declared[name] != number:
            troubles.append(f"{name} is {number:,.0f} in the table and {declared[name]:,} in the sources")
        if not all(cells[2:4]):
            troubles.append(f"{name} has no reason, or nothing about what happens beyond it")
        for quoted in re.findall(r"‹(.*?)›", " ".join(cells)):
            if quoted not in plain:
                troubles.append(f"{name}: nothing in the sources says ‹{quoted}›")
    troubles += [f"{name} ({number:,}) is in the sources and not in the table" for name, number in sorted(declared.items()) if name not in named]
    for trouble in troubles:
        print(f"docs/limits.md: {trouble}")
    print(f"{len(named)} limits, {len(troubles)} troubles")
    return 1 if troubles or not named else 0


if __name__ == "__main__":
    sys.exit(main())

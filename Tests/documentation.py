"""Checks the documentation of the libraries.

  python3 Tests/documentation.py            the code of README.md and of the articles is code of docs/examples, and
                                            RemindavKit names each code of an error
  python3 Tests/documentation.py --docc     also: each public symbol of the libraries has a documentation comment, and
                                            the documentation compiler of the toolchain has no warning. Needs the debug
                                            build.
"""

import argparse
import json
import re
import subprocess
import sys
import tempfile
import textwrap
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
# The modules that an embedding program can import or whose types it gets.
MODULES = ["ICalendar", "Recurrence", "CalendarSystems", "Resources", "HTTP", "CalDAV", "CurlTransport", "Reminders", "Notifications", "Bridge", "Kit",
           "Foundation"]
BLOCK = re.compile(r"^```swift\n(.*?)^```$", re.S | re.M)


def excerpts():
    """Prints code of the README and the articles that no example contains, apart from its indentation."""
    examples = [path.read_text() for path in sorted((ROOT / "docs/examples").rglob("*.swift"))]
    pages = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md")), *sorted(ROOT.glob("Sources/*/Documentation.docc/*.md"))]
    found, wrong = 0, 0
    for page in pages:
        for block in BLOCK.findall(page.read_text()):
            found += 1
            lines = textwrap.dedent(block).strip("\n")
            if not any(lines in text or lines in dedented(text, block) for text in examples):
                wrong += 1
                print(f"{page.relative_to(ROOT)}: no file of docs/examples has this code:\n{textwrap.indent(lines, '    ')}")
    print(f"{found} blocks of code, {wrong} without an example")
    # Without a block, the pattern is wrong.
    return wrong == 0 and found > 0


def codes():
    """Compares the codes of errors that RemindavKit names with those of the use cases and of the categories."""
    text = {name: (ROOT / "Sources" / name).read_text()
            for name in ("Kit/RemindavError.swift", "Bridge/UseCaseError.swift", "Bridge/ErrorCategory.swift")}
    named = set(re.findall(r"static let \w+ = Self\(rawValue: \"(\w+)\"\)", text["Kit/RemindavError.swift"]))
    own = {"cancelled", "other", "titleRequired", "labelNameRequired", "labelNameTooLong"}
    used = set(re.findall(r"^ +case (\w+) =", text["Bridge/UseCaseError.swift"], re.M))
    kinds = re.search(r"enum Kind[^{]*\{(.*?)\}", text["Bridge/ErrorCategory.swift"], re.S)[1]
    used |= {name for line in re.findall(r"case (.*)", kinds) for name in line.split(", ")}
    for name in sorted(named ^ (used | own)):
        print(f"The code {name} is {'unknown' if name in named else 'not named'} in Sources/Kit/RemindavError.swift.")
    print(f"{len(named)} codes of errors")
    return named == used | own and len(used) > 0


def dedented(text, block):
    """The text of an example without the indentation of the block, on the lines that have it."""
    margin = min((len(line) - len(line.lstrip()) for line in block.splitlines() if line.strip()), default=0)
    return "\n".join(line[margin:] if line[:margin].isspace() else line for line in text.splitlines())


def symbol_graphs(folder):
    """Extracts the public symbols of each module."""
    build = Path(subprocess.run(["swift", "build", "--show-bin-path"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip())
    flags = subprocess.run(["pkg-config", "--cflags", "libxml-2.0"], capture_output=True, text=True).stdout.split()
    headers = [word for path in sorted((ROOT / "Sources").glob("C*/module.modulemap")) for word in ("-I", str(path.parent))]
    target = json.loads(subprocess.run(["swift", "-print-target-info"], capture_output=True, text=True, check=True).stdout)["target"]["triple"]
    for name in MODULES:
        into = folder / name
        into.mkdir()
        command = ["swift", "symbolgraph-extract", "-module-name", f"Remindav{name}", "-I", str(build / "Modules"), *headers,
                   *[word for flag in flags for word in ("-Xcc", flag)], "-target", target, "-output-dir", str(into),
                   "-minimum-access-level", "public"]
        result = subprocess.run(command, capture_output=True, text=True)
        if result.returncode:
            sys.exit(f"The symbols of {name} could not be read: {result.stderr[-2000:]}")


def undocumented(folder):
    """Prints public symbols without a documentation comment."""
    total, bare = 0, []
    for path in sorted(folder.rglob("*.symbols.json")):
        for symbol in json.loads(path.read_text())["symbols"]:
            # The compiler writes some members itself, and those have no place in the sources.
            if "location" not in symbol or "::SYNTHESIZED::" in symbol["identifier"]["precise"]:
                continue
            total += 1
            if not symbol.get("docComment"):
                place = symbol["location"]["uri"].rsplit("/Sources/", 1)[-1]
                bare.append(f"{place}:{symbol['location']['position']['line'] + 1}: {'.'.join(symbol['pathComponents'])}")
    print("\n".join(bare))
    print(f"{total} public symbols, {len(bare)} without documentation")
    return not bare and total > 0


def compile_documentation(folder):
    """Runs the documentation compiler for each module, with the catalogue of its folder if there is one."""
    good = True
    for name in MODULES:
        catalogue = ROOT / "Sources" / name / "Documentation.docc"
        command = ["docc", "convert", *([str(catalogue)] if catalogue.is_dir() else []),
                   "--additional-symbol-graph-dir", str(folder / name), "--output-path", str(folder / f"{name}.doccarchive"),
                   "--fallback-display-name", f"Remindav{name}", "--fallback-bundle-identifier", f"remindav.{name}", "--emit-fixits"]
        result = subprocess.run(command, capture_output=True, text=True)
        warnings = [line for line in (result.stdout + result.stderr).splitlines() if re.search(r"\b(warning|error):", line)]
        print("\n".join(warnings + [f"{name}: {len(warnings)} warnings"]))
        good = good and not warnings and result.returncode == 0
    return good


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--docc", action="store_true")
    good = codes() and excerpts()
    if parser.parse_args().docc:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            symbol_graphs(folder)
            good = undocumented(folder) and good
            good = compile_documentation(folder) and good
    sys.exit(0 if good else 1)


main()

#!/usr/bin/env python3
"""Finds import cycles between the files of each target.

File A refers to file B if A names a type that B declares. For each target, this script computes the largest set of files
that refer to one another in a cycle (the largest strongly connected component), and fails if it has more than LIMIT files.

    python3 Tests/cycles.py             one line per target with its largest cycle
    python3 Tests/cycles.py --list CLI  also the files of that cycle and their references
"""

import pathlib
import re
import sys

LIMIT = 10
SOURCES = pathlib.Path(__file__).resolve().parent.parent / "Sources"

IGNORED = re.compile(
    r'//[^\n]*|/\*.*?\*/|#*"""(?:\\.|.)*?"""#*|#"[^\n]*?"#|"(?:\\.|[^"\\\n])*"', re.DOTALL
)
DECLARATION = re.compile(
    r"^(?:@\w+(?:\([^)]*\))?\s+)*((?:\w+\s+)*)(?:struct|class|enum|actor|protocol|typealias)\s+(\w+)", re.MULTILINE
)
WORD = re.compile(r"\b[A-Z]\w*")


def interpolations(text):
    """The expressions in the interpolations of a string literal."""
    return " ".join(re.findall(r"\\\(([^\n]*)\)", text))


def code(path):
    """The text of a file without comments and literals, but with the expressions in string interpolations."""
    text = path.read_text(encoding="utf-8")
    return IGNORED.sub(lambda found: " " if found[0].startswith("/") else " " + interpolations(found[0]) + " ", text)


def references(folder):
    """For each file of a target, the types that it names and the file that declares each."""
    texts = {path: code(path) for path in sorted(folder.rglob("*.swift"))}
    owners = {}
    for path, text in texts.items():
        for modifiers, name in DECLARATION.findall(text):
            if not {"private", "fileprivate"} & set(modifiers.split()):
                owners.setdefault(name, path)
    return {
        path: {name: owners[name] for name in set(WORD.findall(text)) if owners.get(name, path) != path}
        for path, text in texts.items()
    }


def largest_cycle(graph):
    """The largest strongly connected component of a graph (Tarjan's algorithm)."""
    index, low, stack, on_stack, best = {}, {}, [], set(), []

    def visit(node):
        nonlocal best
        index[node] = low[node] = len(index)
        stack.append(node)
        on_stack.add(node)
        for target in graph[node].values():
            if target not in index:
                visit(target)
                low[node] = min(low[node], low[target])
            elif target in on_stack:
                low[node] = min(low[node], index[target])
        if low[node] == index[node]:
            component = []
            while True:
                member = stack.pop()
                on_stack.discard(member)
                component.append(member)
                if member == node:
                    break
            if len(component) > len(best):
                best = component

    sys.setrecursionlimit(10_000)
    for node in graph:
        if node not in index:
            visit(node)
    return sorted(best) if len(best) > 1 else []


def main():
    listed = sys.argv[2:] if sys.argv[1:2] == ["--list"] else []
    failed = False
    for folder in sorted(path for path in SOURCES.iterdir() if path.is_dir()):
        graph = references(folder)
        cycle = largest_cycle(graph)
        if cycle:
            print(f"{folder.name}: the largest cycle has {len(cycle)} files")
        if len(cycle) > LIMIT:
            failed = True
            print(f"  More than {LIMIT}: move a declaration or a function to break it (--list {folder.name}).")
        if folder.name in listed:
            members = set(cycle)
            for path in cycle:
                names = sorted(name for name, owner in graph[path].items() if owner in members)
                print(f"  {path.relative_to(folder)}: {', '.join(names)}")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()

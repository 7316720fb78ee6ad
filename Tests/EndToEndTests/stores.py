"""Evaluates the output of `remindav list --all --json` for shell scripts.

    stores.py id FILE UID            the id of a reminder in that store
    stores.py compare NAME=FILE...   compares the stores field by field, prints a table, and fails if they differ
"""

import json
import sys


def read(path):
    with open(path, encoding="utf-8") as file:
        entries = json.load(file)
    found = {}
    for entry in entries:
        key = (entry["list"], entry["uid"])
        if key in found:
            raise SystemExit(f"{path}: {key} is there twice")
        found[key] = {name: value for name, value in entry.items() if name not in ("id", "parentId", "childIds")}
    return found


def identifier(path, uid):
    with open(path, encoding="utf-8") as file:
        for entry in json.load(file):
            if entry["uid"] == uid:
                return entry["id"]
    raise SystemExit(f"{path}: no reminder {uid}")


def row(title, cells):
    print(f"  {title:<34}" + "".join(f"{cell!s:>10}" for cell in cells))


def compare(arguments):
    stores = {name: read(path) for name, path in (argument.split("=", 1) for argument in arguments)}
    names = list(stores)
    first = stores[names[0]]
    row("", names)
    row("reminders", [len(store) for store in stores.values()])
    for status in ("pending", "inProgress", "completed", "cancelled"):
        row(f"  {status}", [sum(entry["status"] == status for entry in store.values()) for store in stores.values()])
    row("with a label", [sum(bool(entry["labels"]) for entry in store.values()) for store in stores.values()])
    row("with an alarm", [sum(bool(entry["alarms"]) for entry in store.values()) for store in stores.values()])
    row("repeating", [sum(entry["repeat"] is not None for entry in store.values()) for store in stores.values()])
    row("fields compared", [sum(map(len, store.values())) for store in stores.values()])
    different = []
    for name in names[1:]:
        for key in sorted(set(first) | set(stores[name])):
            mine, theirs = first.get(key), stores[name].get(key)
            if mine is None or theirs is None:
                different.append(f"{key[1]} is only in {name if mine is None else names[0]}")
                continue
            for field in sorted(set(mine) | set(theirs)):
                if mine.get(field) != theirs.get(field):
                    different.append(
                        f"{key[1]}, {field}: {names[0]} {mine.get(field)!r}, {name} {theirs.get(field)!r}")
    row("differences", [len(different)])
    for line in different:
        print("  " + line)
    return 1 if different or not first else 0


def main(arguments):
    if len(arguments) == 3 and arguments[0] == "id":
        print(identifier(*arguments[1:]))
        return 0
    if len(arguments) > 2 and arguments[0] == "compare":
        return compare(arguments[1:])
    raise SystemExit(__doc__)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

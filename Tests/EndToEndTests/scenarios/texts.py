"""A minimal iCalendar implementation to write a to-do, to edit it as another program would, and to read it."""

import re
import time

INSIDE = ("VALARM", "VLOCATION", "PARTICIPANT")


def now():
    return time.strftime("%Y%m%dT%H%M%SZ", time.gmtime())


def calendar(*components):
    """A calendar of these components, each a list of lines with its BEGIN and END."""
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Other Program//EN"]
    for component in components:
        lines += component
    return "\r\n".join([*lines, "END:VCALENDAR", ""]).encode()


def component(uid, *lines, kind="VTODO"):
    head = [f"BEGIN:{kind}", f"UID:{uid}", "DTSTAMP:20260101T000000Z"]
    if not any(line.startswith("LAST-MODIFIED") for line in lines):
        head += ["CREATED:20260101T000000Z", "LAST-MODIFIED:20260101T000000Z"]
    return [*head, *lines, f"END:{kind}"]


def todo(uid, *lines):
    """A calendar with one to-do. Without lines it has a title made of its UID."""
    return calendar(component(uid, *(lines or (f"SUMMARY:Title of {uid}",))))


def alarm(uid, trigger="-PT15M"):
    return ["BEGIN:VALARM", f"UID:{uid}", "ACTION:DISPLAY", "DESCRIPTION:Alarm", f"TRIGGER:{trigger}", "END:VALARM"]


def unfolded(text):
    """The unfolded lines of a text, with any line ends."""
    if isinstance(text, bytes):
        text = text.decode()
    return [line for line in re.sub(r"\r?\n[ \t]", "", text).split("\n") for line in [line.rstrip("\r")] if line]


def folded(lines):
    return ("\r\n".join(lines) + "\r\n").encode()


def name_of(line):
    return re.split("[;:]", line, maxsplit=1)[0].upper()


def own(lines):
    """The indexes of the lines of the first VTODO, without those of nested components."""
    indexes, depth = [], 0
    for index, line in enumerate(lines):
        upper = line.upper()
        if upper == "BEGIN:VTODO" and depth == 0:
            depth = 1
        elif depth and upper.startswith("BEGIN:"):
            depth += 1
        elif depth and upper.startswith("END:"):
            depth -= 1
            if depth == 0:
                return indexes
        elif depth == 1:
            indexes.append(index)
    return indexes


def lines_of(text, name):
    """The lines of this name in the first to-do."""
    lines = unfolded(text)
    return [lines[index] for index in own(lines) if name_of(lines[index]) == name]


def value(text, name):
    """The unescaped value of a property of the first to-do; None without it."""
    found = lines_of(text, name)
    return plain(found[0].split(":", 1)[1]) if found else None


def plain(escaped):
    return re.sub(r"\\(.)", lambda match: "\n" if match[1] in "nN" else match[1], escaped)


def labels(text):
    """All values of CATEGORIES, sorted."""
    found = []
    for line in lines_of(text, "CATEGORIES"):
        found += re.split(r"(?<!\\),", line.split(":", 1)[1])
    return sorted(plain(one) for one in found)


def edited(text, *added, without=(), components=(), modified=None):
    """The text as another program would write it: lines of the same names replaced, those of `without` taken away."""
    lines = unfolded(text)
    added = [*added, f"LAST-MODIFIED:{modified or now()}"]
    dropped = {name_of(line) for line in added} | set(without)
    inside = own(lines)
    removed = {index for index in inside if name_of(lines[index]) in dropped}
    last = inside[0]
    kept = []
    for index, line in enumerate(lines):
        if index == last:
            kept += added
        if index not in removed:
            kept.append(line)
    if components:
        end = next(index for index, line in enumerate(kept) if line.upper() == "END:VTODO")
        kept[end:end] = [line for one in components for line in one]
    return folded(kept)


def replaced_uid(text, uid):
    return edited(text, f"UID:{uid}")

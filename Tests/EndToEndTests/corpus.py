"""A deterministic mix of to-dos of a busy account. Equal numbers give equal bytes.

    corpus.py COUNT FILE           one calendar
    corpus.py COUNT FOLDER --split one file per to-do

It shares no code with the program, so that it does not have the same errors.
"""

import random
import sys
from pathlib import Path

from folding import written

BERLIN = """BEGIN:VTIMEZONE
TZID:Europe/Berlin
BEGIN:STANDARD
DTSTART:19961027T030000
RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10
TZNAME:CET
TZOFFSETFROM:+0200
TZOFFSETTO:+0100
END:STANDARD
BEGIN:DAYLIGHT
DTSTART:19810329T020000
RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=3
TZNAME:CEST
TZOFFSETFROM:+0100
TZOFFSETTO:+0200
END:DAYLIGHT
END:VTIMEZONE""".split("\n")

TOKYO = """BEGIN:VTIMEZONE
TZID:Asia/Tokyo
BEGIN:STANDARD
DTSTART:19510909T010000
TZNAME:JST
TZOFFSETFROM:+0900
TZOFFSETTO:+0900
END:STANDARD
END:VTIMEZONE""".split("\n")

ZONES = {"Europe/Berlin": BERLIN, "Asia/Tokyo": TOKYO}
WORDS = (
    "water the plants|answer|pay|Müllabfuhr|Größe messen|café|牛乳を買う|задача|مهمة|e\u0301te\u0301|👩‍👩‍👧|🇩🇪|“quoted”|ring|"
    "order filters|dentist|passport|a\\, b|c\\; d|back\\\\slash|two\\nlines|invoice 2026/11|½ pound|№ 7|tax|boiler"
).split("|")
RULES = [
    "FREQ=DAILY", "FREQ=WEEKLY;BYDAY=MO,TH", "FREQ=MONTHLY;BYMONTHDAY=-1", "FREQ=MONTHLY;BYDAY=2TU",
    "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29", "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1",
    "FREQ=WEEKLY;INTERVAL=2;COUNT=12;WKST=SU", "FREQ=YEARLY;UNTIL=20351231T225959Z",
]
LABELS = ["Home", "Work", "Einkauf", "買い物", "R&D", "Kids\\, school", "@phone", "Someday"]
STATES = [None, None, "NEEDS-ACTION", "NEEDS-ACTION", "IN-PROCESS", "COMPLETED", "CANCELLED"]


def phrase(rng, low, high):
    return " ".join(rng.choice(WORDS) for _ in range(rng.randint(low, high)))


def moment(rng):
    return "%04d%02d%02dT%02d%02d%02d" % (
        rng.randint(2020, 2030), rng.randint(1, 12), rng.randint(1, 28), rng.randint(0, 23), rng.randint(0, 59), 0)


def alarm(rng, uid, number):
    yield "BEGIN:VALARM"
    if rng.random() < 0.5:
        yield f"UID:{uid}-alarm-{number}"
    yield rng.choice([
        "TRIGGER:-PT10M", "TRIGGER;RELATED=END:-P1D", "TRIGGER;VALUE=DURATION:PT0S",
        f"TRIGGER;VALUE=DATE-TIME:{moment(rng)}Z", "TRIGGER;VALUE=DATE-TIME:19760401T005545Z"])
    yield rng.choice(["ACTION:DISPLAY", "ACTION:DISPLAY", "ACTION:AUDIO"])
    yield f"DESCRIPTION:{phrase(rng, 1, 3)}"
    if rng.random() < 0.2:
        yield "REPEAT:2"
        yield "DURATION:PT5M"
    if rng.random() < 0.2:
        yield "X-WR-ALARMUID:%032X" % rng.getrandbits(128)
    yield "END:VALARM"


def todo(index, seed=7):
    """The unfolded lines of to-do number `index`, and the zones it names."""
    rng = random.Random(seed * 1_000_003 + index)
    uid = "%08x-%04x@corpus.example" % (index, rng.getrandbits(16))
    zone = rng.choice(sorted(ZONES))
    zones = set()
    lines = ["BEGIN:VTODO", f"UID:{uid}", f"DTSTAMP:{moment(rng)}Z"]
    if rng.random() < 0.8:
        lines += [f"CREATED:{moment(rng)}Z", f"LAST-MODIFIED:{moment(rng)}Z"]
    language = ";LANGUAGE=de" if rng.random() < 0.05 else ""
    lines.append(f"SUMMARY{language}:{phrase(rng, 1, 12)}")
    if rng.random() < 0.5:
        lines.append("DESCRIPTION:" + "\\n".join(phrase(rng, 2, 14) for _ in range(rng.randint(1, 6))))
    repeats = rng.random() < 0.12
    form = rng.random()
    when = moment(rng)
    if form < 0.5 or repeats:
        zones.add(zone)
        if repeats or rng.random() < 0.3:
            lines.append(f"DTSTART;TZID={zone}:{when}")
        lines.append(f"DUE;TZID={zone}:{when}")
    elif form < 0.65:
        lines.append(f"DUE;VALUE=DATE:{when[:8]}")
    elif form < 0.75:
        lines.append(f"DUE:{when}Z")
    elif form < 0.82:
        lines.append(f"DUE:{when}")
    if repeats:
        lines.append("RRULE:" + rng.choice(RULES))
        if rng.random() < 0.3:
            lines.append(f"EXDATE;TZID={zone}:{moment(rng)},{moment(rng)}")
    state = rng.choice(STATES)
    if state:
        lines.append(f"STATUS:{state}")
    if state == "COMPLETED":
        lines += [f"COMPLETED:{moment(rng)}Z", "PERCENT-COMPLETE:100"]
    if rng.random() < 0.4:
        lines.append("PRIORITY:%d" % rng.randint(0, 9))
    if rng.random() < 0.5:
        lines.append("CATEGORIES:" + ",".join(rng.sample(LABELS, rng.randint(1, 3))))
        if rng.random() < 0.1:
            lines.append("CATEGORIES:" + rng.choice(LABELS))
    extras = [
        "SEQUENCE:%d" % rng.randint(0, 9), "CLASS:PRIVATE", "LOCATION:" + phrase(rng, 1, 3), "GEO:48.137200;11.575600",
        "URL:https://example.org/t/%d?a=1;b=2,3" % index, "RELATED-TO;RELTYPE=PARENT:%08x@corpus.example" % (index // 2),
        'ORGANIZER;CN="Roe, Richard":mailto:richard@example.org',
        'ATTENDEE;ROLE=REQ-PARTICIPANT;PARTSTAT=NEEDS-ACTION;CN="Müller, Änne":mailto:a@example.org',
        'ATTACH;FMTTYPE=text/plain;FILENAME="a b.txt":https://example.org/a', "COMMENT:" + phrase(rng, 1, 4),
        "X-APPLE-SORT-ORDER:%d" % rng.randint(0, 10**9), "X-MOZ-GENERATION:%d" % rng.randint(1, 40),
        'X-NOTE;X-KIND="a;b:c,d";X-EMPTY="":%s' % phrase(rng, 1, 5), "X-LONG:%0160x" % rng.getrandbits(600),
        "COLOR:turquoise", "X-OC-HIDESUBTASKS:1", 'X-CARET;CN="say ^\'hi^\' ^^ ^n":value',
    ]
    lines += rng.sample(extras, rng.randint(0, 4))
    for number in range(rng.choice([0, 0, 0, 1, 1, 2])):
        lines += alarm(rng, uid, number)
    lines.append("END:VTODO")
    return lines, zones


def calendar(indexes):
    body, zones = [], set()
    for index in indexes:
        lines, named = todo(index)
        body.append(written(lines))
        zones |= named
    head = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Corpus//Made for tests//EN"]
    for zone in sorted(zones):
        head += ZONES[zone]
    return written(head) + b"".join(body) + b"END:VCALENDAR\r\n"


def write(count, path):
    Path(path).write_bytes(calendar(range(count)))


def write_split(count, folder):
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    for index in range(count):
        (folder / f"{index:06}.ics").write_bytes(calendar([index]))


if __name__ == "__main__":
    if len(sys.argv) == 4 and sys.argv[3] == "--split":
        write_split(int(sys.argv[1]), sys.argv[2])
    elif len(sys.argv) == 3:
        write(int(sys.argv[1]), sys.argv[2])
    else:
        raise SystemExit(__doc__)

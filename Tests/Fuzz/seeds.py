"""The corpora that the fuzzer starts from, made of Fixtures/ each time so that they are never older."""

import hashlib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FIXTURES = ROOT / "Fixtures"
MOST = 65536

# Values of each type, with edge cases. Each reader gets all of them.
VALUES = """
20261120 19970902T090000 20261120T090000Z 00010101T000000 99991231T235960Z 20240229 20230229 20261120t090000z
P15DT5H0M20S P7W -PT15M P1W2D PT PT0S P P1D PT99999999H +P1DT12H 1D PT1.5H -P1W
+0100 -053000 +5730 0200 -0000 +2359 +235959 1 +1 -01 2147483647 2147483648 -2147483648 0x1
090000 070000Z 235960 SU MO fr -1FR 20MO START END TRUE FALSE true 37.386013 -122.082932 1e9 .5 37.38;-122.08
2026-12-01T09:00:00+01:00 2026-12-01t09:00:00.25z 2026-12-01 0001-01-01T00:00:00+23:59
19970101T180000Z/19970102T070000Z 19970101T180000Z/PT5H30M 19970101/P1D
FREQ=DAILY FREQ=YEARLY;INTERVAL=2;BYMONTH=1;BYDAY=SU;BYHOUR=8,9;BYMINUTE=30 freq=weekly;byday=mo,-2fr;wkst=su
FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1;COUNT=10;UNTIL=19971224T000000Z RSCALE=GREGORIAN;FREQ=YEARLY;SKIP=FORWARD
BEGIN:VTODO X-APPLE-SORT-ORDER mailto:jane@example.com https://example.com/a?b=c geo:48.85,2.35;u=10
TWFyaGFsdA== U2hvcnQ =C3=BC 3.1;text;more x\\ny\\,z\\;w\\\\ a,b\\,c,,d C:\\temp Projekt\\: ü
""".split()


def lines_of(path):
    """The logical lines of a fixture, without their ends."""
    data = path.read_bytes()
    end = b"\n" if b"\n" in data else b"\r"
    lines = []
    for line in data.split(end):
        line = line.rstrip(b"\r\n")
        if line[:1] in (b" ", b"\t") and lines:
            lines[-1] += line[1:]
        else:
            lines.append(line)
    return lines


def block(lines, name):
    """Each run of lines from BEGIN:name to its END, both left out."""
    inside = None
    for line in lines:
        if line == b"BEGIN:" + name:
            inside = []
        elif line == b"END:" + name and inside is not None:
            yield inside
            inside = None
        elif inside is not None:
            inside.append(line)


def whole_files():
    files = sorted(FIXTURES.glob("ics/*.ics")) + sorted(FIXTURES.glob("ics/made-*.txt"))
    return [path.read_bytes() for path in files]


def repeated(data):
    """As much of it as 64 KiB hold: the bounds on time and memory are about such inputs."""
    return (data * (MOST // max(len(data), 1) + 1))[:MOST]


def for_lines():
    for path in sorted(FIXTURES.glob("ics/*.ics")):
        lines = [line for line in lines_of(path) if not line.startswith((b"BEGIN:", b"END:"))]
        yield b"\r\n".join(lines)
        yield from lines
    long = b"SUMMARY:" + b"\xc3\xa4 text, " * 6000
    yield long[:MOST]
    yield b"\r\n ".join(long[i : i + 70] for i in range(0, 60000, 70))[:MOST]
    yield (b"X-A" + b";X-B=c,\"d\",^n" * 6000)[: MOST - 3] + b":x"
    yield b"X-A:1\r\n" * 9000
    yield (b"CATEGORIES:" + b"a\\,b," * 13000)[:MOST]


def for_components():
    yield from whole_files()
    for name in ("rfc5545-whole-calendar.ics", "evolution-slash-tzid.ics", "thunderbird-completed-override.ics"):
        path = FIXTURES / "ics" / name
        if path.exists():
            yield repeated(path.read_bytes())
    yield b"BEGIN:VTODO\r\n" * 4000
    yield b"BEGIN:X-A\nEND:X-A\n" * 3000
    yield b"BEGIN:VCALENDAR\r\n" + b"BEGIN:VTODO\r\nUID:1\r\nEND:VTODO\r\n" * 1800 + b"END:VCALENDAR\r\n"
    yield b"BEGIN:VTODO\r\n" + b"X:\r\n \r\n" * 7000 + b"END:VTODO\r\n"
    yield b"BEGIN:VTODO\r\nSUMMARY:x\r\n" + b" y\r\n" * 15000 + b"END:VTODO\r\n"


def for_values(readers):
    texts = list(VALUES)
    for path in sorted(FIXTURES.glob("ics/*.ics")):
        texts += [line.partition(b":")[2].decode("utf-8", "replace") for line in lines_of(path) if b"RRULE" in line]
    for reader in range(readers):
        for text in dict.fromkeys(texts):
            yield bytes([reader]) + text.encode()


def for_rules():
    for path in sorted(FIXTURES.glob("rrule/*.txt")):
        for line in path.read_text().splitlines():
            words = line.split()
            if not line.startswith("#") and len(words) > 2 and words[1].startswith(("FREQ", "RSCALE")):
                yield f"DTSTART;TZID=America/New_York:{words[0]}\nRRULE:{words[1]}".encode()
    wanted = (b"DTSTART", b"DUE", b"RRULE", b"RDATE", b"EXDATE", b"EXRULE", b"RECURRENCE-ID", b"DURATION")
    for path in sorted(FIXTURES.glob("ics/*.ics")):
        for name in (b"VTODO", b"VEVENT"):
            for lines in block(lines_of(path), name):
                lines = [line for line in lines if line.startswith(wanted)]
                if any(line.startswith((b"RRULE", b"RDATE")) for line in lines):
                    yield b"\n".join(lines)
    start = b"DTSTART;TZID=Europe/Berlin:20260101T090000\n"
    yield start + b"RRULE:FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=30"
    yield start + b"RRULE:FREQ=MINUTELY;BYMONTH=1;BYYEARDAY=366"
    yield start + b"RRULE:FREQ=MONTHLY;BYDAY=1TH;BYSETPOS=2"
    yield start + b"RRULE:FREQ=DAILY;INTERVAL=2147483647"
    yield start + b"RRULE:FREQ=DAILY\nEXDATE:" + b",".join(b"2026%02d%02dT080000Z" % (i // 28 % 12 + 1, i % 28 + 1) for i in range(3600))
    yield start + b"RDATE:" + b",".join(b"20%02d%02d%02dT080000Z/PT1H" % (26 + i // 336, i // 28 % 12 + 1, i % 28 + 1) for i in range(3000))


def for_zones():
    for path in sorted(FIXTURES.glob("tz/*/*")):
        yield path.read_bytes()
    for path in sorted(FIXTURES.glob("ics/*.ics")):
        for lines in block(lines_of(path), b"VTIMEZONE"):
            yield b"\n".join(line for line in lines if not line.startswith(b"TZID"))
    part = (
        "BEGIN:{0}\nDTSTART:{1}T020000\nTZOFFSETFROM:{2}\nTZOFFSETTO:{3}\nRRULE:FREQ=YEARLY;BYMONTH={4};BYDAY=-1SU\nEND:{0}\n"
    )
    both = part.format("DAYLIGHT", "19810329", "+0100", "+0200", 3) + part.format("STANDARD", "19961027", "+0200", "+0100", 10)
    yield both.encode()
    yield (both * 400)[:MOST].encode()
    dates = ",".join(f"{year}0401T020000" for year in range(1901, 2999))
    yield (both + f"BEGIN:STANDARD\nDTSTART:19000101T000000\nTZOFFSETTO:+0300\nRDATE:{dates}\nEND:STANDARD\n").encode()


def write(folder, law, readers):
    """Writes the corpus of a law into a folder, with the inputs that once failed."""
    folder.mkdir(parents=True, exist_ok=True)
    seeds = {
        "lines": for_lines, "components": for_components, "values": lambda: for_values(readers),
        "rules": for_rules, "zones": for_zones, "round-trip": for_components,
        "reading": for_components,
    }[law]()
    kept = [path.read_bytes() for path in sorted((FIXTURES / "fuzz" / law).glob("*"))]
    for seed in list(seeds) + kept:
        (folder / hashlib.sha1(seed).hexdigest()).write_bytes(seed)

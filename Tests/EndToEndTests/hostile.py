"""Hostile files: nine on which other engines crash, slow down or lose data, and larger ones. Each is written in pieces, so
that this program needs little memory."""

HEAD = b"BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//made//hostile//EN\r\n"
TODO = b"BEGIN:VTODO\r\nUID:hostile-1\r\nDTSTAMP:20260101T000000Z\r\n"
TAIL = b"END:VTODO\r\nEND:VCALENDAR\r\n"

# Rules that make an engine search for ever, count for ever, or list too much.
BOMBS = (
    "FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=30",
    "FREQ=MINUTELY;BYMONTH=1;BYYEARDAY=366",
    "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30",
    "FREQ=MONTHLY;BYDAY=1TH;BYSETPOS=2",
    "FREQ=DAILY;INTERVAL=2147483647",
    "FREQ=SECONDLY;COUNT=2147483647",
    "FREQ=SECONDLY;INTERVAL=1;BYSECOND=0;BYMINUTE=0;BYHOUR=0;BYMONTHDAY=29;BYMONTH=2;BYDAY=MO",
    "FREQ=YEARLY;INTERVAL=4;BYMONTH=2;BYMONTHDAY=29;BYDAY=SU;BYHOUR=23",
    "FREQ=HOURLY;INTERVAL=24;BYHOUR=10",
    "FREQ=DAILY;BYWEEKNO=53;BYDAY=MO;COUNT=1000000000",
    "FREQ=WEEKLY;INTERVAL=999999999;BYDAY=SU",
    "FREQ=MINUTELY;INTERVAL=7;BYMINUTE=1;BYSECOND=" + ",".join(map(str, range(60))),
    "FREQ=YEARLY;BYYEARDAY=" + ",".join(map(str, range(1, 367))) + ";BYHOUR=" + ",".join(map(str, range(24))) + ";BYSETPOS=-1",
    "FREQ=SECONDLY;UNTIL=99991231T235959Z;BYSETPOS=366",
    "FREQ=MONTHLY;BYMONTHDAY=31;BYMONTH=2,4,6,9,11",
    "FREQ=DAILY;INTERVAL=0",
    "FREQ=DAILY;COUNT=0",
)


def repeated(part, count, before=b"", after=b""):
    """`count` times `part`, a megabyte or so at a time."""
    yield HEAD + before
    many = max(1_000_000 // len(part), 1)
    block = part * many
    for _ in range(count // many):
        yield block
    yield part * (count % many) + after


def nested():
    yield from repeated(b"BEGIN:VTODO\r\n", 100_000)
    yield from list(repeated(b"END:VTODO\r\n", 100_000))[1:]
    yield b"END:VCALENDAR\r\n"


def bombs():
    yield HEAD
    for number in range(5000):
        rule = BOMBS[number % len(BOMBS)]
        yield (
            f"BEGIN:VTODO\r\nUID:bomb-{number}\r\nDTSTAMP:20260101T000000Z\r\nSUMMARY:Bomb {number}\r\n"
            f"DTSTART;TZID=Europe/Berlin:2026{number % 12 + 1:02}{number % 28 + 1:02}T{number % 24:02}3000\r\n"
            f"RRULE:{rule}\r\nEND:VTODO\r\n"
        ).encode()
    yield b"END:VCALENDAR\r\n"


def files():
    """Name and pieces of each."""
    summary = TODO + b"SUMMARY:"
    return {
        # The nine.
        "100,000 nested to-dos": nested,
        "200,000 BEGINs without END": lambda: repeated(b"BEGIN:VTODO\r\n", 200_000),
        "a line of 50 MB": lambda: repeated(b"x", 50_000_000, summary, b"\r\n" + TAIL),
        "3,000,000 folds of one letter": lambda: repeated(b"\r\n y", 3_000_000, summary, b"\r\n" + TAIL),
        "200,000 parameters": lambda: repeated(b";X-P=v", 200_000, TODO + b"SUMMARY", b":x\r\n" + TAIL),
        "2,000,000 list values": lambda: repeated(b",v", 2_000_000, TODO + b"CATEGORIES:v", b"\r\n" + TAIL),
        "500,000 properties": lambda: repeated(b"X-PROPERTY:value\r\n", 500_000, TODO, TAIL),
        "an unclosed quote of 5 MB": lambda: repeated(b"x", 5_000_000, TODO + b'SUMMARY;X-P="', b":x\r\n" + TAIL),
        "500,000 EXDATEs on a line": lambda: repeated(
            b",20260102T090000Z", 500_000, TODO + b"DTSTART:20260101T090000Z\r\nRRULE:FREQ=DAILY\r\nEXDATE:20260101T090000Z",
            b"\r\n" + TAIL,
        ),
        # The larger ones.
        "a line of 100 MB": lambda: repeated(b"x", 100_000_000, summary, b"\r\n" + TAIL),
        "10,000,000 empty components": lambda: repeated(b"BEGIN:A\r\nEND:A\r\n", 10_000_000, b"", b"END:VCALENDAR\r\n"),
        "1,000,000 parameters": lambda: repeated(b";X-P=v", 1_000_000, TODO + b"SUMMARY", b":x\r\n" + TAIL),
        "5,000 rules that never end or never begin": bombs,
        # The same limits by other ways.
        "500,000 empty events": lambda: repeated(b"BEGIN:VEVENT\r\nEND:VEVENT\r\n", 500_000, b"", b"END:VCALENDAR\r\n"),
        "500,000 ENDs": lambda: repeated(b"END:VTODO\r\n", 500_000),
        "20 MB of line feeds": lambda: repeated(b"\n", 20_000_000, b"", TODO + TAIL),
        "a to-do of 20 MB in lines of 60 KB": lambda: repeated(
            b"X-NOTE:" + b"x" * 60_000 + b"\r\n", 333, TODO, TAIL
        ),
    }

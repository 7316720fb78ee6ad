"""The to-dos of the engine benchmark: a long list of a busy account, about 713 bytes each.

    corpus.py COUNT FILE       one VCALENDAR; equal COUNTs give equal bytes, and a smaller COUNT gives a part of them
    corpus.py COUNT FILE --copies N     N copies, each with its own UIDs

The table below has the share of the to-dos with each property. A third of the texts is not ASCII. Lines are folded at 75
octets and never inside a letter.
"""

import argparse
import random
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "EndToEndTests"))

from folding import written  # noqa: E402

HEAD = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Remindav//Benchmark corpus//EN"]


def zone(name, standard, daylight):
    """A VTIMEZONE of two rules, each an (offset, start, rule, abbreviation)."""
    parts = []
    for kind, (offset, start, rule, short), other in [("DAYLIGHT", daylight, standard), ("STANDARD", standard, daylight)]:
        parts += [f"BEGIN:{kind}", f"TZNAME:{short}", f"TZOFFSETFROM:{other[0]}", f"TZOFFSETTO:{offset}",
                  f"DTSTART:{start}", f"RRULE:FREQ=YEARLY;{rule}", f"END:{kind}"]
    return ["BEGIN:VTIMEZONE", f"TZID:{name}", f"X-LIC-LOCATION:{name}", *parts, "END:VTIMEZONE"]


ZONES = {
    "Europe/Vienna": zone("Europe/Vienna", ("+0100", "19701025T030000", "BYMONTH=10;BYDAY=-1SU", "CET"),
                          ("+0200", "19700329T020000", "BYMONTH=3;BYDAY=-1SU", "CEST")),
    "America/Chicago": zone("America/Chicago", ("-0600", "20071104T020000", "BYMONTH=11;BYDAY=1SU", "CST"),
                            ("-0500", "20070311T020000", "BYMONTH=3;BYDAY=2SU", "CDT")),
}
PLAIN = """answer apples archive attic bank bath bike bin blanket boiler books boots bottles box bread bring cancel carpet
change check cheese collect compare copy cupboard curtains deliver desk doctor drill empty fence fetch finish flowers
fridge gate grandma hedge invite kettle keys ladder lease letter lightbulb mail measure mirror mow oven parcel passport
pharmacy photos piano plants poster pump receipt repair reserve ring rota salt school seeds shelves stamps tickets train
tyres vaccine visa wardrobe wash wood""".split()
LETTERS = """Überweisung Gärtnerei Grüße Fußboden façade crème garçon Łazienka brød ångström señor žádost Αθήνα απόδειξη письмо
магазин квитанция 電話する 請求書 図書館 病院 掃除 우유 도서관 약국 فاتورة موعد 🧹 🎂 👩‍👧‍👦 🇦🇹 e\u0301poque – „so“ 𝔖 ﬂat ⅓ ₤ ⁂""".split()
LABELS = ["Home", "Office", "Errands", "Groceries", "Family", "Health", "Money", "Balcony", "Later", "On hold", "Phone",
          "To read", "Küche", "Schule", "買物", "Trips, far", "B&B", "Cats; dogs", "Move 2026", "@desk", "#soon"]
RULES = ["DAILY", "DAILY;INTERVAL=4;COUNT=15", "WEEKLY;BYDAY=TU,TH,SA", "WEEKLY;INTERVAL=2;WKST=SU;BYDAY=MO",
         "MONTHLY;BYMONTHDAY=15", "MONTHLY;BYDAY=-1FR", "MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=1",
         "MONTHLY;BYMONTHDAY=-1;UNTIL=20311130T225959Z", "YEARLY", "YEARLY;BYMONTH=2;BYMONTHDAY=29",
         "YEARLY;BYMONTH=5;BYDAY=2SU", "YEARLY;INTERVAL=2;BYMONTH=3,9;BYDAY=1WE"]
STATES = ["NEEDS-ACTION"] * 3 + ["IN-PROCESS"] + ["COMPLETED"] * 2 + ["CANCELLED"]
TRIGGERS = ["TRIGGER:-PT10M", "TRIGGER:-PT2H", "TRIGGER;VALUE=DURATION:-P1D", "TRIGGER;RELATED=END:PT0S",
            "TRIGGER;RELATED=START:-PT30M", "TRIGGER:-P1W"]


def escaped(text):
    for plain, wire in (("\\", "\\\\"), (";", "\\;"), (",", "\\,"), ("\n", "\\n")):
        text = text.replace(plain, wire)
    return text


class Todo:
    """To-do number `index` and its lines."""

    def __init__(self, index):
        self.index = index
        self.rng = random.Random(f"remindav benchmark {index}")
        self.foreign = self.chance(0.30)
        bits = self.hexadecimal(128)
        self.uid = "-".join([bits[:8], bits[8:12], bits[12:16], bits[16:20], bits[20:]])
        if self.chance(0.25):
            self.uid = self.uid.upper()

    def chance(self, share):
        return self.rng.random() < share

    def pick(self, *choices):
        return self.rng.choice(choices)

    def hexadecimal(self, bits):
        return f"{self.rng.getrandbits(bits):0{bits // 4}x}"

    def words(self, low, high, foreign=None):
        foreign = self.foreign if foreign is None else foreign
        return " ".join(self.rng.choice(LETTERS if foreign and self.chance(0.4) else PLAIN)
                        for _ in range(self.rng.randint(low, high)))

    def time(self):
        rng = self.rng
        second = rng.randrange(60) if self.chance(0.25) else 0
        return (f"{rng.randint(2021, 2026)}{rng.randint(1, 12):02}{rng.randint(1, 28):02}"
                f"T{rng.randrange(24):02}{rng.randrange(60):02}{second:02}")

    def lines(self):
        yield from ["BEGIN:VTODO", f"UID:{self.uid}", f"DTSTAMP:{self.time()}Z", f"CREATED:{self.time()}Z",
                    f"LAST-MODIFIED:{self.time()}Z"]
        yield from self.texts()
        yield from self.dates()
        yield from self.state()
        yield from self.small_shares()
        if self.chance(0.70):
            yield from self.rng.sample(self.extensions(), self.rng.randint(1, 3))
        alarms = self.rng.random()
        for number in range(1 if alarms < 0.35 else 2 if alarms < 0.50 else 0):
            yield from self.alarm(number)
        yield "END:VTODO"

    def texts(self):
        title = self.words(2, 9)
        if self.chance(0.12):
            title += self.pick(", or ", "; else ", " \\ ", "\n") + self.words(1, 4)
        if self.chance(0.08):
            title += " " + self.words(12, 30)
        language = ";LANGUAGE=de" if self.foreign and self.chance(0.1) else ""
        yield f"SUMMARY{language}:{escaped(title)}"
        if self.chance(0.60):
            notes = [self.words(3, 16) for _ in range(self.rng.randint(1, 8))]
            if self.chance(0.2):
                notes.append(f"https://example.com/n/{self.uid}?x=1;y=2,3")
            yield "DESCRIPTION:" + escaped("\n".join(notes))

    def dates(self):
        """DUE on 90 %: 70 with a zone, 15 as a day, 5 in UTC. DTSTART on 30 %, and with each RRULE (10 %)."""
        name = self.pick("Europe/Vienna", "Europe/Vienna", "America/Chicago")
        time, kind, repeats = self.time(), self.rng.random(), self.chance(0.10)
        zoned, day, utc = f";TZID={name}:{time}", f";VALUE=DATE:{time[:8]}", f":{time}Z"
        if repeats or self.chance(0.30):
            yield "DTSTART" + (zoned if kind < 0.70 or kind >= 0.95 else day if kind < 0.85 else utc)
        if kind < 0.90:
            yield "DUE" + (zoned if kind < 0.70 else day if kind < 0.85 else utc)
        if repeats:
            yield "RRULE:FREQ=" + self.rng.choice(RULES)
            if self.chance(0.2):
                yield f"EXDATE;TZID={name}:{self.time()},{self.time()}"

    def state(self):
        state = self.rng.choice(STATES)
        if self.chance(0.85):
            yield f"STATUS:{state}"
            if state == "COMPLETED":
                yield from [f"COMPLETED:{self.time()}Z", "PERCENT-COMPLETE:100"]
            elif state == "IN-PROCESS":
                yield f"PERCENT-COMPLETE:{self.rng.randint(5, 95)}"
        if self.chance(0.45):
            yield f"PRIORITY:{self.pick(0, 1, 1, 5, 5, 9)}"
        if self.chance(0.60):
            yield "CATEGORIES:" + ",".join(map(escaped, self.rng.sample(LABELS, self.rng.randint(1, 3))))
        if self.chance(0.30):
            yield f"SEQUENCE:{self.rng.randrange(12)}"

    def small_shares(self):
        if self.chance(0.10):
            yield "CLASS:" + self.pick("PUBLIC", "PRIVATE", "CONFIDENTIAL")
        if self.chance(0.10):
            yield f"URL;VALUE=URI:https://example.com/things/{self.index}?page={self.index % 91}"
        if self.chance(0.10):
            yield "LOCATION:" + escaped(f"{self.words(1, 4)}, {self.words(1, 2, False)}")
            yield f"GEO:{self.rng.uniform(-60, 60):.6f};{self.rng.uniform(-170, 170):.6f}"
        if self.chance(0.12):
            yield "RELATED-TO;RELTYPE=PARENT:" + self.hexadecimal(128)
        if self.chance(0.03):
            yield f'ORGANIZER;CN="Roe, Richard":mailto:richard{self.index % 89}@example.com'
            for _ in range(self.rng.randint(1, 3)):
                yield (f'ATTENDEE;ROLE=REQ-PARTICIPANT;PARTSTAT=NEEDS-ACTION;RSVP=TRUE;CN="{self.words(2, 2)}":'
                       f"mailto:guest{self.rng.randrange(1000)}@example.com")
        if self.chance(0.02):
            yield 'ATTACH;FMTTYPE=application/pdf;FILENAME="c d.pdf":https://example.com/a/' + self.hexadecimal(128)

    def extensions(self):
        """Properties that programs add: X-DOTTED is one long word, X-REMARK has quoted parameters."""
        number = self.rng.randrange
        return [f"X-APPLE-SORT-ORDER:{number(10 ** 9)}", f"X-MOZ-GENERATION:{number(30)}",
                f"X-MOZ-LASTACK:{self.time()}Z", f"X-OC-HIDESUBTASKS:{number(2)}",
                f"X-TASKS-ORG-ORDER:{number(10 ** 9)}", f'X-EVOLUTION-CALDAV-ETAG:"{self.hexadecimal(64)}"',
                "X-PINNED:TRUE", f"X-RADICALE-NAME:{self.uid}.ics",
                f'X-REMARK;X-KIND="p;q:r,s";X-N={number(100)}:' + escaped(self.words(2, 10)),
                "X-DOTTED:" + self.hexadecimal(512), "X-KDE-KCALCORE-ENABLED;VALUE=BOOLEAN:TRUE",
                "X-APPLE-TRAVEL-ADVISORY-BEHAVIOR:AUTOMATIC"]

    def alarm(self, number):
        yield "BEGIN:VALARM"
        if self.chance(0.6):
            yield f"UID:{self.uid}-R{number}"
        shown, kind = self.chance(0.85), self.rng.random()
        yield "ACTION:" + ("DISPLAY" if shown else "AUDIO")
        if kind < 0.55:
            yield self.rng.choice(TRIGGERS)
        elif kind < 0.90:
            yield f"TRIGGER;VALUE=DATE-TIME:{self.time()}Z"
        else:
            yield from self.place()
        if shown:
            yield "DESCRIPTION:" + escaped(self.words(1, 5))
        if self.chance(0.15):
            yield from [f"REPEAT:{self.rng.randint(1, 4)}", f"DURATION:PT{self.rng.randint(1, 29)}M"]
        if self.chance(0.2):
            yield f"ACKNOWLEDGED:{self.time()}Z"
        yield "END:VALARM"

    def place(self):
        """An alarm by location, as Apple writes it."""
        rng = self.rng
        yield from ["TRIGGER;VALUE=DATE-TIME:19760401T005545Z", "PROXIMITY:" + self.pick("ARRIVE", "DEPART")]
        yield (f'X-APPLE-STRUCTURED-LOCATION;VALUE=URI;X-ADDRESS="{rng.randrange(1, 999)} High St\\nRivertown";'
               f'X-APPLE-RADIUS={rng.randint(50, 500)};X-TITLE="{self.words(1, 3, False)}":'
               f"geo:{rng.uniform(-60, 60):.6f},{rng.uniform(-170, 170):.6f}")


def write(count, path, copies=1):
    with open(path, "wb") as file:
        file.write(written(HEAD + ZONES["America/Chicago"] + ZONES["Europe/Vienna"]))
        first = file.tell()
        for index in range(count):
            file.write(written(Todo(index).lines()))
        length = file.tell() - first
        file.flush()
        for copy in range(1, copies):
            repeat(path, first, length, copy, file)
        file.write(written(["END:VCALENDAR"]))


def repeat(path, first, length, copy, file):
    """Writes the to-dos once more; each UID begins with the number of its copy."""
    mark = f"UID:{copy:03}z".encode()
    with open(path, "rb") as source:
        source.seek(first)
        while source.tell() < first + length:
            line = source.readline()
            file.write(mark + line[8:] if line.startswith(b"UID:") else line)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("count", type=int)
    parser.add_argument("file", type=Path)
    parser.add_argument("--copies", type=int, default=1)
    arguments = parser.parse_args()
    write(arguments.count, arguments.file, arguments.copies)

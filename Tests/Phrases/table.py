#!/usr/bin/env python3
"""Makes Fixtures/cli/phrases.tsv: 2,000 phrases for --due and --repeat with the meaning of each, or the reason of its refusal.

    python3 Tests/Phrases/table.py            writes the table
    python3 Tests/Phrases/table.py --check    ends with 1 if the file differs

The meanings are computed here, from the manual, by Python's datetime and zoneinfo over Fixtures/tz. The script does not run
remindav: PhraseTableTests compares its answers with this table.
"""
import calendar
import datetime as dt
import os
import random
import sys
from zoneinfo import ZoneInfo

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
TABLE = os.path.join(ROOT, "Fixtures", "cli", "phrases.tsv")
UTC = dt.timezone.utc
DAY = dt.timedelta(days=1)
chance = random.Random(20261122)

HEAD = """\
# Made by Tests/Phrases/table.py, which works out the meanings by itself. What reads it, now and the zone, the phrase, and what it is;
# fields have a tab between. A letter that could not be seen is written as \\u{1b}.
#   date 2026-12-01                the whole day      local 2026-12-01 09:00    that time by the clock on the wall
#   exact 2026-12-01T08:00:00Z     that moment        none                      no date, or no longer
#   rule FREQ=DAILY                how it repeats
#   REFUSED word W [guess G]       the sentence says that W was not understood [and asks whether G was meant]
#   REFUSED says T                 the sentence contains T
#   REFUSED missing, long, empty, past
"""


def zone(name):
    with open(os.path.join(ROOT, "Fixtures", "tz", *name.split("/")), "rb") as file:
        return ZoneInfo.from_file(file, key=name)


ZONES = {name: zone(name) for name in (
    "Europe/Berlin", "Europe/Dublin", "America/New_York", "Asia/Tokyo", "Asia/Kathmandu", "Pacific/Apia")}


class Now:
    """A moment at a place."""

    def __init__(self, moment, place):
        self.moment = dt.datetime.fromisoformat(moment.replace("Z", "+00:00"))
        self.name, self.zone = place, ZONES[place]
        self.wall = self.moment.astimezone(self.zone)
        self.today = self.wall.date()
        self.text = f"{moment} {place}"

    def instant(self, date, time):
        """In a gap the offset before it counts, in an overlap the first of the two."""
        return dt.datetime.combine(date, time).replace(tzinfo=self.zone, fold=0).astimezone(UTC)

    def local(self, date, time):
        wall = self.instant(date, time).astimezone(self.zone)
        return f"local {wall:%Y-%m-%d %H:%M}"

    def date(self, date):
        """A day that the zone left out is the next one."""
        return f"date {self.instant(date, dt.time(12)).astimezone(self.zone):%Y-%m-%d}"


NOWS = [Now(*pair) for pair in (
    ("2026-11-20T17:05:00Z", "Europe/Berlin"), ("2026-12-31T22:30:00Z", "Europe/Berlin"),
    ("2027-03-27T11:00:00Z", "Europe/Berlin"), ("2027-03-28T00:59:59Z", "Europe/Berlin"),
    ("2027-10-30T11:00:00Z", "Europe/Berlin"), ("2027-10-31T00:15:00Z", "Europe/Berlin"),
    ("2027-10-31T01:15:00Z", "Europe/Berlin"), ("2027-03-13T20:00:00Z", "America/New_York"),
    ("2027-03-14T06:59:30Z", "America/New_York"), ("2027-11-07T04:59:59Z", "America/New_York"),
    ("2027-11-07T06:10:00Z", "America/New_York"), ("2028-02-28T12:00:00Z", "Europe/Dublin"),
    ("2028-02-29T09:30:00Z", "Europe/Dublin"), ("2096-12-31T23:59:59Z", "Europe/Dublin"),
    ("2026-06-30T18:30:00Z", "Asia/Kathmandu"), ("2027-01-31T08:00:00Z", "Asia/Tokyo"),
    ("2026-12-31T15:00:00Z", "Asia/Tokyo"), ("2011-12-29T20:00:00Z", "Pacific/Apia"),
    ("2024-02-29T10:00:42Z", "America/New_York"), ("2026-08-31T05:00:00Z", "Europe/Dublin"))]

WEEKDAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
SHORT_DAYS = {"mon": 0, "tue": 1, "tues": 1, "wed": 2, "thu": 3, "thur": 3, "thurs": 3, "fri": 4, "sat": 5, "sun": 6}
MONTHS = ["january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
          "december"]
SHORT_MONTHS = {name[:3]: number for number, name in enumerate(MONTHS, 1)} | {"sept": 9}
COUNTS = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]


def months_on(date, months):
    """The same day so many months later, or the last one of a month that has no such day."""
    count = date.year * 12 + date.month - 1 + months
    year, month = divmod(count, 12)
    return dt.date(year, month + 1, min(date.day, calendar.monthrange(year, month + 1)[1]))


def ordinal(day):
    return f"{day}" + ("th" if 10 < day < 20 else {1: "st", 2: "nd", 3: "rd"}.get(day % 10, "th"))


# A day phrase is a text and a function from (now, is_past) to the date. is_past is true if the date would be past.

def fixed(find):
    return lambda now, is_past: find(now.today)


def yearly(month, day):
    def find(now, is_past):
        for year in range(now.today.year, now.today.year + 9):
            try:
                date = dt.date(year, month, day)
            except ValueError:
                continue
            if not is_past(date):
                return date
        raise ValueError("no such day")
    return find


def weekday(number):
    return fixed(lambda today: today + DAY * ((number - today.weekday() - 1) % 7 + 1))


def spelled(text):
    return chance.choice([text, text, text, text.capitalize(), text.upper(), "  ".join(text.split(" "))])


def named_days():
    """Days of the year in all spellings, with and without the year."""
    day_of = {2: 29}
    while True:
        month = chance.randint(1, 12)
        day = chance.randint(1, day_of.get(month, calendar.monthrange(2028, month)[1]))
        name = chance.choice([MONTHS[month - 1], MONTHS[month - 1][:3], "sept" if month == 9 else MONTHS[month - 1]])
        number = chance.choice([str(day), ordinal(day)])
        words = chance.choice([
            f"{number} {name}", f"{name} {number}", f"the {ordinal(day)} of {name}", f"{name} the {ordinal(day)}",
            f"on {number} {name}", f"{number} of {name}"])
        if chance.random() < 0.6 or (month, day) == (2, 29):
            yield words, yearly(month, day)
        else:
            year = chance.choice([2097, 2098, 2100, 2150, 3000, 9999])
            comma = chance.choice([" ", ", ", " , "])
            yield f"{words}{comma}{year}", fixed(lambda today, date=dt.date(year, month, day): date)


def spans():
    while True:
        unit, short = chance.choice([
            ("day", ["day", "days", "d"]), ("week", ["week", "weeks", "w", "wk", "wks"]), ("month", ["month", "months"]),
            ("year", ["year", "years", "y", "yr", "yrs"])])
        count = chance.choice([1, 2, 3, 5, 6, 7, 10, 11, 12, 13, 30, 31, 90, 99, 365 if unit == "day" else 18])
        number = chance.choice([str(count), COUNTS[count - 1] if count <= 12 else str(count)])
        if count == 1:
            number = chance.choice(["1", "a", "one", "an"])
        word = chance.choice(short)
        glue = chance.choice([" ", ""]) if number.isdigit() else " "
        words = chance.choice(["in ", "in ", ""]) + number + glue + word
        months = {"month": count, "year": count * 12}.get(unit)
        if months:
            yield words, fixed(lambda today, months=months: months_on(today, months))
        else:
            days = count * (7 if unit == "week" else 1)
            yield words, fixed(lambda today, days=days: today + DAY * days)


def plain_days():
    while True:
        number = chance.randrange(7)
        names = [WEEKDAYS[number]] + [name for name, day in SHORT_DAYS.items() if day == number]
        name = chance.choice(names)
        last = fixed(lambda today: today.replace(day=calendar.monthrange(today.year, today.month)[1]))
        iso = dt.date(2097, 1, 1) + DAY * chance.randrange(100_000)
        yield from chance.sample([
            ("today", fixed(lambda today: today)), ("tomorrow", fixed(lambda today: today + DAY)),
            ("on tomorrow", fixed(lambda today: today + DAY)),
            ("day after tomorrow", fixed(lambda today: today + 2 * DAY)),
            ("the day after tomorrow", fixed(lambda today: today + 2 * DAY)),
            (name, weekday(number)), ("on " + name, weekday(number)), ("next " + name, weekday(number)),
            ("this " + name, weekday(number)), (str(iso), fixed(lambda today, iso=iso: iso)),
            ("on " + str(iso), fixed(lambda today, iso=iso: iso)),
            ("next week", fixed(lambda today: today + 7 * DAY)), ("next month", fixed(lambda today: months_on(today, 1))),
            ("next year", fixed(lambda today: months_on(today, 12))), ("end of month", last), ("eom", last),
            ("end of the month", last), ("the end of the month", last), ("at the end of the month", last),
        ], 6)


def times():
    while True:
        hour, minute = chance.randrange(24), chance.choice([0, 0, 1, 5, 15, 30, 45, 59])
        half = "am" if hour < 12 else "pm"
        twelve = (hour + 11) % 12 + 1
        choices = [f"{hour}:{minute:02}", f"{hour:02}:{minute:02}", f"at {hour}:{minute:02}",
                   f"{twelve}:{minute:02} {half}", f"{twelve}:{minute:02}{half.upper()}", f"at {twelve}:{minute:02}{half}"]
        if minute == 0:
            choices += [f"{twelve}{half}", f"{twelve} {half}", f"at {twelve} {half}", f"at {hour}", f"at {hour:02}"]
        if (hour, minute) == (12, 0):
            choices += ["noon", "at noon"] * 3
        if (hour, minute) == (0, 0):
            choices += ["midnight", "at midnight"] * 3
        yield chance.choice(choices), dt.time(hour, minute)


def awkward_times():
    """Where the clocks leave hours out, or show them twice."""
    while True:
        hour, minute = chance.choice([(1, 30), (2, 0), (2, 30), (2, 59), (3, 0), (1, 0), (1, 59)])
        yield chance.choice([f"{hour}:{minute:02}", f"at {hour}:{minute:02} am", f"{hour}:{minute:02}am"]), dt.time(hour, minute)


def meaning(now, day, time):
    """None when it is over."""
    if time is None:
        date = day(now, lambda date: date < now.today)
        return None if date < now.today else now.date(date)
    date = day(now, lambda date: now.instant(date, time) <= now.moment)
    return None if now.instant(date, time) <= now.moment else now.local(date, time)


def soonest(now, is_past):
    return now.today + DAY if is_past(now.today) else now.today


rows, seen = [], set()


def escaped(text):
    return "".join(c if c.isprintable() and c != "\\" or c == " " else f"\\u{{{ord(c):x}}}" for c in text)


def add(reads, now, phrase, expected):
    key = (reads, now.text if now else "-", phrase)
    if key in seen:
        return False
    seen.add(key)
    rows.append((reads, now.text if now else "-", escaped(phrase), escaped(expected)))
    return True


def fill(count, reads, phrases):
    """Rows of `phrases`, which yields (now, phrase, expected), until there are so many more."""
    end = len(rows) + count
    for _ in range(count * 500):
        if len(rows) == end:
            return
        add(reads, *next(phrases))
    raise SystemExit(f"only {len(rows) - end + count} of {count} {reads}")


# --due: valid phrases

def understood_days(days, with_time):
    kinds, clock = days(), times()
    hard = awkward_times()
    while True:
        (words, day), now = next(kinds), chance.choice(NOWS)
        if not with_time:
            value = meaning(now, day, None)
        else:
            said, time = next(hard) if chance.random() < 0.35 else next(clock)
            value = meaning(now, day, time)
            joins = ["{0} {1}", "{0}, {1}", "{1} {0}", "{1}, {0}", "{0}  {1}"]
            words = chance.choice(joins).format(words, said)
        if value:
            yield now, spelled(words), value


def understood_times():
    clock, hard = times(), awkward_times()
    while True:
        now = chance.choice(NOWS)
        said, time = next(hard) if chance.random() < 0.4 else next(clock)
        yield now, spelled(said), meaning(now, soonest, time)


def understood_later():
    while True:
        now = chance.choice(NOWS)
        unit, seconds = chance.choice([
            ("min", 60), ("mins", 60), ("minute", 60), ("minutes", 60), ("m", 60), ("h", 3600), ("hr", 3600), ("hrs", 3600),
            ("hour", 3600), ("hours", 3600)])
        count = chance.choice([1, 2, 3, 5, 10, 15, 24, 30, 45, 48, 60, 90, 100, 720])
        number = chance.choice(["a", "an", "one", "1"]) if count == 1 else str(count)
        glue = chance.choice([" ", ""]) if number.isdigit() else " "
        moment = now.moment + dt.timedelta(seconds=count * seconds)
        if count * seconds >= 3600:
            moment += dt.timedelta(seconds=-moment.second % 60)
        wall = moment.astimezone(now.zone)
        # The second pass through an hour has no time on the wall of its own.
        is_first = now.instant(wall.date(), wall.time()) == moment
        value = f"local {wall:%Y-%m-%d %H:%M}" if is_first else f"exact {moment:%Y-%m-%dT%H:%M:%SZ}"
        yield now, spelled(chance.choice(["in ", "in ", ""]) + number + glue + unit), value


def understood_moments():
    while True:
        now = chance.choice(NOWS)
        moment = dt.datetime(2097, 1, 1, tzinfo=UTC) + dt.timedelta(seconds=chance.randrange(10 ** 9))
        offset = chance.choice([0, 60, -300, 330, 345, 840, -720])
        local = moment.astimezone(dt.timezone(dt.timedelta(minutes=offset)))
        sign = "-" if offset < 0 else "+"
        tail = chance.choice(["Z", "z", "+00:00"]) if offset == 0 else f"{sign}{abs(offset) // 60:02}:{abs(offset) % 60:02}"
        text = f"{local:%Y-%m-%d}{chance.choice('Tt ')}{local:%H:%M:%S}{tail}"
        yield now, text, f"exact {moment:%Y-%m-%dT%H:%M:%SZ}"


fill(90, "due", understood_days(plain_days, False))
fill(90, "due", understood_days(named_days, False))
fill(90, "due", understood_days(spans, False))
fill(130, "due", understood_days(plain_days, True))
fill(110, "due", understood_days(named_days, True))
fill(60, "due", understood_days(spans, True))
fill(90, "due", understood_times())
fill(70, "due", understood_later())
fill(20, "due", understood_moments())
for index, word in enumerate(["none", "None", "NONE", " none", "none "]):
    add("due", NOWS[index], word, "none")
apia, berlin, york = NOWS[17], NOWS[2], NOWS[7]
for now, phrase, value in [
        (apia, "tomorrow", "date 2011-12-31"), (apia, "in a day", "date 2011-12-31"), (apia, "friday", "date 2011-12-31"),
        (apia, "30 dec", "date 2011-12-31"), (apia, "tomorrow noon", "local 2011-12-31 12:00"),
        (berlin, "tomorrow 2:30", "local 2027-03-28 03:30"), (york, "tomorrow 2:30 am", "local 2027-03-14 03:30"),
        (NOWS[5], "2:30", "local 2027-10-31 02:30"), (NOWS[5], "in 2 hours", "local 2027-10-31 03:15"),
        (NOWS[5], "in 1 hour", "exact 2027-10-31T01:15:00Z"), (NOWS[12], "29 feb", "date 2028-02-29"),
        (NOWS[12], "29 feb 9am", "local 2032-02-29 09:00"), (NOWS[13], "29 feb", "date 2104-02-29"),
        (NOWS[15], "next month", "date 2027-02-28"), (NOWS[12], "next year", "date 2029-02-28"),
        (NOWS[1], "tomorrow", "date 2027-01-01"), (NOWS[1], "24 dec 9999", "date 9999-12-24"),
        (NOWS[1], "9999-12-31", "date 9999-12-31"), (NOWS[15], "eom", "date 2027-01-31"),
        (NOWS[0], "friday 9", "local 2026-11-27 09:00"), (NOWS[0], "15 jan 10", "local 2027-01-15 10:00"),
        (NOWS[0], "2026-W50", "date 2026-12-07"), (NOWS[0], "1mo", "date 2026-12-20"),
        (NOWS[0], "today+3d", "date 2026-11-23"), (NOWS[0], "next weekend", "date 2026-11-28"),
        (NOWS[0], "20 nov", "date 2026-11-20"), (NOWS[0], "19 nov", "date 2027-11-19")]:
    add("due", now, phrase, value)


# --repeat: valid phrases

CODES = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"]
UNITS = [("day", "DAILY"), ("week", "WEEKLY"), ("month", "MONTHLY"), ("year", "YEARLY"), ("hour", "HOURLY"),
         ("minute", "MINUTELY")]


def listing(items):
    if len(items) == 1:
        return items[0]
    return chance.choice([
        ", ".join(items[:-1]) + " and " + items[-1], ", ".join(items[:-1]) + ", and " + items[-1], ",".join(items),
        " and ".join(items)])


def bases():
    """Words and the parts of the rule."""
    while True:
        unit, frequency = chance.choice(UNITS)
        interval = chance.choice([1, 1, 1, 2, 3, 4, 6, 10, 12, 18, 52])
        number = chance.choice([str(interval), COUNTS[interval - 1] if interval <= 12 else str(interval)])
        each = chance.choice(["every", "every", "every", "each"])
        if interval == 1:
            adverb = {"day": "daily", "week": "weekly", "month": "monthly", "hour": "hourly"}.get(unit)
            adverb = chance.choice(["yearly", "annually"]) if unit == "year" else adverb
            start = chance.choice([f"{each} {unit}", adverb or f"every {unit}"])
        elif interval == 2:
            start = chance.choice([f"{each} other {unit}", f"every second {unit}", f"every 2nd {unit}", f"every {number} {unit}s"])
        else:
            start = chance.choice([f"{each} {number} {unit}s", f"every {ordinal(interval)} {unit}", f"every {interval} {unit}"])
        parts = {"FREQ": frequency} | ({"INTERVAL": str(interval)} if interval > 1 else {})
        on = ""
        if unit == "week" and chance.random() < 0.8:
            days = chance.sample(range(7), chance.choice([1, 2, 2, 3, 4]))
            names = [chance.choice([WEEKDAYS[day], WEEKDAYS[day][:3]]) for day in days]
            parts["BYDAY"] = ",".join(CODES[day] for day in sorted(days))
            if interval == 1 and chance.random() < 0.5:
                start = each + " " + listing(names)
            elif interval == 2 and chance.random() < 0.3:
                start = each + " other " + listing(names)
            else:
                on = " on " + listing(names)
        elif unit == "month" and chance.random() < 0.85:
            kind = chance.choice(["day", "day", "weekday", "last"])
            if kind == "day":
                days = sorted(chance.sample(range(1, 32), chance.choice([1, 1, 2, 3])))
                parts["BYMONTHDAY"] = ",".join(map(str, days))
                on = " on " + listing([chance.choice([f"the {ordinal(day)}", ordinal(day), str(day)]) for day in days])
            elif kind == "last":
                parts["BYMONTHDAY"] = "-1"
                on = " on " + chance.choice(["the last day", "last day", "the last day of the month"])
            else:
                place, day = chance.choice([1, 2, 3, 4, 5, -1]), chance.randrange(7)
                parts["BYDAY"] = f"{place}{CODES[day]}"
                word = "last" if place == -1 else chance.choice([ordinal(place), ["first", "second", "third", "fourth", "fifth"][place - 1]])
                on = f" on the {word} {chance.choice([WEEKDAYS[day], WEEKDAYS[day][:3]])}"
                if place in (1, -1) and interval == 1 and chance.random() < 0.5:
                    start, on = f"{each} {word} {WEEKDAYS[day]}", ""
        elif unit == "year" and chance.random() < 0.85:
            month = chance.randint(1, 12)
            name = chance.choice([MONTHS[month - 1], MONTHS[month - 1][:3]])
            parts["BYMONTH"] = str(month)
            if chance.random() < 0.4:
                day = chance.randint(1, calendar.monthrange(2028, month)[1])
                parts["BYMONTHDAY"] = str(day)
                on = " on " + chance.choice([f"{day} {name}", f"{name} {day}", f"the {ordinal(day)} of {name}"])
            elif chance.random() < 0.5:
                place, day = chance.choice([1, 2, 3, 4, -1]), chance.randrange(7)
                parts["BYDAY"] = f"{place}{CODES[day]}"
                on = f" on the {'last' if place == -1 else ordinal(place)} {WEEKDAYS[day][:3]} of {name}"
            else:
                on = f" in {name}"
        yield start + on, parts


def ends():
    """Words of an end, and its part; nothing in half of the cases."""
    while True:
        date = dt.date(2027, 1, 1) + DAY * chance.randrange(3000)
        name = MONTHS[date.month - 1]
        days = [str(date), f"{date.day} {name} {date.year}", f"{date.day} {name[:3]} {date.year}", f"{name} {date.day}, {date.year}"]
        comma = chance.choice(["", ","])
        count = chance.choice([1, 2, 3, 5, 10, 12, 100])
        times_said = "once" if count == 1 else f"{count} times"
        yield from chance.sample([
            ("", {}), ("", {}), ("", {}),
            (f"{comma} until {chance.choice(days)}", {"UNTIL": f"{date:%Y%m%d}"}),
            (f"{comma} until {chance.choice(days)} 18:30", {"UNTIL": f"{date:%Y%m%d}T183000"}),
            (f"{comma} {times_said}", {"COUNT": str(count)}),
            (f"{comma} for {count} {'time' if count == 1 else 'times'}", {"COUNT": str(count)})], 7)


def rule(parts):
    order = ["FREQ", "UNTIL", "COUNT", "INTERVAL", "BYMONTH", "BYMONTHDAY", "BYDAY", "BYHOUR", "BYMINUTE", "BYSETPOS", "WKST"]
    return "rule " + ";".join(f"{name}={parts[name]}" for name in order if name in parts)


def understood_rules():
    start, end = bases(), ends()
    while True:
        (words, parts), (tail, bound) = next(start), next(end)
        yield None, spelled(words + tail), rule(parts | bound)


fill(220, "repeat", understood_rules())
workdays = {"BYDAY": "MO,TU,WE,TH,FR"}
for phrase, parts in [
        ("every weekday", {"FREQ": "WEEKLY"} | workdays), ("weekdays", {"FREQ": "WEEKLY"} | workdays),
        ("every workday", {"FREQ": "WEEKLY"} | workdays), ("every weekend", {"FREQ": "WEEKLY", "BYDAY": "SA,SU"}),
        ("every other weekend", {"FREQ": "WEEKLY", "INTERVAL": "2", "BYDAY": "SA,SU"}),
        ("every last weekday", {"FREQ": "MONTHLY", "BYSETPOS": "-1"} | workdays),
        ("every month on the last weekday", {"FREQ": "MONTHLY", "BYSETPOS": "-1"} | workdays),
        ("every month on the first weekday", {"FREQ": "MONTHLY", "BYSETPOS": "1"} | workdays),
        ("every 15th of the month", {"FREQ": "MONTHLY", "BYMONTHDAY": "15"}),
        ("every last day of the month", {"FREQ": "MONTHLY", "BYMONTHDAY": "-1"}),
        ("every year in mar and sep", {"FREQ": "YEARLY", "BYMONTH": "3,9"}),
        ("every 4 years on 29 feb", {"FREQ": "YEARLY", "INTERVAL": "4", "BYMONTH": "2", "BYMONTHDAY": "29"}),
        ("every 2 weeks on mon weeks from sun", {"FREQ": "WEEKLY", "INTERVAL": "2", "BYDAY": "MO", "WKST": "SU"}),
        ("every 2 weeks, weeks from sat, 3 times", {"FREQ": "WEEKLY", "COUNT": "3", "INTERVAL": "2", "WKST": "SA"}),
        ("every day until 2027-06-01 noon", {"FREQ": "DAILY", "UNTIL": "20270601T120000"}),
        ("every day until 29 feb 2028", {"FREQ": "DAILY", "UNTIL": "20280229"}),
        ("every 3rd friday", {"FREQ": "MONTHLY", "BYDAY": "3FR"}),
        ("every 5th monday", {"FREQ": "MONTHLY", "BYDAY": "5MO"}),
        ("every 15 jan, 15 apr and 15 jul", {"FREQ": "YEARLY", "BYMONTH": "1,4,7", "BYMONTHDAY": "15"}),
        ("every year on 1 jan and 1 jul", {"FREQ": "YEARLY", "BYMONTH": "1,7", "BYMONTHDAY": "1"}),
        ("every day at 8am and 8pm", {"FREQ": "DAILY", "BYHOUR": "8,20", "BYMINUTE": "0"}),
        ("every weekday 9:15, 12:15 and 18:15", {"FREQ": "WEEKLY", "BYHOUR": "9,12,18", "BYMINUTE": "15"} | workdays),
        ("biweekly", {"FREQ": "WEEKLY", "INTERVAL": "2"}), ("P2W", {"FREQ": "WEEKLY", "INTERVAL": "2"}),
        ("every 9999 days", {"FREQ": "DAILY", "INTERVAL": "9999"}),
        ("every day 9999 times", {"FREQ": "DAILY", "COUNT": "9999"}),
        ("FREQ=DAILY;INTERVAL=2", {"FREQ": "DAILY", "INTERVAL": "2"}),
        ("RRULE:FREQ=WEEKLY;BYDAY=MO", {"FREQ": "WEEKLY", "BYDAY": "MO"}),
        ("freq=weekly;byday=mo", {"FREQ": "WEEKLY", "BYDAY": "MO"})]:
    add("repeat", None, phrase, rule(parts))
for phrase in ["none", "NONE", "never", "Never"]:
    add("repeat", None, phrase, "none")
UNDERSTOOD = len(rows)


# --due: refused phrases

def word(text, guess=None):
    return f"REFUSED word {text}" + (f" guess {guess}" if guess else "")


MISSPELLED = {
    "fryday": "friday", "firday": "friday", "fridey": "friday", "tusday": "tuesday", "teusday": "tuesday", "tuesdy": "tuesday",
    "wensday": None, "wednsday": "wednesday", "wedensday": "wednesday", "thrusday": "thursday", "thurday": "thursday",
    "saterday": "saturday", "satuday": "saturday", "sunady": "sunday", "munday": None, "moday": "monday", "monaday": "monday",
    "tomorow": "tomorrow", "tommorow": "tomorrow", "tommorrow": "tomorrow", "tomorrwo": "tomorrow", "todya": "today",
    "todey": "today", "midnigth": "midnight", "nooon": "noon"}
BAD_MONTHS = {
    "janury": "january", "feburary": "february", "febuary": "february", "marhc": "march", "aprl": "april",
    "agust": "august", "septmber": "september", "setpember": "september", "octuber": "october", "novemer": "november",
    "decmber": "december", "dezember": "december", "decembre": "december", "oktober": "october", "juillet": None,
    "janvier": None, "mai": None, "februar": None, "marzo": None, "agosto": None, "dez": None, "okt": None}
FOREIGN = """morgen heute übermorgen demain aujourd'hui mañana hoy domani oggi jutro dzisiaj завтра сегодня 明日 今日 明天 今天 내일
    오늘 غدا اليوم מחר yarın bugün amanhã hoje imorgon idag huomenna tänään holnap zítra mâine αύριο कल พรุ่งนี้ montag freitag lundi vendredi
    lunes viernes lunedì venerdì piątek poniedziałek пятница понедельник 金曜日 星期五 금요일 الجمعة maandag vrijdag fredag pátek péntek mittag
    midi mediodía mezzogiorno полдень""".split()
JUNK = ["please", "sharp", "maybe", "foo", "x", "!", "?", "or", "then", "utc", "CET", "-", "/", "#1",
        "@home", "~", "&", "ish", "🎄", "of", "tomorow", "(sharp)", "Europe/Berlin", "+01:00", "hrs?"]
NONSENSE = ["qwertz", "asdf jkl", "lorem ipsum", "🎄", "!!!", "...", "#", "%", "null", "NaN", "true", "<b>", "'; drop table x", "../etc",
            "$(reboot)", "`id`", "\\n", "=", "==", "?", "0x10", "1e3", "+1", "-1", "--due", "*", "\u00bd", "\u2468", "IV", "x9am", "_",
            "soon", "asap", "whenever", "christmas", "xmas", "easter", "weekend",
            "fortnight", "morning", "afternoon", "evening", "night", "past monday", "when I wake up", "before noon", "after friday",
            "until friday", "by friday", "from monday", "since monday", "around 9am", "about noon", "every day", "daily", "never",
            "2morrow", "fr", "mo", "tu", "we", "sa", "su", "janu", "d", "h", "m", "am", "pm", "th", "st"]


def with_typos():
    clock = times()
    while True:
        now = chance.choice(NOWS)
        if chance.random() < 0.6:
            bad, good = chance.choice(list(MISSPELLED.items()))
            lead = chance.choice(["", "", "next ", "on "]) if bad.endswith("day") and bad not in ("tody",) else ""
            phrase = lead + bad + chance.choice(["", "", " " + next(clock)[0]])
        else:
            bad, good = chance.choice(list(BAD_MONTHS.items()))
            day = chance.randint(1, 28)
            phrase = chance.choice([f"{day} {bad}", f"{ordinal(day)} of {bad}", f"the {ordinal(day)} {bad}", f"{day} {bad} 2099"])
        yield now, phrase, word(bad, good)


def in_other_languages():
    clock = times()
    while True:
        bad = chance.choice(FOREIGN)
        said = next(clock)[0]
        phrase = chance.choice([bad, bad, f"{bad} {said}", f"{said} {bad}", f"on {bad}", f"next {bad}", f"tomorrow {bad}"])
        yield chance.choice(NOWS), phrase, word(bad)


def with_junk():
    kinds = [plain_days(), spans(), named_days()]
    clock, later = times(), understood_later()
    while True:
        bad = chance.choice(JUNK)
        phrase = chance.choice([next(chance.choice(kinds))[0], next(clock)[0], next(later)[1], "today " + next(clock)[0]])
        # Behind a bare hour something else is missed first, and `9 o'clock` is an hour.
        yield chance.choice(NOWS), f"{phrase} {bad}", word(bad)


def impossible_days():
    while True:
        month = chance.choice([2, 2, 2, 4, 6, 9, 11, 1, 12])
        last = calendar.monthrange(2028, month)[1]
        day = chance.choice([last + 1, 31 if last < 31 else 32, 32, 40, 99])
        name = chance.choice([MONTHS[month - 1], MONTHS[month - 1][:3]])
        phrase = chance.choice([f"{day} {name}", f"{name} {day}", f"the {ordinal(day)} of {name}", f"{day} {name} 2099", f"on {name} {day}"])
        if chance.random() < 0.15:
            phrase = chance.choice(["29 feb 2027", "feb 29 2099", "29 february, 2100", "the 29th of feb 2026", "29 feb 2101"])
        tail = chance.choice(["", "", " 9am", " at noon"])
        yield chance.choice(NOWS), phrase + tail, f"REFUSED says '{phrase + tail}': there is no such day. Write for example"


# Three numbers may be a date: the error names each reading.
DATES = {bad: f"REFUSED says There is no day '{bad}'." for bad in (
    "2026-02-29", "2027-02-30", "2100-02-29", "2027-13-01", "2027-00-10", "2027-11-00", "2027-11-31", "2027-04-31", "2027-12-32")} | {
    "27-12-01": "REFUSED says '27-12-01' can mean different days: write 2001-12-27 or 2027-12-01."}


def impossible_dates():
    while True:
        bad = chance.choice([
            "2026-02-29", "2027-02-30", "2100-02-29", "2027-13-01", "2027-00-10", "2027-11-00", "2027-11-31", "2027-04-31",
            "27-12-01", "10000-01-01", "02027-01-01", "2027-W54", "2027-123", "-2027-01-01", "2027-12-32",
            "2027\u201312\u201301", "\uff12\uff10\uff12\uff17-12-01", "\u0662\u0660\u0662\u0667-12-01"])
        phrase = chance.choice([bad, f"{bad} 9am", f"at 9:30 {bad}", f"on {bad}"])
        if bad == "10000-01-01" and phrase.startswith("on"):
            continue
        yield chance.choice(NOWS), phrase, DATES.get(bad) or word(bad)


def impossible_times():
    while True:
        bad = chance.choice([
            "25:00", "24:00", "99:99", "9:60", "9:5", "9:300", "12:60", "009:00", ":30", "9:", "17:30:00", "9,30", "13:75",
            "-9:00", "+9:00", "9:-1", "9:3O", "\u0669:\u0663\u0660", "\uff19:30", "930", "1730", "0900", "9a.m.", "9:30:", "9::30"])
        phrase = chance.choice([f"tomorrow {bad}", f"friday at {bad}", f"24 dec {bad}", f"2099-01-01 {bad}", f"today, {bad}", f"next week {bad}"])
        if bad in ("930", "1730", "0900") and phrase.startswith("24 dec"):
            continue
        yield chance.choice(NOWS), phrase, word(bad)


def numeric_days():
    names = [name[:3] for name in MONTHS]
    while True:
        first, second, year = chance.randint(1, 32), chance.randint(1, 14), chance.choice([2027, 2028, 2099])
        sign = chance.choice("/.-")
        two = chance.random() < 0.25 and sign == "/"
        text = f"{first:02}/{second:02}" if two else f"{first:02}{sign}{second:02}{sign}{year}"
        readings = []
        for day, month in ((first, second), (second, first)):
            try:
                date = dt.date(2028 if two else year, month, day)
            except ValueError:
                continue
            said = f"'{day} {names[month - 1]}'" if two else str(date)
            if said not in readings:
                readings.append(said)
        # With dots, the day is before the month.
        if len(readings) == 1 or sign == "." and readings and second <= 12 and first <= 31:
            continue  # one possible day is understood
        sentence = {0: f"There is no day '{text}'."}.get(
            len(readings), f"'{text}' can mean different days: write {' or '.join(readings)}.")
        phrase = chance.choice([text, f"{text} 9am", f"on {text}"])
        yield chance.choice(NOWS), phrase, f"REFUSED says {sentence}"


def over():
    clock = times()
    while True:
        now = chance.choice(NOWS)
        said, time = next(clock)
        gone = now.today - DAY * chance.choice([1, 2, 30, 365, 5000])
        kind = chance.randrange(4)
        if kind == 0 and now.instant(now.today, time) <= now.moment:
            yield now, spelled(chance.choice([f"today {said}", f"{said} today", f"today, {said}"])), "REFUSED past"
        elif kind == 1:
            yield now, chance.choice([str(gone), f"{gone} {said}"]), "REFUSED past"
        elif kind == 2:
            yield now, f"{gone.day} {MONTHS[gone.month - 1]} {gone.year}", "REFUSED past"
        elif kind == 3:
            moment = now.moment - dt.timedelta(seconds=chance.choice([0, 1, 60, 86400]))
            yield now, f"{moment:%Y-%m-%dT%H:%M:%SZ}", "REFUSED past"


def of_control_bytes():
    while True:
        control = chance.choice("\x00\x01\x07\x08\x0b\x0c\r\x1b\x7f\x9b\u200b\u200d\u202e\u2028\ufeff\u00a0\n\u00ad")
        bad = chance.choice([
            f"tomorrow{control}", f"{control}tomorrow", f"fri{control}day", f"{control}", f"9{control}am", f"{control}[31mfriday"])
        phrase = chance.choice([bad, f"{bad} 9:30", f"on {bad}"])
        yield chance.choice(NOWS), phrase, word(bad)


def counted_badly():
    units = ["days", "weeks", "months", "years", "hours", "minutes"]
    while True:
        unit = chance.choice(units)
        bad = chance.choice([
            "0", "-3", "1.5", "2,5", "\u00bd", "10000", "99999999999999999999", "+2", "some", "few", "many", "thirteen", "zero", "dozen",
            "two-and-a-half", "3x", "\u0663", "\uff13", "1/2", "0x3", "1e2", "~3"])
        yield chance.choice(NOWS), f"in {bad} {unit}", word(bad)


def unfinished():
    for phrase in [
            "in", "in 3", "in two", "in a", "next", "on", "at", "this", "end", "end of", "the end of", "the end of the", "the",
            "24", "the day", "day", "day after", "the day after", "tomorrow,", "tomorrow at", "friday at", "friday,",
            "24 dec,", "24th of", "dec", "december", "dec the", "9am,", "noon,", "at 9,", "2099-01-01 at", "next week at",
            "in 2 weeks at", "on the", "9", "12", "one", "a", "may", "march", "in 5 weeks,", "end of month at", "today,"]:
        yield chance.choice(NOWS), phrase, "REFUSED missing"


def far_away():
    for years in (1001, 1100, 2000, 5000, 7972, 9000, 9999):
        yield chance.choice(NOWS), f"in {years} years", f"REFUSED says 'in {years} years' is more than a thousand years away."
        yield chance.choice(NOWS), f"in {years} years at 9am", "REFUSED says is more than a thousand years away."


def nonsense():
    for phrase in NONSENSE:
        yield chance.choice(NOWS), phrase, word(phrase.split(" ")[0])


def lengths():
    for phrase in ["a" * 513, "9" * 1000, "tomorrow" + " " * 600 + "9am", "in " + "9" * 600 + " days", "friday " * 100, "\u0416" * 300,
                   "tomorrow " + "x" * 5000]:
        yield NOWS[0], phrase, "REFUSED long"


def empty():
    for phrase in ["", " ", "\t", "  \t "]:
        yield NOWS[0], phrase, "REFUSED empty"


def all_of(reads, phrases):
    for row in phrases:
        add(reads, *row)


start = len(rows)
all_of("due", nonsense())
all_of("due", unfinished())
all_of("due", far_away())
all_of("due", lengths())
all_of("due", empty())
fill(70, "due", with_typos())
fill(75, "due", in_other_languages())
fill(90, "due", with_junk())
fill(45, "due", impossible_days())
fill(35, "due", impossible_dates())
fill(60, "due", impossible_times())
fill(40, "due", numeric_days())
fill(60, "due", over())
fill(40, "due", of_control_bytes())
fill(45, "due", counted_badly())


# --repeat: refused phrases

def rule_junk():
    start = bases()
    while True:
        words, parts = next(start)
        bad = chance.choice([
            "foo", "please", "except", "unless", "starting", "upon", "since", "but", "ish", "🎄", "!", "or", "forever", "ago",
            "jeden", "chaque", "#home", "@home", "x", "/", "between", "during", "if"])
        yield None, f"{words} {bad}", word(bad)


def rule_foreign():
    words = "jeden täglich wöchentlich monatlich chaque quotidien hebdomadaire mensuel cada diario semanal ogni giornaliero codziennie каждый ежедневно 毎日 每天 매일 كل her".split()
    while True:
        bad = chance.choice(words)
        phrase, named = chance.choice([(f"{bad}", bad), (f"{bad} day", bad), (f"every {bad}", bad), (f"every day {bad}", bad), (f"{bad} montag", bad)])
        yield None, phrase, word(named)


def rule_typos():
    typos = {
        "evrey day": ("evrey", "every"), "evrey week": ("evrey", "every"), "dialy": ("dialy", "daily"), "weakly": ("weakly", "weekly"),
        "montly": ("montly", "monthly"), "yearley": ("yearley", "yearly"), "anually": ("anually", "annually"),
        "every tusday": ("tusday", "tuesday"), "every wednsday": ("wednsday", "wednesday"), "every 2 weeks on fryday": ("fryday", "friday"),
        "every year on 24 decmber": ("decmber", "december"), "every day untill 2027-06-01": ("untill", "until"),
        "every day 10 tiems": ("tiems", "times"), "every wekday": ("wekday", "weekday"), "every wekend": ("wekend", "weekend"),
        "every othr day": ("othr", "other"), "every secnd day": ("secnd", "second"), "every month on the frist": ("frist", "first"),
        "every 3 moths": ("moths", "months"), "every 2 yaers": ("yaers", "years"), "hourley": ("hourley", "hourly")}
    for phrase, (bad, good) in typos.items():
        yield None, phrase, word(bad, good)


def rule_sayings():
    several = "can mean several things"
    month, year = (f"contains a day that does not exist in any {unit}" for unit in ("month", "year"))
    for day in WEEKDAYS:
        for place in ("second", "third", "fourth", "fifth"):
            yield None, f"every {place} {day}", f"REFUSED says 'every {place} {day}' {several}. One of them is 'every month on the"
    for place in ("second", "third", "fourth", "fifth", "first"):
        yield None, f"every {place}", f"REFUSED says {several}"
    for day in (32, 33, 45, 99):
        yield None, f"every month on the {ordinal(day)}", f"REFUSED says {month}"
        yield None, f"monthly on {day}", f"REFUSED says {month}"
    for place in (6, 7, 9, 53):
        yield None, f"every month on the {ordinal(place)} fri", f"REFUSED says {month}"
    for name, day in (("feb", 30), ("february", 31), ("apr", 31), ("june", 31), ("sep", 31), ("november", 31), ("jan", 32), ("dec", 99)):
        yield None, f"every year on {day} {name}", f"REFUSED says {year}"
        yield None, f"yearly on {name} {day}", f"REFUSED says {year}"
    for phrase in ("every month on the 15th and the last fri", "monthly on the 1st mon and the 2nd", "every month on the last weekday and the 1st"):
        yield None, phrase, "REFUSED says contains days of the month and weekdays"
    for phrase in ("every year on 24 dec 2027", "yearly on may 1, 2030"):
        yield None, phrase, "REFUSED says contains a year, but it repeats every year. Set the first date with '--due'."
    for phrase in ("every 24 dec and 1 may", "yearly on 1 jan, 2 apr", "every year on 13 jan, 13 apr and 14 jul"):
        yield None, phrase, "REFUSED says has different days in its months"
    for phrase in ("every day at 8:15 and 20:30", "every mon at 9am, 9:30pm"):
        yield None, phrase, "REFUSED says has times with different minutes"
    for phrase in ("every day until 30 feb 2027", "weekly until 31 apr 2028", "every mon until 29 feb 2027"):
        yield None, phrase, "REFUSED says ends on a day that does not exist"
    for phrase in ("FREQ=", "FREQ=FOO", "INTERVAL=2", "FREQ=DAILY;INTERVAL=0", "FREQ=DAILY;COUNT=0", "FREQ=DAILY;BYDAY=XX", "RRULE:", "a=b",
                   "FREQ=DAILY;FREQ=DAILY", "FREQ=MONTHLY;BYMONTHDAY=32", "FREQ=DAILY;UNTIL=20270230", "FREQ=WEEKLY;BYDAY=0MO", "="):
        yield None, phrase, f"REFUSED says '{phrase}' is not a rule that remindav understands."
    for phrase in ("", " ", "\t"):
        yield None, phrase, "REFUSED empty"
    for phrase in ("every", "every other", "every 2", "every second", "each", "every week on", "every month on", "every month on the", "every year on",
                   "every year on 24", "every year in", "every mon and", "every mon,", "every day until", "every day for", "every day 10", "every day at",
                   "every 2 weeks on mon,", "every last", "every year on the last fri of", "every day, until"):
        if phrase == "every second":
            continue
        yield None, phrase, "REFUSED missing"
    for phrase in ("every " + "x" * 600, "every day " * 60, "d" * 513, "every mon, " * 100):
        yield None, phrase, "REFUSED long"
    for phrase, bad in (("every 0 days", "0"), ("every -2 weeks", "-2"), ("every 1.5 months", "1.5"), ("every 10000 years", "10000"),
                        ("every \u00bd hour", "\u00bd"), ("every few days", "few"), ("every day 0 times", "0"), ("every decade", "decade"), ("once", "once"), ("10 times", "10"),
                        ("tomorrow", "tomorrow"), ("2027-06-01", "2027-06-01"), ("in 3 days", "in"), ("always", "always"),
                        ("every 3m", "3m"), ("every w", "w"), ("every every day", "every"), ("daily daily", "daily"),
                        ("every mon or fri", "or"), ("every mon & fri", "&"), ("every day on mon", "on"),
                        ("hourly on the 1st", "on"), ("every week on 15th", "15th"), ("every month on friday", "friday"),
                        ("every month in jan", "in"), ("every year in 24", "24"), ("every year on mon", "mon"),
                        ("every month on the 1th", "1th"), ("every 3th day", "3th"), ("every day until tomorrow", "tomorrow"),
                        ("every day until 2027-02-30", "2027-02-30"), ("every day until 01/06/2027", "01/06/2027"),
                        ("every day for 3 hours", "hours"), ("every day 10 times until 2027-06-01", "until"),
                        ("every day until 2027-06-01 10 times", "times"), ("every\u00a0day", "every\u00a0day"), ("every da\x1by", "da\x1by"),
                        ("every day\x00", "day\x00"), ("\u202eyad yreve", "\u202eyad"), ("every mon\nday", "mon\nday")):
        yield None, phrase, word(bad)


all_of("repeat", rule_sayings())
all_of("repeat", rule_typos())
fill(30, "repeat", rule_foreign())
left = 2 * UNDERSTOOD - len(rows)
fill(left, "repeat", rule_junk())

if len(rows) < 2000 or len(rows) != 2 * UNDERSTOOD:
    raise SystemExit(f"{len(rows)} rows, {UNDERSTOOD} of them understood")
text = HEAD + "".join("\t".join(row) + "\n" for row in rows)
if sys.argv[1:] == ["--check"]:
    with open(TABLE, encoding="utf-8") as file:
        if file.read() != text:
            raise SystemExit("Fixtures/cli/phrases.tsv is not what Tests/Phrases/table.py makes. Run it, and look at what has changed.")
else:
    with open(TABLE, "w", encoding="utf-8") as file:
        file.write(text)
    print(f"{len(rows)} phrases, {len(rows) - UNDERSTOOD} of them refused")

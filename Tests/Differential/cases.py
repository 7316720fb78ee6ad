"""Random recurrence rules and starts: every part of RFC 5545 3.3.10, edge cases, and invalid rules."""

import datetime
import random
from zoneinfo import ZoneInfo

import reference
from reference import FREQUENCIES, DAILY, HOURLY, MINUTELY, MONTHLY, SECONDLY, WEEKDAYS, WEEKLY, YEARLY

ZONES = ["Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kolkata", "America/Sao_Paulo"]
# Days on which years, weeks and months meet, and the day that three years of four do not have.
EDGES = [(1, 1), (1, 2), (1, 3), (1, 4), (1, 31), (2, 28), (2, 29), (3, 1), (4, 30), (12, 28), (12, 29), (12, 30), (12, 31)]
FREQUENCY_WEIGHTS = {YEARLY: 24, MONTHLY: 20, WEEKLY: 16, DAILY: 13, HOURLY: 10, MINUTELY: 9, SECONDLY: 8}
# The table of RFC 5545 3.3.10, without the places that say N/A.
ALLOWED = {
    YEARLY: ["BYMONTH", "BYWEEKNO", "BYYEARDAY", "BYMONTHDAY", "BYDAY", "BYHOUR", "BYMINUTE", "BYSECOND"],
    MONTHLY: ["BYMONTH", "BYMONTHDAY", "BYDAY", "BYHOUR", "BYMINUTE", "BYSECOND"],
    WEEKLY: ["BYMONTH", "BYDAY", "BYDAY", "BYHOUR", "BYMINUTE", "BYSECOND"],
    DAILY: ["BYMONTH", "BYMONTHDAY", "BYDAY", "BYHOUR", "BYMINUTE", "BYSECOND"],
    HOURLY: ["BYMONTH", "BYYEARDAY", "BYMONTHDAY", "BYDAY", "BYHOUR", "BYMINUTE", "BYSECOND"],
    MINUTELY: ["BYMONTH", "BYYEARDAY", "BYMONTHDAY", "BYDAY", "BYHOUR", "BYMINUTE", "BYSECOND"],
    SECONDLY: ["BYMONTH", "BYYEARDAY", "BYMONTHDAY", "BYDAY", "BYHOUR", "BYMINUTE", "BYSECOND"],
}
TIMES = ["BYHOUR", "BYMINUTE", "BYSECOND"]
ORDER = ["UNTIL", "COUNT", "INTERVAL", *TIMES, "BYDAY", "BYMONTHDAY", "BYYEARDAY", "BYWEEKNO", "BYMONTH", "BYSETPOS", "WKST"]
LIMIT = 12


class Generator:
    def __init__(self, seed):
        self.random = random.Random(seed)

    def case(self):
        """`(start, rule)` as text."""
        chance = self.random.random
        freq = self.random.choices(list(FREQUENCY_WEIGHTS), FREQUENCY_WEIGHTS.values())[0]
        is_date = chance() < (0.2 if freq >= DAILY else 0.02)
        zone = self.random.choice(ZONES) if not is_date and chance() < 0.12 else None
        is_utc = not is_date and not zone and chance() < 0.1
        self.at = self.start(is_date)
        parts = self.parts(freq, is_date)
        self.end(parts, freq, is_date, zone, is_utc)
        self.random.random()
        names = [name for name in ORDER if name in parts]
        rule = ";".join([f"FREQ={FREQUENCIES[freq]}", *(f"{name}={parts[name]}" for name in names)])
        wire = self.at.strftime("%Y%m%d" if is_date else "%Y%m%dT%H%M%S") + ("Z" if is_utc else "")
        return f"{wire} {zone}" if zone else wire, rule

    def start(self, is_date):
        choice, chance = self.random.choice, self.random.random
        # 1970 to 2049; one in twenty is from 2088 on, where the leap day of 2100 is missing.
        day = datetime.date(1970, 1, 1) + datetime.timedelta(days=self.random.randrange(29000))
        if chance() < 0.05:
            day = day.replace(year=2088 + day.year % 12, day=min(day.day, 28))
        if chance() < 0.3:
            month, monthday = choice(EDGES)
            year = day.year - day.year % 4 if (month, monthday) == (2, 29) else day.year
            day = datetime.date(year, month, monthday)
        time = datetime.time(0, 0)
        if not is_date:
            time = datetime.time(9, 0) if chance() < 0.5 else self.time()
        return datetime.datetime.combine(day, time)

    def time(self):
        second = self.random.choice([0, 0, 0, 30, 59])
        return datetime.time(self.random.randrange(24), self.random.choice([0, 15, 30, 59, 7]), second)

    def parts(self, freq, is_date):
        choice, chance = self.random.choice, self.random.random
        allowed = list(ALLOWED[freq])
        if is_date and chance() < 0.95:
            allowed = [name for name in allowed if name not in TIMES]
        elif freq >= DAILY:
            allowed = [name for name in allowed if name not in TIMES or chance() < 0.5]
        if chance() < 0.03:
            allowed += ["BYWEEKNO", "BYYEARDAY", "BYMONTHDAY"]
        number = self.random.choices([0, 1, 2, 3, 4], [10, 38, 32, 15, 5])[0]
        names = set(self.random.sample(allowed, min(number, len(allowed))))
        # Rules of years seldom say as much as three parts that all name days; then they are mostly empty.
        if freq == YEARLY and len(names & {"BYWEEKNO", "BYYEARDAY", "BYMONTHDAY"}) > 1 and chance() < 0.8:
            names -= {choice(["BYWEEKNO", "BYYEARDAY"])}
        parts = {name: self.value(name, freq, names) for name in sorted(names)}
        if names and chance() < 0.22:
            parts["BYSETPOS"] = self.numbers([1, -1, 2, -2, 3, -3, 5, 10, 366, -366], [8, 8, 5, 5, 3, 2, 1, 1, 1, 1], 3)
        if chance() < 0.45:
            parts["INTERVAL"] = str(self.interval(freq))
        if chance() < 0.3 or (freq == WEEKLY and chance() < 0.3):
            parts["WKST"] = choice(WEEKDAYS)
        return parts

    def interval(self, freq):
        if self.random.random() < 0.01:
            return self.random.choice([32768, 65537, 100_000, 1_000_000, 2_147_483_647])
        if self.random.random() < 0.8:
            return self.random.choice([1, 2, 2, 3, 3, 4, 5, 6])
        return self.random.choice([7, 10, 12, 13, 24, 36, 52, 53, 60, 90, 100, 365, 1000, 32767] if freq < MONTHLY
                                  else [7, 10, 12, 13, 18, 24, 25, 28])

    def numbers(self, values, weights=None, most=3):
        count = self.random.choices(range(1, most + 1), [8, 5, 4, 2, 1, 1, 1][:most])[0]
        found = list(dict.fromkeys(self.random.choices(values, weights, k=count)))
        # Most in order: libical needs them so.
        if self.random.random() < 0.9:
            found.sort()
        return ",".join(map(str, found))

    def value(self, name, freq, names):
        chance, at = self.random.random, self.at
        near = chance() < 0.35
        if name == "BYMONTH":
            return self.numbers([at.month] * 8 + list(range(1, 13)) if near else list(range(1, 13)), most=4)
        if name == "BYWEEKNO":
            return self.numbers([1, 52, 53, -1, -52, -53, 2, 51, *self.random.sample(range(1, 54), 4)], most=4)
        if name == "BYYEARDAY":
            own = at.timetuple().tm_yday
            far = [1, 2, 31, 59, 60, 61, 100, 200, 365, 366, -1, -2, -366, -365, -306, -307]
            return self.numbers([own, own - 367, *far], most=5)
        if name == "BYMONTHDAY":
            far = [1, 2, 13, 15, 28, 29, 30, 31, -1, -2, -28, -29, -30, -31, self.random.randint(1, 31)]
            return self.numbers([at.day] * 8 + far if near else far, most=5)
        if name == "BYDAY":
            return self.weekdays(freq, names)
        if name == "BYHOUR":
            return self.numbers([at.hour] * 6 + list(range(24)), most=4)
        if name == "BYMINUTE":
            return self.numbers([at.minute] * 6 + [0, 1, 6, 15, 18, 30, 45, 59], most=4)
        leap = [60] if chance() < 0.05 else []
        return self.numbers([at.second] * 6 + [0, 1, 10, 30, 45, 59] + leap, most=4)

    def weekdays(self, freq, names):
        chance = self.random.random
        count = self.random.choices([1, 2, 3, 5, 7], [10, 6, 3, 2, 1])[0]
        days = self.random.sample(WEEKDAYS, count)
        numbered = freq in (MONTHLY, YEARLY) and "BYWEEKNO" not in names
        if numbered and chance() < 0.5 or chance() < 0.01:
            whole_year = freq == YEARLY and "BYMONTH" not in names
            ordinals = [1, 2, 3, 4, 5, -1, -2, -3, -4, -5] + ([20, 52, 53, -20, -53] if whole_year else [])
            mixed = chance() < 0.1
            days = [day if mixed and chance() < 0.5 else f"{self.random.choice(ordinals)}{day}" for day in days]
        return ",".join(days)

    def end(self, parts, freq, is_date, zone, is_utc):
        chance = self.random.random
        which = chance()
        if which < 0.2 or which > 0.995:
            parts["COUNT"] = str(self.random.choice([1, 2, 3, 5, 8, 10, 11, 20, 100]))
        if 0.2 < which < 0.36 or which > 0.995:
            parts["UNTIL"] = self.until(parts, freq, is_date, zone, is_utc)

    def until(self, parts, freq, is_date, zone, is_utc):
        size = {YEARLY: 31536000, MONTHLY: 2592000, WEEKLY: 604800, DAILY: 86400, HOURLY: 3600, MINUTELY: 60, SECONDLY: 1}
        step = size[freq] * int(parts.get("INTERVAL", 1))
        distance = self.random.choice([0, 1, 2, 3, 5, 10, 30]) * step
        if self.random.random() < 0.5:
            distance += self.random.randrange(-1, 2 * step)
        distance = min(distance, 60 * 31536000)
        last = self.at + datetime.timedelta(seconds=distance)
        # One in ten in a form that RFC 5545 does not allow beside this start.
        wrong = self.random.random() < 0.1
        if is_date != wrong:
            return last.strftime("%Y%m%d")
        if is_date:
            return last.strftime("%Y%m%dT%H%M%SZ")
        if zone:
            last = last.replace(tzinfo=ZoneInfo(zone)).astimezone(datetime.timezone.utc)
        return last.strftime("%Y%m%dT%H%M%S") + ("Z" if zone or is_utc else "")


def cases(seed, count):
    """`count` cases; the same for the same seed. A quarter of the starts are moved to a date of their rule."""
    generator = Generator(seed)
    for _ in range(count):
        start, rule = generator.case()
        if generator.random.random() < 0.25:
            start = moved(start, rule)
        yield start, rule


def moved(start, rule):
    """The start moved onto the rule's first occurrence, when that is near: most people's starts are one."""
    steps, reference.MAXIMUM_STEPS = reference.MAXIMUM_STEPS, 2000
    found = reference.Expansion(reference.Rule(rule), reference.Start(start), int(start[:4]) + 45).run(1)[0]
    reference.MAXIMUM_STEPS = steps
    if not found:
        return start
    wire, _, zone = start.partition(" ")
    first = reference.wire(found[0], "T" not in wire) + ("Z" if wire.endswith("Z") else "")
    return f"{first} {zone}" if zone else first

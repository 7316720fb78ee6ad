"""The reference engine ("judge"): it applies RFC 5545 3.3.10 literally to every day and every time of a limited window.

It has no optimisation, and shares no code with an engine. Where the RFC is ambiguous, it follows docs/recurrence.md.
Interpretations of other engines are *readings* with names, which a caller can select. A reading explains a difference only
if the reference engine with this reading gives exactly the other engine's answer.
"""

import datetime
import functools
from zoneinfo import ZoneInfo

FREQUENCIES = ["SECONDLY", "MINUTELY", "HOURLY", "DAILY", "WEEKLY", "MONTHLY", "YEARLY"]
SECONDLY, MINUTELY, HOURLY, DAILY, WEEKLY, MONTHLY, YEARLY = range(7)
WEEKDAYS = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"]
LISTS = ["BYSECOND", "BYMINUTE", "BYHOUR", "BYMONTHDAY", "BYYEARDAY", "BYWEEKNO", "BYMONTH", "BYSETPOS"]
DAY = 86400
EPOCH = datetime.date(1970, 1, 1).toordinal()
# Readings by which a series of days has times.
TIMED = ["times on days", "times on days, shown as days"]
# Days and units that are checked for one rule. At the limit the judge reports how far it has searched. The days of all
# the years are fewer.
MAXIMUM_STEPS = 25_000


class Rule:
    """The parts of a rule; lists are empty when they are not there."""

    def __init__(self, text):
        parts = dict(part.split("=") for part in text.split(";"))
        self.text = text
        self.names = set(parts)
        self.freq = FREQUENCIES.index(parts["FREQ"])
        self.interval = int(parts.get("INTERVAL", 1))
        self.count = int(parts["COUNT"]) if "COUNT" in parts else None
        self.until = parts.get("UNTIL")
        self.wkst = WEEKDAYS.index(parts.get("WKST", "MO"))
        for name in LISTS:
            numbers = [int(item) for item in parts[name].split(",")] if name in parts else []
            setattr(self, name.lower(), numbers)
        self.byday = []
        for item in parts["BYDAY"].split(",") if "BYDAY" in parts else []:
            self.byday.append((int(item[:-2]) if len(item) > 2 else None, WEEKDAYS.index(item[-2:])))


class Start:
    """DTSTART: a day, or a time that is floating, in UTC or in a zone. `local` is its local time."""

    def __init__(self, text):
        wire, _, zone = text.partition(" ")
        self.zone = zone or None
        self.is_date = "T" not in wire
        self.is_utc = wire.endswith("Z")
        self.local = parse(wire)


def parse(wire):
    form = "%Y%m%dT%H%M%S" if "T" in wire else "%Y%m%d"
    return datetime.datetime.strptime(wire.rstrip("Z"), form)


def seconds(moment):
    """Local seconds: as if the clock were UTC."""
    return (moment.toordinal() - EPOCH) * DAY + moment.hour * 3600 + moment.minute * 60 + moment.second


def is_leap(year):
    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)


def first_week(year, wkst):
    """The ordinal of the day on which week 1 begins: the first week with at least four days in the year."""
    january = datetime.date(year, 1, 1)
    before = (january.weekday() - wkst) % 7
    first = january.toordinal() - before
    return first if 7 - before >= 4 else first + 7


class Day:
    """The properties of a day that a rule can test."""

    __slots__ = ("ordinal", "year", "month", "monthday", "from_month_end", "yearday", "from_year_end", "weekday")

    def __init__(self, ordinal):
        date = datetime.date.fromordinal(ordinal)
        self.ordinal = ordinal
        self.year = date.year
        self.month = date.month
        self.monthday = date.day
        self.from_month_end = date.day - month_length(date.year, date.month) - 1
        self.yearday = ordinal - datetime.date(date.year, 1, 1).toordinal() + 1
        self.from_year_end = self.yearday - year_length(date.year) - 1
        self.weekday = date.weekday()


def month_length(year, month):
    return [31, 29 if is_leap(year) else 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]


def year_length(year):
    return 366 if is_leap(year) else 365


days = {}


def day_at(ordinal):
    day = days.get(ordinal)
    if day is None:
        day = days[ordinal] = Day(ordinal)
    return day


weeks = {}


def week_of(ordinal, wkst):
    """The week-year of a day, the number of its week, and that from the year's end."""
    found = weeks.get((ordinal, wkst))
    if found is None:
        year = day_at(ordinal).year
        if ordinal < first_week(year, wkst):
            year -= 1
        elif ordinal >= first_week(year + 1, wkst):
            year += 1
        first = first_week(year, wkst)
        number = (ordinal - first) // 7 + 1
        length = (first_week(year + 1, wkst) - first) // 7
        found = weeks[(ordinal, wkst)] = (year, number, number - length - 1)
    return found


def miscounted_weeks(year, wkst):
    """The weeks that dateutil 2.9 counts in the year before: it takes the length of this year for that of the other."""
    before, now = datetime.date(year - 1, 1, 1).weekday(), datetime.date(year, 1, 1).weekday()
    if (wkst - before) % 7 >= 4:
        return 52 + (year_length(year - 1) + (before - wkst) % 7) % 7 // 4
    return 52 + (year_length(year) - (wkst - now) % 7) % 7 // 4


class Expansion:
    """One rule on one start."""

    def __init__(self, rule, start, last_year, readings=()):
        self.rule = rule
        self.start = start
        self.first_day = day_at(start.local.toordinal())
        self.last_year = last_year
        self.readings = frozenset(readings)
        self.steps = 0
        # A set holds a day once, also where a rule that counts hours, minutes or seconds names it often.
        self.whole_days = start.is_date and rule.freq < DAILY and self.readings.isdisjoint(TIMED)
        # "BYSECOND, BYMINUTE and BYHOUR … MUST be ignored in RECUR value that specify [sic] a DATE".
        timed = not start.is_date or not self.readings.isdisjoint(TIMED)
        at = start.local
        # No clock here shows a leap second: 60 is 59.
        self.hours = sorted(set(rule.byhour)) if timed else []
        self.minutes = sorted(set(rule.byminute)) if timed else []
        self.seconds = sorted({min(second, 59) for second in rule.bysecond}) if timed else []
        if "second 60 never comes" in self.readings:
            # 99 is no second either, but it is a list.
            self.seconds = sorted({second for second in rule.bysecond if second < 60} or {99})
        self.open_hours = self.hours or [at.hour]
        self.open_minutes = self.minutes or [at.minute]
        self.open_seconds = self.seconds or [at.second]
        self.test = self.day_test()

    # Which days.

    def day_test(self):
        """Tests a day with all parts of a rule for days, in the order of the table."""
        rule, first, readings = self.rule, self.first_day, self.readings
        tests = []
        if rule.bymonth:
            months = frozenset(rule.bymonth)
            tests.append(lambda day: day.month in months)
        if rule.byweekno:
            tests.append(self.week_test())
        if rule.byyearday:
            yeardays = frozenset(rule.byyearday)
            if rule.freq < DAILY and "BYYEARDAY from the end is no limit" in readings:
                yeardays = {number for number in yeardays if number > 0}
            tests.append(lambda day: day.yearday in yeardays or day.from_year_end in yeardays)
        if rule.bymonthday:
            monthdays = set(rule.bymonthday)
            if rule.freq <= DAILY and "BYMONTHDAY from the end is no limit" in readings:
                monthdays = {number for number in monthdays if number > 0}
            tests.append(lambda day: day.monthday in monthdays or day.from_month_end in monthdays)
        if rule.byday:
            tests.append(self.weekday_test())
        # "Information, not contained in the rule, necessary to determine the various recurrence instance start time
        # and dates are derived from the Start Time (DTSTART) entry attribute."
        named = rule.byday or rule.bymonthday or rule.byyearday
        if rule.freq == YEARLY and rule.byweekno:
            if not named and "week without BYDAY is all of it" not in readings:
                tests.append(lambda day: day.weekday == first.weekday)
        elif rule.freq == YEARLY:
            if not named:
                tests.append(lambda day: day.monthday == first.monthday)
            of_month = rule.bymonthday and not rule.byyearday and "BYMONTHDAY of every month" not in readings
            if not rule.bymonth and (not named or of_month):
                tests.append(lambda day: day.month == first.month)
        elif rule.freq == MONTHLY and not named and not rule.byweekno:
            tests.append(lambda day: day.monthday == first.monthday)
        elif rule.freq == WEEKLY and not named and not rule.byweekno:
            tests.append(lambda day: day.weekday == first.weekday)
        return functools.reduce(lambda first, second: lambda day: first(day) and second(day), tests or [lambda day: True])

    def week_test(self):
        rule = self.rule
        if "weeks cut at New Year" not in self.readings:
            numbers = frozenset(rule.byweekno)
            return lambda day: not numbers.isdisjoint(week_of(day.ordinal, rule.wkst)[1:])

        miscounted = "weeks of the year before miscounted" in self.readings

        def test(day):
            year, number, from_end = week_of(day.ordinal, rule.wkst)
            if year == day.year:
                return number in rule.byweekno or from_end in rule.byweekno
            if year > day.year:
                return 1 in rule.byweekno
            if miscounted:
                number = miscounted_weeks(day.year, rule.wkst)
            return -1 in rule.byweekno or number in rule.byweekno

        return test

    def weekday_test(self):
        rule = self.rule
        # Ordinals count in the month, or in the year when there is no BYMONTH; elsewhere they are not allowed, and
        # each such day is meant.
        in_month = rule.freq == MONTHLY or (rule.freq == YEARLY and bool(rule.bymonth))
        beside_week = rule.byweekno and "number beside BYWEEKNO counts" not in self.readings
        counted = rule.freq == MONTHLY or (rule.freq == YEARLY and not beside_week)
        plain = {weekday for ordinal, weekday in rule.byday if ordinal is None or not counted}
        numbered = {item for item in rule.byday if item[0] is not None} if counted else set()
        if not numbered:
            return lambda day: day.weekday in plain
        both = plain and "a day must be both plain and numbered" in self.readings

        def test(day):
            if both and day.weekday not in plain:
                return False
            if not both and day.weekday in plain:
                return True
            if in_month:
                ahead, behind = (day.monthday - 1) // 7 + 1, -((-day.from_month_end - 1) // 7 + 1)
            else:
                ahead, behind = (day.yearday - 1) // 7 + 1, -((-day.from_year_end - 1) // 7 + 1)
            return (ahead, day.weekday) in numbered or (behind, day.weekday) in numbered

        return test

    # Which periods, and the days of each.

    def periods(self):
        """Lists of local seconds, one for each period that INTERVAL reaches, in the order of time."""
        rule = self.rule
        if rule.freq >= DAILY:
            times = [
                hour * 3600 + minute * 60 + second
                for hour in self.open_hours for minute in self.open_minutes for second in self.open_seconds
            ]
            for ordinals in self.day_periods():
                self.steps += len(ordinals)
                found = [ordinal for ordinal in ordinals if self.test(day_at(ordinal))]
                yield ordinals[0], [(ordinal - EPOCH) * DAY + time for ordinal in found for time in times]
        else:
            yield from self.periods_within_days()

    def day_periods(self):
        rule, first = self.rule, self.first_day
        end = datetime.date(self.last_year, 12, 31).toordinal()
        if rule.freq == YEARLY:
            # Days of the year are counted in years of the calendar, also beside weeks.
            by_weeks = rule.byweekno and not rule.byyearday and "weeks cut at New Year" not in self.readings
            year = week_of(first.ordinal, rule.wkst)[0] if by_weeks else first.year
            while year <= self.last_year + 1:
                if by_weeks:
                    yield range(first_week(year, rule.wkst), first_week(year + 1, rule.wkst))
                else:
                    begin = datetime.date(year, 1, 1).toordinal()
                    yield range(begin, begin + year_length(year))
                year += rule.interval
        elif rule.freq == MONTHLY:
            month = first.year * 12 + first.month - 1
            while month // 12 <= self.last_year:
                begin = datetime.date(month // 12, month % 12 + 1, 1).toordinal()
                yield range(begin, begin + month_length(month // 12, month % 12 + 1))
                month += rule.interval
        elif rule.freq == WEEKLY:
            begin = first.ordinal - (first.weekday - rule.wkst) % 7
            while begin <= end:
                yield range(begin, begin + 7)
                begin += 7 * rule.interval
        else:
            ordinal = first.ordinal
            while ordinal <= end:
                yield range(ordinal, ordinal + 1)
                ordinal += rule.interval

    def periods_within_days(self):
        """HOURLY, MINUTELY and SECONDLY: every unit that INTERVAL reaches, of every day, hour and minute allowed."""
        rule = self.rule
        size = {HOURLY: 3600, MINUTELY: 60, SECONDLY: 1}[rule.freq]
        origin = seconds(self.start.local) // size

        def aligned(begin, length):
            begin, end = begin // size, (begin + length) // size
            return range(max(origin, begin + (origin - begin) % rule.interval), end, rule.interval)

        ordinal = self.first_day.ordinal
        end = datetime.date(self.last_year, 12, 31).toordinal()
        while ordinal <= end:
            self.steps += 1
            day = (ordinal - EPOCH) * DAY
            units = aligned(day, DAY)
            if units and self.test(day_at(ordinal)):
                for begin, length in self.spans(day):
                    self.steps += 1
                    for unit in aligned(begin, length):
                        self.steps += 1
                        yield ordinal, self.within_unit(unit * size)
                        if self.steps > MAXIMUM_STEPS:
                            break
            yield ordinal, []
            ordinal += 1
            if not units:
                # On to the day of the next unit; the days between hold none.
                begin = day // size
                following = max(origin, begin + (origin - begin) % rule.interval)
                ordinal = max(ordinal, following * size // DAY + EPOCH)

    def spans(self, day):
        """The parts of a day that BYHOUR and BYMINUTE allow, where they are longer than the unit."""
        if self.rule.freq == HOURLY:
            return [(day, DAY)]
        hours = [day + hour * 3600 for hour in self.hours or range(24)]
        if self.rule.freq == MINUTELY:
            return [(hour, 3600) for hour in hours]
        return [(hour + minute * 60, 60) for hour in hours for minute in self.minutes or range(60)]

    def within_unit(self, begin):
        """The times in a unit of an hour, minute or second."""
        freq = self.rule.freq
        if freq == HOURLY:
            allowed = not self.hours or begin % DAY // 3600 in self.hours
            return [begin + m * 60 + s for m in self.open_minutes for s in self.open_seconds] if allowed else []
        if freq == MINUTELY:
            allowed = not self.minutes or begin % 3600 // 60 in self.minutes
            return [begin + second for second in self.open_seconds] if allowed else []
        return [begin] if not self.seconds or begin % 60 in self.seconds else []

    # The end.

    def limit_test(self):
        until, start = self.rule.until, self.start
        if until is None:
            return lambda local: True
        last = parse(until)
        if start.is_date or "T" not in until:
            # A day takes in all its times; on days only the day counts.
            end = seconds(datetime.datetime(last.year, last.month, last.day)) + DAY - 1
            if not start.is_date and "UNTIL of a day ends with its midnight" in self.readings:
                end -= DAY - 1
            if not start.is_date and "UNTIL of a day ends before its midnight" in self.readings:
                end -= DAY
            if start.is_date and "times on days" in self.readings:
                end -= DAY - 1
            return lambda local: local <= end
        if not until.endswith("Z") or not start.zone:
            # Floating times are computed in UTC.
            end = seconds(last)
            return lambda local: local <= end
        zone = ZoneInfo(start.zone)
        end = last.replace(tzinfo=datetime.timezone.utc)

        def test(local):
            moment = datetime.datetime.fromordinal(local // DAY + EPOCH) + datetime.timedelta(seconds=local % DAY)
            return moment.replace(tzinfo=zone).astimezone(datetime.timezone.utc) <= end

        return test

    def run(self, limit):
        """At most `limit` occurrences in local seconds; a mark in the form of the engines; the end of the search."""
        rule = self.rule
        begin = seconds(self.start.local)
        last = seconds(datetime.datetime(self.last_year, 12, 31, 23, 59, 59))
        allowed = self.limit_test()
        found = []
        left = rule.count
        for ordinal, candidates in self.periods():
            if self.steps > MAXIMUM_STEPS:
                return found, "T", (ordinal - EPOCH) * DAY
            if "first week from the start on" in self.readings and rule.freq == WEEKLY:
                candidates = [local for local in candidates if local >= begin - begin % DAY]
            if rule.bysetpos and (rule.freq >= MONTHLY or "BYSETPOS in MONTHLY and YEARLY only" not in self.readings):
                total = len(candidates)
                times = max(1, len(self.open_hours) * len(self.open_minutes) * len(self.open_seconds))
                if "BYSETPOS counts days" in self.readings and rule.freq >= MONTHLY:
                    total //= times
                else:
                    times = 1
                places = {place - 1 if place > 0 else total + place for place in rule.bysetpos}
                candidates = [
                    local for place in sorted(places) if 0 <= place < total
                    for local in candidates[place * times:(place + 1) * times]
                ]
            for local in candidates:
                if self.whole_days:
                    local -= local % DAY
                if local < begin or (self.whole_days and found and local == found[-1]):
                    continue
                if local > last or not allowed(local) or left == 0:
                    return found, ".", last
                if len(found) == limit:
                    return found, "+", last
                found.append(local)
                if left is not None:
                    left -= 1
        return found, ".", last

    def lines(self, limit):
        """As `run`, with the occurrences as an engine prints them."""
        found, mark, reach = self.run(limit)
        is_date = self.start.is_date
        if is_date and "times on days, shown as days" in self.readings:
            return [wire(local, True) for local in found], mark, wire(reach, True)
        return [wire(local, is_date and local % DAY == 0) for local in found], mark, wire(reach, is_date)


def wire(local, is_date):
    moment = datetime.datetime.fromordinal(local // DAY + EPOCH) + datetime.timedelta(seconds=local % DAY)
    return moment.strftime("%Y%m%d" if is_date else "%Y%m%dT%H%M%S")

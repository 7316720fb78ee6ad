"""The reasons for differences between engines: the rows of docs/recurrence.md.

A row applies to few rules, and states the checkable properties of the other engine's answer:

- `reading`: the other engine interprets the RFC differently. The judge (reference.py) with that reading must give exactly
  the other engine's answer.
- `sorted`: the other engine gives our answer if the lists of the rule are sorted.
- `refused`, `gave up`, `crashed`: it gave no answer, or only the beginning of ours.
- `other`: no reading gives the other engine's answer. Then only the judge confirms ours.

In all cases the judge must give our answer. `example` is the test of the row: the smallest rule that shows it.
"""

from dataclasses import dataclass
from datetime import timezone
from typing import Callable, Optional
from zoneinfo import ZoneInfo

from reference import DAILY, HOURLY, MINUTELY, MONTHLY, SECONDLY, WEEKLY, YEARLY

TIMES = {"BYHOUR", "BYMINUTE", "BYSECOND"}


@dataclass
class Row:
    id: str
    engine: str
    applies: Callable
    example: tuple
    reading: Optional[str] = None
    kind: str = "reading"  # reading, sorted, refused, refused as empty, gave up, crashed, other
    # The condition on the other answer, its mark and the expected answer, besides the answer of the judge.
    check: Optional[Callable] = None

    def holds(self, mark, found, expected):
        return self.check is None or self.check(mark, found, expected)


def numbered(rule):
    return any(ordinal is not None for ordinal, _ in rule.byday)


def plain(rule):
    return any(ordinal is None for ordinal, _ in rule.byday)


def until_is_day(rule):
    return rule.until is not None and "T" not in rule.until


def within_day(rule):
    return rule.freq < DAILY


def not_in_table(rule):
    """A part that the table of RFC 5545 3.3.10 marks N/A for this FREQ, or the text forbids."""
    return bool(
        (rule.byweekno and rule.freq != YEARLY)
        or (rule.byyearday and rule.freq in (DAILY, WEEKLY, MONTHLY))
        or (rule.bymonthday and rule.freq == WEEKLY)
    )


DATEUTIL = [
    Row("dateutil-monthday-in-every-month", "dateutil",
        lambda rule, start: rule.freq == YEARLY and rule.bymonthday and not rule.bymonth,
        ("19970915T090000", "FREQ=YEARLY;BYMONTHDAY=15"), reading="BYMONTHDAY of every month"),
    Row("dateutil-whole-week", "dateutil",
        lambda rule, start: rule.freq == YEARLY and rule.byweekno and not rule.byday,
        ("19970512T090000", "FREQ=YEARLY;BYWEEKNO=20"), reading="week without BYDAY is all of it"),
    Row("dateutil-weeks-of-calendar-year", "dateutil",
        lambda rule, start: rule.byweekno,
        ("19971229T090000", "FREQ=YEARLY;INTERVAL=2;BYWEEKNO=1;BYDAY=MO"), reading="weeks cut at New Year"),
    Row("dateutil-last-week-miscounted", "dateutil",
        lambda rule, start: not {52, 53}.isdisjoint(rule.byweekno),
        ("20050101T090000", "FREQ=YEARLY;BYWEEKNO=53;BYDAY=SA"), reading="weeks of the year before miscounted"),
    Row("dateutil-week-number-of-weekly", "dateutil", lambda rule, start: rule.freq == WEEKLY and rule.byweekno,
        ("19911230T090000", "FREQ=WEEKLY;INTERVAL=2;BYWEEKNO=-53"), kind="other"),
    Row("dateutil-plain-beside-numbered", "dateutil",
        lambda rule, start: rule.freq >= MONTHLY and numbered(rule) and plain(rule),
        ("19970901T090000", "FREQ=MONTHLY;BYDAY=MO,2TU"), reading="a day must be both plain and numbered"),
    Row("dateutil-number-beside-week", "dateutil",
        lambda rule, start: rule.freq == YEARLY and rule.byweekno and numbered(rule),
        ("19970512T090000", "FREQ=YEARLY;BYWEEKNO=20;BYDAY=1MO"), reading="number beside BYWEEKNO counts"),
    Row("dateutil-first-week", "dateutil",
        lambda rule, start: rule.freq == WEEKLY and rule.bysetpos,
        ("19970903T090000", "FREQ=WEEKLY;BYDAY=MO,WE,FR;BYSETPOS=1"), reading="first week from the start on"),
    Row("dateutil-times-on-days", "dateutil",
        lambda rule, start: start.is_date and (TIMES & rule.names or within_day(rule)),
        ("19970902", "FREQ=DAILY;BYHOUR=9,17"), reading="times on days"),
    Row("dateutil-until-midnight", "dateutil",
        lambda rule, start: until_is_day(rule) and not start.is_date,
        ("19970902T090000", "FREQ=DAILY;UNTIL=19970904"), reading="UNTIL of a day ends with its midnight"),
    Row("dateutil-until-form", "dateutil",
        lambda rule, start: rule.until and rule.until.endswith("Z") != bool(start.is_utc or start.zone),
        ("19970902", "FREQ=DAILY;UNTIL=19970904T000000Z"), kind="refused"),
    Row("dateutil-second-60", "dateutil",
        lambda rule, start: 60 in rule.bysecond and (rule.freq > SECONDLY or set(rule.bysecond) == {60}),
        ("19970902T090000", "FREQ=DAILY;BYSECOND=60"), kind="refused"),
    Row("dateutil-second-60-of-seconds", "dateutil", lambda rule, start: rule.freq == SECONDLY and 60 in rule.bysecond,
        ("19970902T090000", "FREQ=SECONDLY;BYSECOND=30,60"), reading="second 60 never comes"),
    Row("dateutil-never", "dateutil", lambda rule, start: within_day(rule) and rule.interval > 1,
        ("19970902T090000", "FREQ=HOURLY;INTERVAL=2;BYHOUR=10"), kind="refused as empty"),
    Row("dateutil-gave-up", "dateutil", lambda rule, start: True,
        ("19970902T090000", "FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=30"), kind="gave up"),
]

def not_together(rule):
    """Combinations of parts that libical does not support, according to its KnownLimitations."""
    return rule.freq == YEARLY and bool(
        (rule.byyearday and (rule.bymonth or rule.bymonthday or rule.byweekno))
        or (rule.byweekno and (rule.bymonth or rule.bymonthday))
    )


def limited_within_day(rule):
    """A part limits the hours, minutes or seconds that FREQ counts."""
    return bool(
        (rule.freq <= HOURLY and rule.byhour)
        or (rule.freq <= MINUTELY and rule.byminute)
        or (rule.freq == SECONDLY and rule.bysecond)
    )


def both_ends(numbers):
    """One day may be named twice, from the start and from the end."""
    return min(numbers, default=0) < 0 < max(numbers, default=0)


def hours(rule, start):
    return rule.byhour or [start.local.hour]


def same_days(mark, found, expected):
    days, wanted = ([wire[:8] for wire in wires] for wires in (found, expected))
    return days == (wanted[:len(days)] if mark == "T" else wanted)


def in_gap(start):
    """The clocks leave the start out."""
    if not start.zone:
        return False
    moment = start.local.replace(tzinfo=ZoneInfo(start.zone))
    return moment.astimezone(timezone.utc).astimezone(moment.tzinfo).replace(tzinfo=None) != start.local


def days_after_first(mark, found, expected):
    """The days of both without the first day that the other one has."""
    later = [wire for wire in found if wire[:8] != found[0][:8]]
    return same_days(mark, later, [wire for wire in expected if wire[:8] != found[0][:8]])


def all_but_last_day(mark, found, expected):
    days = [wire[:8] for wire in expected]
    return [wire[:8] for wire in found] == days[:len(found)] and len(set(days[len(found):])) == 1


def one_begins_other(mark, found, expected):
    length = min(len(found), len(expected))
    return found[:length] == expected[:length] and len({wire[:8] for wire in (found + expected)[2 * length:]}) <= 1


def without_last(mark, found, expected):
    return mark == "." and found == expected[:-1]


LIBICAL = [
    Row("libical-setpos-ignored", "libical", lambda rule, start: rule.bysetpos and rule.freq < MONTHLY,
        ("19970902T090000", "FREQ=WEEKLY;BYDAY=MO,WE,FR;BYSETPOS=1"), reading="BYSETPOS in MONTHLY and YEARLY only"),
    Row("libical-setpos-of-days", "libical",
        lambda rule, start: rule.bysetpos and rule.freq >= MONTHLY and TIMES & rule.names,
        ("19970902T090000", "FREQ=MONTHLY;BYHOUR=9,17;BYMONTHDAY=1,15;BYSETPOS=1"), reading="BYSETPOS counts days"),
    Row("libical-monthday-from-end", "libical",
        lambda rule, start: rule.freq <= DAILY and any(day < 0 for day in rule.bymonthday),
        ("19970902T090000", "FREQ=DAILY;BYMONTHDAY=15,-1"), reading="BYMONTHDAY from the end is no limit"),
    Row("libical-yearday-from-end", "libical",
        lambda rule, start: rule.freq < DAILY and any(day < 0 for day in rule.byyearday),
        ("19971229T090000", "FREQ=HOURLY;BYYEARDAY=2,-1"), reading="BYYEARDAY from the end is no limit"),
    Row("libical-times-on-days", "libical",
        lambda rule, start: start.is_date and (TIMES & rule.names or within_day(rule)),
        ("19970902", "FREQ=DAILY;BYHOUR=9,17"), reading="times on days, shown as days"),
    Row("libical-until-midnight", "libical", lambda rule, start: until_is_day(rule) and not start.is_date,
        ("19970902T090000", "FREQ=DAILY;UNTIL=19970904"), reading="UNTIL of a day ends before its midnight"),
    Row("libical-not-in-table", "libical", lambda rule, start: not_in_table(rule),
        ("19970902T090000", "FREQ=DAILY;BYYEARDAY=100"), kind="refused"),
    Row("libical-not-together", "libical", lambda rule, start: not_together(rule),
        ("19970902T090000", "FREQ=YEARLY;BYMONTH=4;BYYEARDAY=100"), kind="refused"),
    Row("libical-count-and-until", "libical", lambda rule, start: rule.count and rule.until,
        ("19970902T090000", "FREQ=DAILY;UNTIL=19971224T090000;COUNT=3"), kind="refused"),
    Row("libical-empty", "libical", lambda rule, start: True,
        ("19970902T090000", "FREQ=YEARLY;INTERVAL=400;BYMONTH=2;BYMONTHDAY=30"), kind="refused as empty"),
    Row("libical-gave-up", "libical", lambda rule, start: True,
        ("19970902T090000", "FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=30"), kind="gave up"),
    Row("libical-unsorted", "libical", lambda rule, start: True,
        ("19970902T090000", "FREQ=DAILY;BYHOUR=17,9"), kind="sorted"),
    Row("libical-crash", "libical", lambda rule, start: rule.byweekno and not rule.byday,
        ("19900103T090000", "FREQ=YEARLY;BYWEEKNO=-53"), kind="crashed"),
    Row("libical-weeks", "libical", lambda rule, start: rule.byweekno,
        ("19970512T090000", "FREQ=YEARLY;BYWEEKNO=20"), kind="other"),
    Row("libical-interval-of-weeks", "libical",
        lambda rule, start: rule.freq == WEEKLY and rule.interval > 1 and rule.byday,
        ("20190102T090000", "FREQ=WEEKLY;INTERVAL=3;BYDAY=SU"), kind="other"),
    Row("libical-number-elsewhere", "libical",
        lambda rule, start: numbered(rule) and (rule.freq < MONTHLY or rule.byweekno),
        ("19970902T090000", "FREQ=WEEKLY;BYDAY=1WE,-2SA"), kind="other"),
    Row("libical-named-twice", "libical",
        lambda rule, start: rule.bysetpos and (both_ends(rule.bymonthday) or both_ends(rule.byyearday)),
        ("20231231T090000", "FREQ=MONTHLY;BYMONTHDAY=29,-2,-1;BYSETPOS=-2"), kind="other"),
    Row("libical-large-interval", "libical", lambda rule, start: rule.interval > 32767,
        ("19970902T090000", "FREQ=SECONDLY;INTERVAL=1000000"), kind="other"),
    Row("libical-second-60", "libical", lambda rule, start: 60 in rule.bysecond,
        ("19970902T090000", "FREQ=DAILY;BYSECOND=60"), kind="other"),
    Row("libical-limits-within-day", "libical", lambda rule, start: limited_within_day(rule),
        ("19981230T090000", "FREQ=HOURLY;BYHOUR=14"), kind="other"),
    Row("libical-moved-by-a-gap", "libical",
        lambda rule, start: start.zone and rule.freq >= DAILY and min(hours(rule, start)) <= 3,
        ("19840320T023000 Europe/Berlin", "FREQ=DAILY"), kind="other", check=same_days),
    Row("libical-last-of-doubled-hour", "libical",
        lambda rule, start: start.zone and rule.until and rule.until.endswith("Z"),
        ("20051027T010000 America/New_York", "FREQ=DAILY;UNTIL=20051030T055712Z"), kind="other", check=without_last),
    Row("libical-start-in-gap", "libical", lambda rule, start: rule.freq >= DAILY and in_gap(start),
        ("20150329T020059 Europe/Berlin", "FREQ=YEARLY;UNTIL=20200327T010059Z;BYSECOND=1,30"), kind="other",
        check=days_after_first),
    Row("libical-moved-past-until", "libical",
        lambda rule, start: start.zone and rule.until and rule.freq >= DAILY and min(hours(rule, start)) <= 3,
        ("20160930T023000 Australia/Lord_Howe", "FREQ=DAILY;UNTIL=20161002T153000Z;BYMINUTE=6,30;BYSECOND=0,59"),
        kind="other", check=all_but_last_day),
    Row("libical-missed-change", "libical",
        lambda rule, start: start.zone and rule.until and rule.until.endswith("Z"),
        ("20140406T090000 America/Sao_Paulo", "FREQ=DAILY;UNTIL=20140406T110000Z"), kind="other",
        check=one_begins_other),
    Row("libical-hours-that-pass", "libical", lambda rule, start: within_day(rule) and start.zone,
        ("20171003T203000 America/New_York", "FREQ=HOURLY;INTERVAL=365;BYDAY=SU"), kind="other"),
]

ROWS = DATEUTIL + LIBICAL

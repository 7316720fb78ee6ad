"""The occurrences of many rules by python-dateutil, for comparison (run.py).

    dateutil_rules.py [TIMES] < cases

Input and output as in RuleExpander/main.swift. dateutil walks to the year 9999 on a rule that finds nothing; here its
calendar ends with the last year, and a rule is left after SECONDS of processor time (TIMES that) and marked T.
"""

import datetime
import signal
import sys
import time
import types
import zoneinfo

from dateutil import rrule

SECONDS = 0.004


# No Exception: dateutil catches some of those.
class GaveUp(BaseException):
    pass


deadline = 0.0


# Timers of processor time are as coarse as the kernel's ticks. A timer of real time that reads the clock is precise.
def on_alarm(number, frame):
    global deadline
    if deadline and time.process_time() >= deadline:
        deadline = 0.0
        raise GaveUp


# The module that rrule uses as datetime. Its MAXYEAR is set for each rule.
bounded = types.ModuleType("datetime")
bounded.__dict__.update(datetime.__dict__)
rrule.datetime = bounded


def moment(text, zone):
    if "T" not in text:
        return datetime.datetime.strptime(text, "%Y%m%d")
    start = datetime.datetime.strptime(text.rstrip("Z"), "%Y%m%dT%H%M%S")
    if text.endswith("Z"):
        return start.replace(tzinfo=datetime.timezone.utc)
    # dateutil's own zones know no summer time after 2037.
    return start.replace(tzinfo=zoneinfo.ZoneInfo(zone)) if zone else start


def rule_of(start_text, text):
    start, _, zone = start_text.partition(" ")
    begin = moment(start, zone)
    return rrule.rrulestr(text, dtstart=begin), len(start) == 8


def expand(line, found):
    start_text, text, limit, last_year = line.split("|")
    bounded.MAXYEAR = last_year = int(last_year)
    try:
        rule, is_date = rule_of(start_text, text)
    except Exception:
        return "E"
    form = "%04d%02d%02d" if is_date else "%04d%02d%02dT%02d%02d%02d"
    limit = int(limit)
    for moment in rule:
        if moment.year > last_year:
            break
        if len(found) == limit:
            return "+"
        parts = (moment.year, moment.month, moment.day, moment.hour, moment.minute, moment.second)
        if is_date and parts[3:] != (0, 0, 0):
            found.append("%04d%02d%02dT%02d%02d%02d" % parts)
        else:
            found.append(form % (parts[:3] if is_date else parts))
    return "."


def main():
    global deadline
    seconds = SECONDS * int(sys.argv[1] if len(sys.argv) > 1 else 1)
    signal.signal(signal.SIGALRM, on_alarm)
    # Python imports modules with its first date; this must not count as the time of a rule.
    expand("19970902T090000|FREQ=WEEKLY;COUNT=2|2|1999", [])
    for line in sys.stdin:
        found = []
        # Nor is reading a zone's file, which is done once.
        zone = line.partition("|")[0].partition(" ")[2]
        zone and zoneinfo.ZoneInfo(zone)
        try:
            deadline = time.process_time() + seconds
            signal.setitimer(signal.ITIMER_REAL, seconds, SECONDS / 4)
            try:
                mark = expand(line.rstrip("\n"), found)
            except Exception:
                mark = "E"
            deadline = 0.0
        except GaveUp:
            mark = "T"
        signal.setitimer(signal.ITIMER_REAL, 0)
        print(" ".join([mark, *found]), flush=True)


if __name__ == "__main__":
    main()

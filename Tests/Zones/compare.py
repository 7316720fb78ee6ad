"""Compares forty zones with ICU and with Python's zoneinfo, which reads the same tzdata as the program.

    python3 Tests/Zones/compare.py PROGRAM        the built ZoneComparison

The program compares its results with ICU and prints them, and this script checks each line with zoneinfo. A skipped or
repeated local time has fold=0: the offset before, and the first of two, as RFC 5545 section 3.3.5 requires. The lines of
the program must also contain each clock change of zoneinfo.
"""

import datetime
import subprocess
import sys
import zoneinfo

from clocks import changes, offset

EPOCH = datetime.datetime(1970, 1, 1)
END = 4_133_980_800  # 2101-01-01


def to_utc(zone, local):
    moment = (EPOCH + datetime.timedelta(seconds=local)).replace(tzinfo=zone, fold=0)
    return local - round(moment.utcoffset().total_seconds())


def main():
    program = subprocess.run([sys.argv[1]], stdout=subprocess.PIPE, text=True)
    zones, asked = {}, {}
    compared = different = 0
    for line in program.stdout.splitlines():
        name, kind, given, answer = line.split()
        if name not in zones:
            zones[name] = zoneinfo.ZoneInfo(name)
            asked[name] = set()
        given, answer = int(given), int(answer)
        if kind == "U":
            asked[name].add(given)
            expected = offset(zones[name], given)
        else:
            expected = to_utc(zones[name], given)
        compared += 1
        if expected != answer:
            different += 1
            if different <= 100:
                print(f"{name} {kind} {given}: {answer}, zoneinfo has {expected}")
    for name, zone in zones.items():
        for change in changes(zone, END):
            if change not in asked[name]:
                different += 1
                print(f"{name}: zoneinfo has a change at {change} that was not looked at")
    print(f"{len(zones)} zones, {compared} comparisons with zoneinfo, {different} differences")
    sys.exit(0 if program.returncode == 0 and different == 0 and len(zones) == 40 and compared > 40_000 else 1)


if __name__ == "__main__":
    main()

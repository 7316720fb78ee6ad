"""Checks the VTIMEZONEs that the program writes with libical, for the zones of the machine.

    python3 Tests/Zones/written.py PROGRAM        the built ZoneComparison

`REMINDAV_SHARE` percent of the zones are compared, at even distances, and all of them without it.

The results are compared with Python's zoneinfo on the same tzdata, at each clock change from 1970 to 2037 and one second
before it.
"""

import ctypes
import datetime
import os
import re
import subprocess
import sys
import zoneinfo

from clocks import FOLDER, UTC_EPOCH, changes, offset

END = 2_145_916_800  # 2038-01-01


class Time(ctypes.Structure):
    """struct icaltimetype of libical 3."""

    _fields_ = [(name, ctypes.c_int) for name in "year month day hour minute second is_date is_daylight".split()]
    _fields_ += [("zone", ctypes.c_void_p)]


def library():
    ical = ctypes.CDLL("libical.so.3")
    ical.icalparser_parse_string.restype = ctypes.c_void_p
    ical.icalparser_parse_string.argtypes = [ctypes.c_char_p]
    ical.icaltimezone_new.restype = ctypes.c_void_p
    ical.icaltimezone_set_component.argtypes = [ctypes.c_void_p, ctypes.c_void_p]
    ical.icaltimezone_get_utc_offset_of_utc_time.argtypes = [
        ctypes.c_void_p, ctypes.POINTER(Time), ctypes.POINTER(ctypes.c_int)]
    return ical


def names():
    """Every zone, each file once: old names are links to new ones."""
    seen = set()
    for name in sorted(zoneinfo.available_timezones()):
        with open(os.path.join(FOLDER, name), "rb") as file:
            content = file.read()
        if content not in seen and name != "Factory":
            seen.add(content)
            yield name


def main():
    ical = library()
    share = min(max(int(os.environ.get("REMINDAV_SHARE", "100")), 1), 100)
    every = list(names())
    count = max(1, len(every) * share // 100)
    chosen = [every[index * len(every) // count] for index in range(count)]
    text = subprocess.run([sys.argv[1], "write", *chosen], stdout=subprocess.PIPE, check=True).stdout
    zones = compared = different = 0
    for written in re.findall(rb"BEGIN:VTIMEZONE.*?END:VTIMEZONE\r\n", text, re.DOTALL):
        name = re.search(rb"TZID:(\S+)", written).group(1).decode()
        zone = zoneinfo.ZoneInfo(name)
        read = ical.icaltimezone_new()
        if not ical.icaltimezone_set_component(read, ical.icalparser_parse_string(written)):
            different += 1
            print(f"{name}: libical refuses it")
            continue
        zones += 1
        for change in changes(zone, END):
            for utc in (change - 1, change):
                moment = UTC_EPOCH + datetime.timedelta(seconds=utc)
                time = Time(moment.year, moment.month, moment.day, moment.hour, moment.minute, moment.second, 0, 0, None)
                found = ical.icaltimezone_get_utc_offset_of_utc_time(read, time, ctypes.c_int())
                compared += 1
                if found != offset(zone, utc):
                    different += 1
                    if different <= 50:
                        print(f"{name} {moment:%Y-%m-%dT%H:%M:%SZ}: libical reads {found}, zoneinfo has {offset(zone, utc)}")
    print(f"{zones} written zones, {compared} comparisons with libical, {different} differences")
    sys.exit(0 if different == 0 and zones == len(chosen) and len(every) > 300 else 1)


if __name__ == "__main__":
    main()

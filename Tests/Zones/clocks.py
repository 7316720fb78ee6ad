"""The clock changes of a zone in Python's zoneinfo, from the tzdata that the program reads."""

import datetime
import os
import zoneinfo

FOLDER = os.environ.get("TZDIR", "/usr/share/zoneinfo")
UTC_EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)

zoneinfo.reset_tzpath([FOLDER])


def offset(zone, utc):
    """Seconds east of UTC at that second since 1970."""
    return round((UTC_EPOCH + datetime.timedelta(seconds=utc)).astimezone(zone).utcoffset().total_seconds())


def changes(zone, end):
    """Each second from 1970 to `end` at which the offset is another than a second before, found day by day."""
    last = offset(zone, 0)
    for day in range(0, end, 86_400):
        following = offset(zone, day + 86_400)
        if following == last:
            continue
        low, high = day, day + 86_400
        while high - low > 1:
            middle = (low + high) // 2
            if offset(zone, middle) == last:
                low = middle
            else:
                high = middle
        yield high
        last = following

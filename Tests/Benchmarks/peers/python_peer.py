"""Runs Python's libraries on a text or a rule. `measure.h` describes the measurement and the output.

    python_peer.py parse|rewrite FILE            icalendar
    python_peer.py expand RULE COUNT START       dateutil
    python_peer.py next COUNT RULE...            dateutil, which walks
"""

import datetime
import itertools
import statistics
import sys
import time
from pathlib import Path


def measure(work):
    found, cpu, wall = work(), [], []
    while not cpu or sum(cpu) < 0.3:
        started = time.perf_counter(), time.process_time()
        work()
        wall.append(time.perf_counter() - started[0])
        cpu.append(time.process_time() - started[1])
    numbers = " ".join(f"{name}={number}" for name, number in found.items())
    print(f"cpu={statistics.median_high(cpu):.9f} wall={statistics.median_high(wall):.9f} passes={len(cpu)} {numbers}")


def text(task, path):
    import icalendar

    data = Path(path).read_bytes()

    def work():
        calendar = icalendar.Calendar.from_ical(data)
        if task == "parse":
            return {"components": sum(1 for _ in calendar.walk()), "todos": len(calendar.walk("VTODO"))}
        return {"written": len(calendar.to_ical())}

    measure(work)


def number(moment):
    date = (moment.year * 12 + moment.month) * 31 + moment.day
    return ((date * 24 + moment.hour) * 60 + moment.minute) * 60 + moment.second


def expand(rule, count, start):
    from dateutil.rrule import rrulestr

    first = datetime.datetime.strptime(start, "%Y%m%dT%H%M%S")

    def work():
        found = list(itertools.islice(rrulestr(rule, dtstart=first), int(count)))
        return {"found": len(found), "sum": sum(map(number, found))}

    measure(work)


def following(count, shapes):
    from dateutil.rrule import rrulestr

    after = datetime.datetime(2026, 1, 1)

    def work():
        found = []
        for index in range(int(count)):
            start = datetime.datetime(2010, 1 + index // 7 % 12, 1 + index // 3 % 28, index % 24, index % 60)
            found.append(rrulestr(shapes[index % len(shapes)], dtstart=start).after(after))
        return {"found": len(found), "sum": sum(map(number, found))}

    measure(work)


if __name__ == "__main__":
    task, *operands = sys.argv[1:]
    if task == "expand":
        expand(*operands)
    elif task == "next":
        following(operands[0], operands[1:])
    else:
        text(task, operands[0])

"""Other programs that write into the same list, each with its own forms and its known losses of data.

`TasksOrg`, `Thunderbird`, `AppleReminders` and `NextcloudTasks` are DAV clients of our own that send the same requests as
those programs. `PythonCaldav` is the library itself, and `Todoman` is the two programs todoman and vdirsyncer. Each client
edits the copy of the list from its last download.
"""

import json
import os
import re
import subprocess
import uuid
import xml.etree.ElementTree as ElementTree
from datetime import datetime, timedelta, timezone
from zoneinfo import ZoneInfo

from corpus import BERLIN
from folding import written
from servers import tool

CAL = "urn:ietf:params:xml:ns:caldav"
HOME_ZONE = ZoneInfo("Europe/Berlin")
EVERYTHING = (f'<C:calendar-query xmlns="DAV:" xmlns:C="{CAL}"><prop><getetag/><C:calendar-data/></prop><C:filter>'
              '<C:comp-filter name="VCALENDAR"><C:comp-filter name="VTODO"/></C:comp-filter></C:filter></C:calendar-query>')


def utc(moment):
    return moment.astimezone(timezone.utc).strftime("%Y%m%dT%H%M%SZ")


def local(moment):
    return moment.astimezone(HOME_ZONE).strftime("%Y%m%dT%H%M%S")


class Item:
    """A calendar object as unfolded lines. Edits change its master, the VTODO without RECURRENCE-ID."""

    def __init__(self, text):
        text = text.decode() if isinstance(text, bytes) else text
        self.lines = re.sub(r"\r?\n[ \t]", "", text).strip().splitlines()

    @classmethod
    def new(cls, product, *lines):
        return cls("\n".join(["BEGIN:VCALENDAR", "VERSION:2.0", f"PRODID:{product}", "BEGIN:VTODO", *lines, "END:VTODO",
                              "END:VCALENDAR"]))

    @property
    def data(self):
        return written(self.lines)

    def blocks(self):
        """The line numbers of the begin and end of each VTODO."""
        starts = [number for number, line in enumerate(self.lines) if line == "BEGIN:VTODO"]
        ends = [number for number, line in enumerate(self.lines) if line == "END:VTODO"]
        return list(zip(starts, ends))

    def own(self, block=None):
        """The numbers of the lines of a VTODO, without those of its alarms."""
        start, end = block or self.master()
        depth = 0
        for number in range(start + 1, end):
            depth += self.lines[number].startswith("BEGIN:")
            if depth == 0:
                yield number
            depth -= self.lines[number].startswith("END:")

    def master(self):
        for block in self.blocks():
            if not any(self.lines[number].startswith("RECURRENCE-ID") for number in self.own(block)):
                return block
        return self.blocks()[0]

    def all(self, name):
        return [line for line in (self.lines[number] for number in self.own()) if re.match(rf"{name}[;:]", line)]

    def value(self, name):
        return next((line.partition(":")[2] for line in self.all(name)), None)

    def drop(self, *names):
        for number in reversed([number for number in self.own() if re.match(rf"({'|'.join(names)})[;:]", self.lines[number])]):
            del self.lines[number]

    def put(self, line):
        """Sets a property, at its old place or before the alarms."""
        name = re.match(r"[A-Z-]+", line)[0]
        places = [number for number in self.own() if re.match(rf"{name}[;:]", self.lines[number])]
        start, end = self.master()
        alarm = next((n for n in range(start, end) if self.lines[n] == "BEGIN:VALARM"), end)
        place = places[0] if places else alarm
        self.drop(name)
        self.lines.insert(place, line)

    def add_block(self, lines):
        self.lines[-1:-1] = lines

    def need_zone(self):
        if "TZID:Europe/Berlin" not in self.lines:
            at = next(n for n, line in enumerate(self.lines) if line == "BEGIN:VTODO")
            self.lines[at:at] = BERLIN

    def moment(self, name):
        """The moment of a date-time; for a date the start of the day."""
        line = next(iter(self.all(name)), None)
        if line is None:
            return None
        value = line.partition(":")[2]
        if value.endswith("Z"):
            return datetime.strptime(value, "%Y%m%dT%H%M%SZ").replace(tzinfo=timezone.utc)
        form = "%Y%m%dT%H%M%S" if "T" in value else "%Y%m%d"
        return datetime.strptime(value, form).replace(tzinfo=HOME_ZONE)

    @property
    def repeats(self):
        return bool(self.all("RRULE"))

    def following(self):
        """The distance of the next occurrence: the rules of these tests have an interval of one."""
        return timedelta(days=7 if "WEEKLY" in self.value("RRULE") else 1)

    def count_down(self):
        """Removes one occurrence. Returns whether this was the last one."""
        found = re.search(r"COUNT=(\d+)", self.value("RRULE") or "")
        if found and int(found[1]) <= 1:
            return True
        if found:
            self.put("RRULE:" + self.value("RRULE").replace(found[0], f"COUNT={int(found[1]) - 1}"))
        return False


class DavPeer:
    """A program that keeps a copy of the list. A subclass implements its writes."""

    product = ""
    conditional = True

    def __init__(self, dav, path, rng):
        self.dav = dav
        self.path = path
        self.rng = rng
        self.known = {}
        self.edits = {}
        self.created = {}
        self.deleted = {}
        self.dropped = 0

    # Operations of a user

    def uids(self):
        return sorted(uid for uid, (_, _, text) in self.known.items() if uid not in self.deleted and self.can_read(text))

    def can_read(self, text):
        return True

    def act(self, uid, change):
        """Records an edit: a function of the item."""
        self.edits.setdefault(uid, []).append(change)

    def set_title(self, uid, title):
        self.act(uid, lambda item: item.put(f"SUMMARY:{title}"))

    def set_notes(self, uid, notes):
        self.act(uid, lambda item: item.put(f"DESCRIPTION:{notes}"))

    def set_priority(self, uid, number):
        self.act(uid, lambda item: item.put(f"PRIORITY:{number}") if number else item.drop("PRIORITY"))

    def add_label(self, uid, label):
        def change(item):
            labels = [one for line in item.all("CATEGORIES") for one in line.partition(":")[2].split(",")]
            item.drop("CATEGORIES")
            item.put("CATEGORIES:" + ",".join(dict.fromkeys([*labels, label])))
        self.act(uid, change)

    def move(self, uid, moment):
        self.act(uid, lambda item: self.write_due(item, moment))

    def snooze(self, uid, moment):
        pass

    def complete(self, uid):
        now = datetime.now(timezone.utc)
        self.act(uid, lambda item: self.finish_occurrence(item, now) if item.repeats else self.finish(item, now))

    def delete(self, uid):
        self.deleted[uid] = self.known[uid]
        self.edits.pop(uid, None)

    def add(self, title, moment):
        uid = str(uuid.UUID(int=self.rng.getrandbits(128), version=4))
        now = datetime.now(timezone.utc)
        item = Item.new(self.product, f"UID:{uid}", f"DTSTAMP:{utc(now)}", f"CREATED:{utc(now)}", f"SUMMARY:{title}")
        self.write_due(item, moment)
        self.stamp(item, now)
        self.created[uid] = item

    # Forms of writing

    def stamp(self, item, now):
        item.put(f"LAST-MODIFIED:{utc(now)}")
        item.lines[next(n for n, line in enumerate(item.lines) if line.startswith("PRODID"))] = f"PRODID:{self.product}"

    def write_due(self, item, moment):
        raise NotImplementedError

    def finish(self, item, now):
        for line in ("STATUS:COMPLETED", f"COMPLETED:{utc(now)}", "PERCENT-COMPLETE:100"):
            item.put(line)

    def finish_occurrence(self, item, now):
        raise NotImplementedError

    def roll(self, item, now):
        """Advances the dates of a series by the distance of its rule."""
        if item.count_down():
            return self.finish(item, now)
        step, due, start = item.following(), item.moment("DUE"), item.moment("DTSTART")
        if due:
            self.write_due(item, due + step)
        if start and item.all("DTSTART"):
            self.write_start(item, start + step)
        item.drop("COMPLETED", "STATUS", "PERCENT-COMPLETE")

    def write_start(self, item, moment):
        item.need_zone()
        item.put(f"DTSTART;TZID=Europe/Berlin:{local(moment)}")

    # Requests

    def pull(self):
        self.known = {Item(text).value("UID"): (href, etag, text) for href, etag, text in self.dav.everything(self.path)}

    def sync(self):
        self.pull()
        self.push()
        self.pull()

    def push(self):
        """Sends the edits. Refused edits are discarded, as these programs do without an answer of the user."""
        now = datetime.now(timezone.utc)
        for uid, (href, etag, _) in self.deleted.items():
            self.note(self.dav.delete(href, etag if self.conditional else None))
        for uid, item in self.created.items():
            self.note(self.dav.put(f"{self.path}{uid}.ics", item.data, "*" if self.conditional else None))
        for uid, changes in self.edits.items():
            if uid not in self.known:
                self.dropped += 1
                continue
            href, etag, text = self.known[uid]
            item = Item(text)
            for change in changes:
                change(item)
            self.stamp(item, now)
            self.note(self.dav.put(href, item.data, etag if self.conditional else None))
        self.deleted, self.created, self.edits = {}, {}, {}

    def note(self, status):
        self.dropped += status in (404, 409, 412)


class TasksOrg(DavPeer):
    """Merges by property before it sends, with priority for its own edit, and sends without a condition. Rewrites dates in
    the zone of the device; advances a series without a record of completions; cannot read an object with two VTODOs."""

    product = "+//IDN tasks.org//android-130905//EN"
    conditional = False

    def can_read(self, text):
        return text.count(b"BEGIN:VTODO") == 1

    def write_due(self, item, moment):
        item.need_zone()
        item.put(f"DUE;TZID=Europe/Berlin:{local(moment)}")
        if item.all("DTSTART") and item.moment("DTSTART") > moment:
            self.write_start(item, moment)

    def finish_occurrence(self, item, now):
        self.roll(item, now)

    def snooze(self, uid, moment):
        def change(item):
            item.put(f"X-MOZ-SNOOZE-TIME:{utc(moment)}")
            item.put(f"X-MOZ-LASTACK:{utc(datetime.now(timezone.utc))}")
        self.act(uid, change)


class Thunderbird(DavPeer):
    """Sends before it downloads, and replaces a refused edit by the server's version. Counts generations; stores a completed
    occurrence of a series as an override in the same object."""

    product = "-//Mozilla.org/NONSGML Mozilla Calendar V1.1//EN"

    def sync(self):
        self.push()
        self.pull()

    def stamp(self, item, now):
        super().stamp(item, now)
        item.put(f"DTSTAMP:{utc(now)}")
        item.put(f"X-MOZ-GENERATION:{int(item.value('X-MOZ-GENERATION') or 0) + 1}")
        item.put(f"SEQUENCE:{int(item.value('SEQUENCE') or 0) + 1}")

    def write_due(self, item, moment):
        item.need_zone()
        item.put(f"DUE;TZID=Europe/Berlin:{local(moment)}")

    def snooze(self, uid, moment):
        self.act(uid, lambda item: item.put(f"X-MOZ-SNOOZE-TIME:{utc(moment)}"))

    def finish_occurrence(self, item, now):
        done = len(item.blocks()) - 1
        first = item.moment("DTSTART") or item.moment("DUE")
        when = local(first + done * item.following())
        item.add_block(["BEGIN:VTODO", f"UID:{item.value('UID')}", f"DTSTAMP:{utc(now)}", f"SUMMARY:{item.value('SUMMARY')}",
                        f"RECURRENCE-ID;TZID=Europe/Berlin:{when}", f"DTSTART;TZID=Europe/Berlin:{when}",
                        f"DUE;TZID=Europe/Berlin:{when}", "STATUS:COMPLETED", f"COMPLETED:{utc(now)}",
                        "PERCENT-COMPLETE:100", "SEQUENCE:1", "END:VTODO"])
        item.need_zone()


class AppleReminders(DavPeer):
    """DTSTART always equals DUE, an alarm is absolute and has its UID twice; a completed occurrence is a separate to-do.
    Does not support labels. Counters of other programs are lost."""

    product = "-//Apple Inc.//iOS 18.1//EN"

    def sync(self):
        self.push()
        self.pull()

    def stamp(self, item, now):
        super().stamp(item, now)
        item.drop("X-MOZ-GENERATION")
        if not item.all("STATUS"):
            item.put("STATUS:NEEDS-ACTION")

    def add_label(self, uid, label):
        self.set_priority(uid, self.rng.choice([0, 1, 5, 9]))

    def write_due(self, item, moment):
        item.need_zone()
        for name in ("DUE", "DTSTART"):
            item.put(f"{name};TZID=Europe/Berlin:{local(moment)}")
        self.write_alarm(item, moment)

    def snooze(self, uid, moment):
        self.move(uid, moment)

    def write_alarm(self, item, moment):
        start, end = item.master()
        old = next((n for n in range(start, end) if item.lines[n].startswith("X-WR-ALARMUID")), None)
        if old is not None:
            first = max(n for n in range(start, old) if item.lines[n] == "BEGIN:VALARM")
            last = min(n for n in range(old, end) if item.lines[n] == "END:VALARM")
            item.lines[first:last + 1] = []
        name = str(uuid.UUID(int=self.rng.getrandbits(128), version=4)).upper()
        end = item.master()[1]
        item.lines[end:end] = ["BEGIN:VALARM", "ACTION:DISPLAY", "DESCRIPTION:Reminder", f"UID:{name}",
                               f"X-WR-ALARMUID:{name}", f"TRIGGER;VALUE=DATE-TIME:{utc(moment)}", "END:VALARM"]

    def finish_occurrence(self, item, now):
        uid = str(uuid.UUID(int=self.rng.getrandbits(128), version=4)).upper()
        done = Item.new(self.product, f"UID:{uid}", f"DTSTAMP:{utc(now)}", f"SUMMARY:{item.value('SUMMARY')}")
        if item.moment("DUE"):
            self.write_due(done, item.moment("DUE"))
        self.finish(done, now)
        self.dav.put(f"{self.path}{uid}.ics", done.data, "*")
        self.roll(item, now)


class NextcloudTasks(DavPeer):
    """A page in a browser: downloads before each edit, and discards an edit after a conflict. Writes UTC."""

    product = "-//Nextcloud Tasks v0.18.0"

    def stamp(self, item, now):
        super().stamp(item, now)
        item.put(f"DTSTAMP:{utc(now)}")

    def write_due(self, item, moment):
        item.put(f"DUE:{utc(moment)}")
        if item.all("DTSTART") and item.moment("DTSTART") > moment:
            self.write_start(item, moment)

    def write_start(self, item, moment):
        item.put(f"DTSTART:{utc(moment)}")

    def add_label(self, uid, label):
        self.act(uid, lambda item: item.lines.insert(item.master()[0] + 1, f"CATEGORIES:{label}"))

    def snooze(self, uid, moment):
        self.set_priority(uid, 1)

    def finish_occurrence(self, item, now):
        self.roll(item, now)


class PythonCaldav(DavPeer):
    """A script with the library python-caldav: loads each object, changes it, and saves it."""

    def __init__(self, dav, path, rng):
        super().__init__(dav, path, rng)
        import caldav

        client = caldav.DAVClient(url=dav.url, username=dav.user, password=dav.password)
        self.calendar = client.calendar(url=dav.url.rstrip("/") + path)

    def set_title(self, uid, title):
        self.act(uid, lambda todo: self.replace(todo, "SUMMARY", title))

    def set_notes(self, uid, notes):
        self.act(uid, lambda todo: self.replace(todo, "DESCRIPTION", notes))

    def set_priority(self, uid, number):
        self.act(uid, lambda todo: self.replace(todo, "PRIORITY", number))

    def add_label(self, uid, label):
        self.set_priority(uid, 5)

    def move(self, uid, moment):
        self.act(uid, lambda todo: self.replace(todo, "DUE", moment.astimezone(timezone.utc)))

    def complete(self, uid):
        self.act(uid, lambda todo: todo.is_pending() and todo.complete(handle_rrule=True, rrule_mode="safe"))

    @staticmethod
    def replace(todo, name, value):
        component = todo.icalendar_component
        component.pop(name, None)
        component.add(name, value)

    def add(self, title, moment):
        self.created[title] = moment

    def push(self):
        for uid, (href, etag, _) in self.deleted.items():
            self.dav.delete(href, None)
        for title, moment in self.created.items():
            self.calendar.add_todo(summary=title, due=moment.astimezone(timezone.utc))
        for uid, changes in self.edits.items():
            if uid not in self.known:
                continue
            todo = self.calendar.get_todo_by_uid(uid)
            for change in changes:
                change(todo)
            todo.save()
        self.deleted, self.created, self.edits = {}, {}, {}


class Todoman:
    """todoman on a folder that vdirsyncer syncs with the list. In a conflict the server's version stays. A completed
    occurrence loses the rule, and a new to-do continues the series."""

    def __init__(self, url, path, folder, rng):
        self.folder = folder
        self.rng = rng
        self.dropped = 0
        self.calendar = folder / "calendars" / "shared"
        self.calendar.mkdir(parents=True)
        (folder / "vdirsyncer").write_text(
            f'[general]\nstatus_path = "{folder}/status"\n[pair shared]\na = "folder"\nb = "server"\n'
            'collections = null\nconflict_resolution = "b wins"\n'
            f'[storage folder]\ntype = "filesystem"\npath = "{self.calendar}"\nfileext = ".ics"\n'
            f'[storage server]\ntype = "caldav"\nurl = "{url.rstrip("/")}{path}"\nusername = "user"\n'
            'password = "correct horse"\n')
        (folder / "todoman.py").write_text(
            f'path = "{folder}/calendars/*"\ndate_format = "%Y-%m-%d"\ntime_format = "%H:%M"\n'
            f'default_list = "shared"\ncache_path = "{folder}/cache"\n')
        self.run("vdirsyncer", "discover")

    def run(self, name, *arguments):
        environment = {**os.environ, "HOME": str(self.folder), "TZ": "Europe/Berlin", "LC_ALL": "C.UTF-8",
                       "XDG_CACHE_HOME": str(self.folder / "xdg"), "VDIRSYNCER_CONFIG": str(self.folder / "vdirsyncer"),
                       "TODOMAN_CONFIG": str(self.folder / "todoman.py"), "no_proxy": "127.0.0.1"}
        done = subprocess.run([tool(name), *arguments], env=environment, stdin=subprocess.DEVNULL, capture_output=True,
                              text=True, timeout=300)
        if done.returncode != 0:
            raise AssertionError(f"{name} {arguments}: {done.stdout}{done.stderr}")
        return done.stdout

    def sync(self):
        self.run("vdirsyncer", "sync")

    def entries(self):
        """The readable to-dos, number to title."""
        return json.loads(self.run("todo", "--porcelain", "list", "--status", "NEEDS-ACTION,IN-PROCESS"))

    def work(self, title, moment):
        """Makes one random edit."""
        when = moment.astimezone(HOME_ZONE).strftime("%Y-%m-%d %H:%M")
        entries = self.entries()
        kind = self.rng.choice(["new", "due", "priority", "done"]) if entries else "new"
        if kind == "new":
            self.run("todo", "new", "--list", "shared", "--due", when, title)
            return
        number = str(self.rng.choice(entries)["id"])
        if kind == "due":
            self.run("todo", "edit", number, "--due", when)
        elif kind == "priority":
            self.run("todo", "edit", number, "--priority", "high")
        else:
            self.run("todo", "done", number)


class Dav:
    """Requests with the account's password; conditions are an entity tag, "*" for "not there yet", or none."""

    def __init__(self, server, url):
        self.server = server
        self.url = url
        self.user, self.password = server.user, server.password
        self.port = int(url.rstrip("/").rpartition(":")[2])

    def ask(self, method, path, body=b"", headers=None):
        return self.server.request(method, path, body, headers, port=self.port)

    def everything(self, path):
        """Address, entity tag and text of each to-do."""
        status, _, body = self.ask("REPORT", path, EVERYTHING.encode(), {"Depth": "1", "Content-Type": "application/xml"})
        assert status == 207, status
        found = []
        for response in ElementTree.fromstring(body).iter("{DAV:}response"):
            text = response.findtext(f".//{{{CAL}}}calendar-data")
            found.append((response.findtext("{DAV:}href"), response.findtext(".//{DAV:}getetag"), text.encode()))
        return found

    def put(self, path, data, condition):
        name = "If-None-Match" if condition == "*" else "If-Match"
        headers = {"Content-Type": "text/calendar; charset=utf-8", **({name: condition} if condition else {})}
        return self.ask("PUT", path, data, headers)[0]

    def delete(self, path, condition):
        return self.ask("DELETE", path, b"", {"If-Match": condition} if condition else {})[0]

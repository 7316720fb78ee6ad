"""The clients that sync.py measures, each with its own account on the same Radicale: Remindav, vdirsyncer, the minimum."""

import base64
import http.client
import os
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree
from collections import namedtuple
from contextlib import contextmanager, nullcontext
from pathlib import Path

# This folder comes first on the path: the end-to-end tests have another module `corpus`.
from corpus import HEAD, ZONES, Todo
from programs import HERE, say  # noqa: F401

sys.path.insert(0, str(HERE.parent / "EndToEndTests"))

from folding import written  # noqa: E402
from harness import BINARY, Device  # noqa: E402
from servers import PASSWORD, Radicale, tool  # noqa: E402

Member = namedtuple("Member", "path etag text")
LIST = "Tasks"
NAMESPACES = 'xmlns="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav" xmlns:S="http://calendarserver.org/ns/"'
# Cheaper for this server than asking for its sync token.
STATE = f"<propfind {NAMESPACES}><prop><resourcetype/><S:getctag/></prop></propfind>"
UID = re.compile(rb"^UID:([^\r\n]*)", re.MULTILINE)
TITLE = re.compile(rb"^SUMMARY[^\r\n]*(?:\r?\n[ \t][^\r\n]*)*", re.MULTILINE)


def changes(token, *properties):
    names = "".join(f"<{name}/>" for name in properties)
    return (f"<sync-collection {NAMESPACES}><sync-token>{token}</sync-token><sync-level>1</sync-level>"
            f"<prop>{names}</prop></sync-collection>")


def in_utc(line):
    """A date-time with a zone's name as one in UTC."""
    name, zone, values = line.partition(";TZID=")
    return f"{name}:{values.partition(':')[2].replace(',', 'Z,')}Z" if zone else line


def todos(count, zoned=False):
    """Calendars of one to-do each, by UID. `zoned`: with TZID and VTIMEZONE as most programs write them; Radicale needs
    30 ms for each when it is sent a whole list of them, so the others are in UTC."""
    found = {}
    for index in range(count):
        todo = Todo(index)
        lines = list(todo.lines()) if zoned else [in_utc(line) for line in todo.lines()]
        lines.insert(-1, f"X-LONG:{todo.hexadecimal(400)}")
        zones = [line for name, zone in ZONES.items() if any(f"TZID={name}" in line for line in lines) for line in zone]
        found[todo.uid] = written([*HEAD, *zones, *lines, "END:VCALENDAR"])
    return found


def whole(texts):
    """All of them in one calendar."""
    bodies = [text[text.index(b"BEGIN:VTODO"):text.index(b"END:VCALENDAR")] for text in texts]
    zones = [line for name, zone in ZONES.items() if any(b"TZID=" + name.encode() in body for body in bodies) for line in zone]
    return written([*HEAD, *zones]) + b"".join(bodies) + b"END:VCALENDAR\r\n"


def unfolded(text):
    """As programs write it that do not fold. Each of the to-dos has a line for which that makes a difference."""
    return re.sub(rb"\r?\n[ \t]", b"", text)


def retitled(text, title):
    return TITLE.sub(b"SUMMARY:" + title.encode(), text, count=1)


def titles(texts):
    """The compared result: the title of each to-do in its iCalendar form, without folds."""
    found = {}
    for text in texts:
        text = unfolded(text)
        found[UID.search(text)[1].decode()] = TITLE.search(text)[0]
    return found


class Server(Radicale):
    """Radicale with accounts that do not see each other's lists, and its data in memory: others' use of the disk would
    be measured too."""

    def __init__(self, users):
        super().__init__()
        self.users = users
        shutil.rmtree(self.folder)
        memory = Path("/dev/shm")
        self.folder = Path(tempfile.mkdtemp(prefix="remindav-radicale-", dir=memory if memory.is_dir() else None))

    def command(self):
        command = super().command()
        (self.folder / "users").write_text("".join(f"{user}:{PASSWORD}\n" for user in [self.user, *self.users]))
        return command

    def ask(self, user, method, path, body=b"", **headers):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=900)
        secret = base64.b64encode(f"{user}:{PASSWORD}".encode()).decode()
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        try:
            connection.request(method, path, body, {"Authorization": f"Basic {secret}", **named})
            answer = connection.getresponse()
            content = answer.read()
        finally:
            connection.close()
        if answer.status >= 400:
            raise SystemExit(f"{method} {path}: {answer.status}")
        return content

    def make(self, user, name, title):
        body = (f"<C:mkcalendar {NAMESPACES}><set><prop><displayname>{title}</displayname><C:supported-calendar-"
                'component-set><C:comp name="VTODO"/></C:supported-calendar-component-set></prop></set></C:mkcalendar>')
        self.ask(user, "MKCALENDAR", f"/{user}/{name}/", body)

    def put_list(self, user, name, texts):
        """The whole list in one request; the first question afterwards is slow, so it is asked here."""
        self.ask(user, "PUT", f"/{user}/{name}/", whole(texts), Content_Type="text/calendar")
        return self.members(user, name)

    def empty(self, user):
        """Takes all lists of an account away."""
        for folder in (self.folder / "data" / "collection-root" / user).iterdir():
            if not folder.name.startswith("."):
                shutil.rmtree(folder)

    def copy(self, user, other):
        root = self.folder / "data" / "collection-root"
        shutil.copytree(root / user, root / other)

    def members(self, user, name):
        """Members by UID, and the token."""
        answer = ElementTree.fromstring(self.ask(
            user, "REPORT", f"/{user}/{name}/", changes("", "getetag", "C:calendar-data"), Content_Type="application/xml"))
        found = {}
        for response in answer.iter("{DAV:}response"):
            text = response.findtext(".//{urn:ietf:params:xml:ns:caldav}calendar-data")
            if text:
                member = Member(response.findtext("{DAV:}href"), response.findtext(".//{DAV:}getetag"), text.encode())
                found.update(dict.fromkeys(titles([member.text]), member))
        return found, answer.findtext("{DAV:}sync-token")

    def cpu(self):
        """Seconds of processor time so far."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Client:
    """One program with an account and a list with the to-dos. `command` is measured, and `prepare...` is not."""

    name = ""

    def __init__(self, server, folder):
        self.server = server
        self.root = Path(folder)
        self.user = self.name
        self.url = server.url
        self.turn = 0
        self.begin()

    def begin(self):
        """Forgets everything."""
        shutil.rmtree(self.root / f"{self.name}-{self.turn}", ignore_errors=True)
        self.turn += 1
        self.folder = self.root / f"{self.name}-{self.turn}"
        self.folder.mkdir(parents=True)

    def connect(self, collection):
        """Finds the address of the list, and does not read the list."""

    def settle(self):
        """Right before something is changed."""

    def through(self, proxy):
        """For the time of one command: makes the program use the proxy, where its environment is not enough."""
        return nullcontext()


class Remindav(Client):
    name = "remindav"

    def begin(self):
        super().begin()
        self.device = Device(self.folder, "laptop")
        self.ids = {}

    def connect(self, collection):
        self.device.add_account(self.url, user=self.user, password=PASSWORD)

    def put_in(self, texts):
        file = self.folder / "in.ics"
        file.write_bytes(whole(texts.values()))
        self.device.run("import", file, "--list", LIST)
        self.ids = {}

    def publish(self):
        self.device.publish(LIST)

    @contextmanager
    def through(self, proxy):
        """Remindav sends nothing unencrypted through a proxy of the environment: its store gets the proxy's address."""
        self.replace(self.url.rstrip("/"), proxy.rstrip("/"))
        try:
            yield
        finally:
            self.replace(proxy.rstrip("/"), self.url.rstrip("/"))

    def replace(self, old, new):
        """Replaces an address in every text column of the store; the reminders themselves are no text columns."""
        connection = sqlite3.connect(self.device.database())
        with connection:
            for (table,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'").fetchall():
                if table.startswith("sqlite_"):
                    continue
                for _, column, kind, *_ in connection.execute(f"PRAGMA table_info({table})").fetchall():
                    if kind == "TEXT":
                        connection.execute(f"UPDATE {table} SET {column} = replace({column}, ?, ?)"
                                           f" WHERE instr({column}, ?)", (old, new, old))
        connection.close()

    def id(self, uid):
        if not self.ids:
            self.ids = {entry["uid"]: str(entry["id"]) for entry in self.device.json("list", "--all")}
        return self.ids[uid]

    def edit(self, changed):
        for uid, title in changed.items():
            self.device.run("edit", self.id(uid), "--title", title)

    def delete(self, uids):
        self.device.run("delete", *[self.id(uid) for uid in uids], "--yes")

    def command(self, deletes=False):
        return [BINARY, "sync", "--json", *["--allow-mass-delete"] * deletes], self.device.environment

    def holds(self):
        out = self.folder / "out.ics"
        out.unlink(missing_ok=True)  # nothing is not written over something without a question
        self.device.run("export", "-o", out)
        return titles(out.read_bytes().split(b"BEGIN:VTODO")[1:])


class Vdirsyncer(Client):
    name = "vdirsyncer"

    def begin(self):
        super().begin()
        self.calendar = self.folder / "calendar"
        self.calendar.mkdir()
        self.paths = {}
        self.environment = {**os.environ, "HOME": str(self.folder), "LC_ALL": "C.UTF-8", "no_proxy": "127.0.0.1",
                            "VDIRSYNCER_CONFIG": str(self.folder / "config")}

    def connect(self, collection):
        (self.folder / "config").write_text(
            f'[general]\nstatus_path = "{self.folder}/status"\n'
            '[pair one]\na = "folder"\nb = "server"\ncollections = null\nconflict_resolution = "a wins"\n'
            f'[storage folder]\ntype = "filesystem"\npath = "{self.calendar}"\nfileext = ".ics"\n'
            f'[storage server]\ntype = "caldav"\nurl = "{self.url.rstrip("/")}/{self.user}/{collection}/"\n'
            f'username = "{self.user}"\npassword = "{PASSWORD}"\n')
        subprocess.run([tool("vdirsyncer"), "discover"], env=self.environment, stdin=subprocess.DEVNULL, check=True,
                       capture_output=True)

    def put_in(self, texts):
        for number, text in enumerate(texts.values()):
            (self.calendar / f"{number:06}.ics").write_bytes(text)
        self.paths = {}

    def path(self, uid):
        if not self.paths:
            for path in self.calendar.glob("*.ics"):
                self.paths[next(iter(titles([path.read_bytes()])))] = path
        return self.paths[uid]

    def edit(self, changed):
        for uid, title in changed.items():
            self.path(uid).write_bytes(retitled(self.path(uid).read_bytes(), title))

    def delete(self, uids):
        for uid in uids:
            self.path(uid).unlink()

    def command(self, deletes=False):
        return [tool("vdirsyncer"), "sync", *["--force-delete"] * deletes], self.environment

    def holds(self):
        return titles(path.read_bytes() for path in self.calendar.glob("*.ics"))


class Floor(Client):
    """The minimum of requests for the work: this client knows the changes beforehand."""

    name = "floor"
    connections = 4

    def __init__(self, server, folder, program):
        super().__init__(server, folder)
        self.program = program

    def begin(self):
        super().begin()
        self.members, self.token = {}, ""
        self.requests = []
        self.collection = "tasks"

    def connect(self, collection):
        self.collection = collection

    def settle(self):
        """Reads the data that a client would have in its store."""
        known, self.token = self.server.members(self.user, self.collection)
        self.members.update(known)
        self.requests = []

    @property
    def path(self):
        return f"/{self.user}/{self.collection}/"

    def add(self, method, path, body="", depth="-", condition="-", waits=False):
        body = body.encode() if isinstance(body, str) else body
        self.requests.append((method, path, depth, condition, body, waits))

    def look(self):
        self.add("PROPFIND", f"/{self.user}/", STATE, depth="1")

    def fetch(self):
        """Requests the changes with their texts in one request."""
        self.add("REPORT", self.path, changes(self.token, "getetag", "C:calendar-data"))

    def edit(self, changed):
        for number, (uid, title) in enumerate(changed.items()):
            member = self.members[uid]
            self.add("PUT", member.path, retitled(member.text, title), condition=member.etag, waits=number == 0)

    def create(self, texts):
        for number, (uid, text) in enumerate(texts.items()):
            self.add("PUT", f"{self.path}{uid}.ics", text, condition="*", waits=number == 0)

    def replace(self, texts):
        """The whole list in one request, and one that learns the entity tags."""
        self.add("PUT", self.path, whole(texts.values()))
        self.add("REPORT", self.path, changes("", "getetag"), waits=True)

    def delete(self, uids):
        for number, uid in enumerate(uids):
            self.add("DELETE", self.members[uid].path, condition=self.members[uid].etag, waits=number == 0)

    def command(self, deletes=False):
        file = self.folder / "requests"
        with file.open("wb") as out:
            out.write(f"{self.url.rstrip('/')}\t{self.user}:{PASSWORD}\t{self.connections}\n".encode())
            for method, path, depth, condition, body, waits in self.requests:
                go = "wait" if waits else "go"
                out.write(f"{method}\t{path}\t{depth}\t{condition}\t{len(body)}\t{go}\n".encode() + body + b"\n")
        return [self.program, file], {"no_proxy": "127.0.0.1", "PATH": os.environ["PATH"]}

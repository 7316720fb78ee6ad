"""The environment of one scenario: a server with an empty home, a proxy before it, machines of ours, another program."""

import itertools
import shutil
import sqlite3
import tempfile
import unittest
from pathlib import Path

from harness import OK, Device, changes
from proxy import CountingProxy
from scenarios import texts
from scenarios.facts import FACTS
from scenarios.peer import Peer

WRITES = {"PUT", "DELETE", "MKCALENDAR", "MKCOL", "PROPPATCH", "POST", "MOVE", "COPY", "PATCH"}
SEGMENTS = itertools.count(1)


class Stage:
    def __init__(self, server, scenario):
        self.server = server
        self.scenario = scenario
        self.facts = FACTS[server.name]
        self.peer = Peer(server)
        self.check = unittest.TestCase()
        self.check.maxDiff = 3000
        self.folder = Path(tempfile.mkdtemp(prefix=f"remindav-{server.name}-scenario-"))
        self.endings = [lambda: shutil.rmtree(self.folder, ignore_errors=True)]
        self.before_the_end = []
        self.proxy = self.ending(CountingProxy(server))

    def ending(self, thing):
        self.endings.append(thing.stop)
        return thing

    def end(self):
        """Removes everything that the scenario created, also on the server."""
        try:
            for act in self.before_the_end:
                act()
            before = getattr(self.server, "first_lists", None)
            if before is not None:
                for path in self.peer.lists():
                    if path not in before:
                        self.peer.delete_list(path)
        finally:
            while self.endings:
                self.endings.pop()()

    def can(self, fact):
        """Whether the fact applies to the server. The scenario has to name the fact, so that the table can list it."""
        assert fact in self.scenario.facts, f"{self.scenario.sentence!r} does not name the fact {fact!r}"
        return fact not in self.facts.cannot

    # -- participants ------------------------------------------------------------------------------------------------

    def list(self, name="Tasks", todos=(), color=None, segment=None, **options):
        """Creates a list on the server by the other program, with these to-dos: UID to lines."""
        segment = segment or f"list{next(SEGMENTS)}"
        path = self.peer.make_list(segment, name, color, **options)
        for uid, lines in dict(todos).items():
            self.peer.put(path, uid, *lines)
        return path

    @property
    def address(self):
        return self.proxy.url + self.server.path[1:]

    def device(self, name="laptop", connected=True, **options):
        device = Device(self.folder, name, **options)
        if connected:
            device.add_account(self.address, user=self.server.user, password=self.server.password)
        return device

    def pair(self, todos=(), name="Tasks", **options):
        """Creates a list with these to-dos, on the server and on two machines."""
        path = self.list(name, todos, **options)
        laptop, desk = self.device("laptop"), self.device("desk")
        laptop.sync()
        desk.sync()
        return path, laptop, desk

    def one(self, *lines, uid="one", name="Tasks"):
        """Creates a list with one to-do, on the server and on one machine."""
        path = self.list(name, {uid: lines})
        laptop = self.device()
        laptop.sync()
        return path, laptop

    # -- actions -----------------------------------------------------------------------------------------------------

    def settle(self, *devices):
        """Checks that all machines are in sync, and that their stores are equal."""
        for _ in range(2):
            for device in devices:
                device.sync()
        for device in devices:
            device.sync_until_quiet()
        self.same(*devices)

    def edit_here(self, device, uid, *words):
        device.run("edit", device.id_of(uid), *words)

    def delete_here(self, device, *uids):
        device.run("delete", *[device.id_of(uid) for uid in uids], "--yes")

    def rewrite_here(self, device, uid, *added, into="Tasks", **options):
        """Makes an edit without a command for it: imports a newer version of the text."""
        exported = device.run("export", "--list", into).bytes
        blocks, block = [], None
        for line in texts.unfolded(exported):
            if line == "BEGIN:VTODO":
                block = []
            if block is not None:
                block.append(line)
            if line == "END:VTODO":
                blocks.append(block)
                block = None
        chosen = [one for one in blocks if f"UID:{uid}" in one]
        self.check.assertEqual(len(chosen), 1)
        options.setdefault("modified", "20990101T000000Z")
        text = texts.edited(texts.calendar(chosen[0]), *added, **options)
        report = device.json("import", "-", "--list", into, stdin=text)
        self.check.assertEqual(report["updated"], 1, report)

    def tamper(self, device, change, column="sync_token"):
        """Changes the sync state of each list in the store. Returns the old values."""
        connection = sqlite3.connect(device.database())
        rows = connection.execute(f"SELECT id, {column} FROM list WHERE {column} IS NOT NULL").fetchall()
        for row, old in rows:
            connection.execute(f"UPDATE list SET {column} = ? WHERE id = ?", (change(old), row))
        connection.commit()
        connection.close()
        return [old for _, old in rows]

    # -- expectations ------------------------------------------------------------------------------------------------

    def same(self, *devices):
        first, *others = devices
        expected = first.items()
        for other in others:
            actual = other.items()
            self.check.assertEqual(set(expected), set(actual), "the stores do not hold the same reminders")
            for key, fields in expected.items():
                self.check.assertEqual(fields, actual[key], f"the stores differ in {key}")

    def equal(self, actual, expected, message=None):
        self.check.assertEqual(actual, expected, message)

    def uids(self, device):
        return {uid for _, uid in device.items()}

    def titles(self, device):
        return sorted(entry["title"] for entry in device.json("list", "--all"))

    def quiet(self, *devices):
        """Checks that a sync changes nothing and sends no write request."""
        for device in devices:
            self.proxy.take()
            self.equal(changes(device.sync()), 0)
            self.equal([entry for entry in self.proxy.take() if entry[0] in WRITES], [])

    def writes(self):
        return [entry for entry in self.proxy.take() if entry[0] in WRITES]

    def sync(self, device, code=OK, *arguments):
        return device.run("sync", *arguments, code=code)

    def complaint(self, result, code, *words):
        """Checks the exit status, and a sentence for each problem on standard error."""
        wanted = code if isinstance(code, tuple) else (code,)
        self.check.assertIn(result.code, wanted, repr(result))
        said = result.err.lower()
        self.check.assertTrue(said.strip(), f"nothing was said: {result!r}")
        for word in words:
            self.check.assertRegex(said, word, f"does not say {word!r}: {result!r}")

    def lists(self, device):
        return {entry["name"]: entry for entry in device.json("lists")}

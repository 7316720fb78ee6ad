"""Three programs edit one list while its server fails every fifth request, in bursts.

Two machines with Remindav, and a third program that writes with If-Match and reads again after 412. The same edits run
twice: once with a server that always works, once with one that fails. REMINDAV_STORM is the number of rounds (30; 300 for a
long run), REMINDAV_SEED selects the edits. A failure prints the seed; the figures are printed at the end.
"""

import os
import random
import re
import unittest

from harness import EndToEnd
from proxy import LOST, Answer
from servers import CountingProxy, Radicale

ROUNDS = int(os.environ.get("REMINDAV_STORM", "30"))
SEED = int(os.environ.get("REMINDAV_SEED", "20261123"))
# One request in five fails, and the failures come in bursts of one to four.
SHARE = 0.2
LONGEST_BURST = 4
# The requests of an undisturbed run, times this factor, must be enough for the same edits.
MOST_REQUESTS = 1.5
STATUS = (500, 502, 503, 504)
KIND = {"Content-Type": "text/calendar; charset=utf-8"}


class Storm:
    """Lets requests of a proxy fail in bursts: before the server receives them, or after it has executed them."""

    def __init__(self, seed):
        self.chance = random.Random(seed)
        self.left = 0
        self.asked = self.failed = 0
        self.is_over = False
        # A burst of 2.5 failures on average has to begin this often for the share of all requests.
        self.start = SHARE / ((1 + LONGEST_BURST) / 2 * (1 - SHARE) + SHARE)

    def fails(self):
        if self.is_over:
            return False
        self.asked += 1
        if self.left == 0 and self.chance.random() < self.start:
            self.left = self.chance.randint(1, LONGEST_BURST)
        if self.left == 0:
            return False
        self.left -= 1
        self.failed += 1
        return True

    def before(self, request):
        request.fate = None
        if self.fails():
            status = self.chance.choice((*STATUS, 0))
            if self.chance.random() < 0.5:
                return LOST if status == 0 else Answer(status, b"database is locked")
            request.fate = LOST if status == 0 else Answer(status, b"")
        return None

    def after(self, request, answer):
        return answer if request.fate is None else request.fate


class OtherProgram:
    """A client that keeps unknown properties, writes conditionally, and reads again after a failed condition."""

    def __init__(self, server, path):
        self.server, self.path = server, path
        self.made = 0

    def names(self):
        body = self.server.request("PROPFIND", self.path, headers={"Depth": "1"})[2].decode()
        return sorted(re.findall(r"<href>([^<]*\.ics)</href>", body))

    def get(self, name):
        status, headers, body = self.server.request("GET", name)
        return (headers["ETag"], body.decode()) if status == 200 else (None, None)

    def change(self, name, edit):
        for _ in range(10):
            etag, text = self.get(name)
            if text is None:
                return None
            new = edit(text)
            if self.server.request("PUT", name, new.encode(), {**KIND, "If-Match": etag})[0] in (201, 204):
                return new
        raise AssertionError("the other program cannot write")

    def add(self, title):
        self.made += 1
        uid = f"other-{self.made}"
        text = "\r\n".join([
            "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Other//EN", "BEGIN:VTODO", f"UID:{uid}",
            "DTSTAMP:20260101T000000Z", f"SUMMARY:{title}", "X-OTHER:kept", "END:VTODO", "END:VCALENDAR", ""])
        status = self.server.request("PUT", f"{self.path}{uid}.ics", text.encode(), {**KIND, "If-None-Match": "*"})[0]
        assert status == 201, status
        return uid

    def label(self, name, label):
        def edit(text):
            match = re.search(r"^CATEGORIES:(.*?)\r?$", text, re.MULTILINE)
            if match:
                return text.replace(match[0], f"{match[0].rstrip()},{label}\r", 1)
            return text.replace("END:VTODO", f"CATEGORIES:{label}\r\nEND:VTODO", 1)
        return self.change(name, edit)


class World:
    """The objects that one run of the edits created, and the expected content."""

    def __init__(self, test, name, storm):
        self.test = test
        self.server = test.borrow(Radicale)
        self.proxy = CountingProxy(self.server)
        test.addCleanup(self.proxy.stop)
        self.path = f"{self.server.home}tasks/"
        self.machines = [test.device(f"{name}-{one}") for one in ("laptop", "desk")]
        self.other = OtherProgram(self.server, self.path)
        self.labels = {}                # UID to the added labels
        self.deleted = set()
        self.syncs = self.troubled = 0
        first, second = self.machines
        first.add_account(self.proxy.url)
        first.publish("tasks")
        for number in range(10):
            first.run("add", f"Start {number}", "--list", "tasks", "--id", f"start-{number}")
        first.sync()
        second.add_account(self.proxy.url)
        second.sync()
        self.path = next(path for path in self.lists())
        self.other.path = self.path
        self.labels = {item["uid"]: set() for item in first.json("list", "--all")}
        self.proxy.take()
        if storm:
            self.proxy.before, self.proxy.after = storm.before, storm.after

    def lists(self):
        body = self.server.request("PROPFIND", self.server.home, headers={"Depth": "1"})[2].decode()
        return [href for href in re.findall(r"<href>([^<]*)</href>", body) if href.startswith(self.server.home)
                and href != self.server.home]

    def sync(self, machine):
        """One sync; a later one completes its failed actions."""
        result = machine.run("sync", "--json", "--now", code=(0, 3, 7))
        self.syncs += 1
        self.troubled += result.code != 0

    def edit(self, machine, chance, number):
        items = machine.json("list", "--all")
        kind = chance.choice(("add", "label", "title", "notes", "done", "delete") if len(items) > 5 else ("add",))
        if kind == "add":
            uid = f"made-{number}-{machine.folder.name.split('-')[1]}"
            machine.run("add", f"Made {number}", "--list", "tasks", "--id", uid)
            self.labels[self.newest(machine, items)] = set()
            return
        item = chance.choice(sorted(items, key=lambda one: one["uid"]))
        uid, name = item["uid"], str(item["id"])
        if kind == "label":
            label = f"l{number}"
            machine.run("edit", name, *(word for one in [*item["labels"], label] for word in ("--label", one)))
            self.labels.setdefault(uid, set()).add(label)
        elif kind == "title":
            machine.run("edit", name, "--title", f"Title {number}")
        elif kind == "notes":
            machine.run("edit", name, "--notes", f"Notes {number}")
        elif kind == "done":
            machine.run("undone" if item["status"] == "completed" else "done", name)
        else:
            machine.run("delete", name, "--yes")
            self.deleted.add(uid)

    @staticmethod
    def newest(machine, before):
        known = {item["uid"] for item in before}
        return next(item["uid"] for item in machine.json("list", "--all") if item["uid"] not in known)

    def edit_by_other(self, chance, number):
        names = self.other.names()
        if not names or chance.random() < 0.3:
            self.labels[self.other.add(f"Other {number}")] = set()
            return
        name = chance.choice(names)
        label = f"o{number}"
        text = self.other.label(name, label)
        if text is not None:
            uid = re.search(r"^UID:(.*?)\r?$", text, re.MULTILINE)[1]
            self.labels.setdefault(uid, set()).add(label)

    def play(self, seed):
        chance = random.Random(seed)
        for number in range(ROUNDS):
            for machine in self.machines:
                if chance.random() < 0.7:
                    self.edit(machine, chance, number)
            if chance.random() < 0.7:
                self.edit_by_other(chance, number)
            for machine in chance.sample(self.machines, chance.choice((1, 1, 2))):
                self.sync(machine)
        return len(self.proxy.take())

    def check(self):
        """Checks that after one idle sync of each machine all are equal, and nothing is lost, doubled or renamed."""
        test = self.test
        self.proxy.behave()
        for machine in [*self.machines, self.machines[0]]:
            machine.run("sync", "--now", code=0)
        test.assert_same(*self.machines)
        there = {}
        for name in self.other.names():
            text = self.other.get(name)[1]
            uid = re.search(r"^UID:(.*?)\r?$", text, re.MULTILINE)[1]
            test.assertNotIn(uid, there, "one UID is there twice")
            there[uid] = text
        here = {item["uid"]: item for item in self.machines[0].json("list", "--all")}
        test.assertEqual(set(here), set(there))
        test.assertLessEqual(set(there), set(self.labels), "an unknown UID")
        test.assertLessEqual(set(self.labels) - set(there), self.deleted, "lost")
        for uid, item in here.items():
            test.assertLessEqual(self.labels[uid], set(item["labels"]), f"labels of {uid} were lost")
            if uid.startswith("other-"):
                test.assertIn("X-OTHER:kept", there[uid])


class StormTest(EndToEnd):
    def test_a_server_that_fails_every_fifth_request_loses_nothing_and_gets_few_requests(self):
        print(f"storm: seed {SEED}, {ROUNDS} rounds", flush=True)
        calm = World(self, "calm", None)
        needed = calm.play(SEED)
        calm.check()
        storm = Storm(SEED)
        rough = World(self, "rough", storm)
        asked = rough.play(SEED)
        share = storm.failed / storm.asked
        print(f"storm: {needed} requests without failures, {asked} with {storm.failed} failures ({share:.0%}): "
              f"{asked / needed:.2f} times; {rough.troubled} of {rough.syncs} syncs left something for the next", flush=True)
        rough.check()
        self.assertGreater(share, SHARE / 2)
        self.assertLessEqual(asked, MOST_REQUESTS * needed, "too many requests")


if __name__ == "__main__":
    unittest.main()

"""Remindav and seven other programs edit one list, at random and often without the other programs' last edits.

A model checks each sync of Remindav. It compares the common text before (base), the local text (here), the server's text
(there), and the server's text afterwards. A field that only one side changed gets that value. Of a field that both sides
changed differently one value stays, and the other one is in `remindav conflicts`. Losses between the other programs do not
count. After the last edit all programs stop writing.

REMINDAV_PEER_ROUNDS is the number of rounds (default 30); REMINDAV_PEER_SEED selects another course of events.
"""

import json
import os
import random
import re
import threading
import unittest
from datetime import datetime, timedelta, timezone

import peers
from harness import EndToEnd
from peers import HOME_ZONE, Dav, Item
from servers import CountingProxy, Radicale

ROUNDS = int(os.environ.get("REMINDAV_PEER_ROUNDS") or 30)
SEED = int(os.environ.get("REMINDAV_PEER_SEED") or 1)
WRITES = ("PUT", "DELETE", "POST", "MOVE", "PROPPATCH")
# Our names of fields, and their properties; a conflict names one of them.
PROPERTIES = {"title": ["SUMMARY"], "notes": ["DESCRIPTION"], "due": ["DUE", "DTSTART"],
              "snooze": ["X-MOZ-SNOOZE-TIME", "X-MOZ-LASTACK"], "priority": ["PRIORITY"], "rule": ["RRULE", "DUE"],
              "done": ["STATUS", "COMPLETED", "PERCENT-COMPLETE"]}
# At most this share of the list is deleted at once, so that the deletion guard does not stop the sync.
FEWEST = 12


def moment(item, name):
    line = next(iter(item.all(name)), None)
    if line is None or "VALUE=DATE:" in line:
        return line and line.partition(":")[2]
    return peers.utc(item.moment(name))


def fields(item):
    """The values of the to-do: one value or set for each name."""
    start, end = item.master()
    found = {
        "title": item.value("SUMMARY"), "notes": item.value("DESCRIPTION") or None,
        # Properties of one field are merged together.
        "due": (moment(item, "DUE"), moment(item, "DTSTART")),
        "snooze": (item.value("X-MOZ-SNOOZE-TIME"), item.value("X-MOZ-LASTACK")),
        "rule": item.value("RRULE"), "priority": item.value("PRIORITY") or "0",
        "done": item.value("STATUS") == "COMPLETED",
        "labels": frozenset(one for line in item.all("CATEGORIES") for one in line.partition(":")[2].split(",")),
        "alarms": frozenset("\n".join(sorted(block.splitlines())) for block in re.findall(
            r"BEGIN:VALARM\n(.*?)\nEND:VALARM", "\n".join(item.lines[start:end]), re.DOTALL)),
        "overrides": frozenset(
            "\n".join(sorted(item.lines[n] for n in item.own(block) if not re.match("DTSTAMP|LAST-MOD", item.lines[n])))
            for block in item.blocks() if block != item.master()),
    }
    for number in item.own():
        if re.match("X-(?!MOZ-SNOOZE|MOZ-LASTACK)", item.lines[number]):
            name, _, value = item.lines[number].partition(":")
            found[name.partition(";")[0]] = value
    return found


def by_uid(text):
    """The items of an export."""
    whole = Item(text)
    groups = {}
    for start, end in whole.blocks():
        block = whole.lines[start:end + 1]
        uid = next(line[4:] for line in block if line.startswith("UID:"))
        groups.setdefault(uid, []).extend(block)
    return {uid: fields(Item("\n".join(["BEGIN:VCALENDAR", *lines, "END:VCALENDAR"]))) for uid, lines in groups.items()}


class Race:
    """Another client that writes into an object between Remindav's download and its first PUT."""

    def __init__(self, test, there, tags):
        self.test = test
        self.there = there
        self.tags = tags
        self.lock = threading.Lock()
        self.over = False
        self.note = test.text("notes in between")

    def __call__(self, request):
        with self.lock:
            if request.method != "PUT" or self.over:
                return
            self.over = True
            for href, _, text in self.test.direct.everything(self.test.path):
                item = Item(text)
                if href == request.path and item.value("UID") in self.there:
                    item.put(f"DESCRIPTION:{self.note}")
                    item.put(f"LAST-MODIFIED:{peers.utc(datetime.now(timezone.utc))}")
                    assert self.test.direct.put(href, item.data, None) in (200, 201, 204)
                    self.test.raced += 1
                    there, tags = self.test.there()
                    uid = item.value("UID")
                    self.there[uid], self.tags[uid] = there[uid], tags[uid]


class Peers(EndToEnd):
    def setUp(self):
        super().setUp()
        self.rng = random.Random(SEED)
        self.server = self.borrow(Radicale)
        self.proxy = CountingProxy(self.server)
        self.addCleanup(self.proxy.stop)
        self.path = f"{self.server.home}shared/"
        # Reads the server with requests that are not counted.
        self.direct = Dav(self.server, self.server.url)
        self.number = self.met = self.raced = 0
        self.story = []
        self.server.request("MKCALENDAR", self.path)
        through = Dav(self.server, self.proxy.url)
        for number in range(20):
            self.direct.put(f"{self.path}first-{number}.ics", self.first(number).data, None)
        self.laptop = self.device("laptop")
        self.laptop.add_account(self.proxy.url)
        self.laptop.sync()
        self.base, self.tags = self.exported(), self.there()[1]
        self.conflicts = self.conflicts_now()
        kinds = [peers.TasksOrg, peers.Thunderbird, peers.AppleReminders, peers.NextcloudTasks, peers.PythonCaldav]
        self.others = [kind(through, self.path, self.rng) for kind in kinds]
        for other in self.others:
            other.pull()
        folder = self.folder / "todoman"
        folder.mkdir()
        self.todoman = peers.Todoman(self.proxy.url, self.path, folder, self.rng)
        self.todoman.sync()

    def first(self, number):
        when = datetime(2027, 3, 1, 9, number, tzinfo=HOME_ZONE)
        item = Item.new("-//Somebody//EN", f"UID:first-{number}", "DTSTAMP:20260101T000000Z", "CREATED:20260101T000000Z",
                        "LAST-MODIFIED:20260101T000000Z", f"SUMMARY:Thing {number}", "CATEGORIES:Home",
                        f"X-APPLE-SORT-ORDER:{number}", f"X-KEPT:{number}")
        item.put(f"DUE:{peers.utc(when)}")
        if number % 5 == 0:
            item.put(f"DTSTART:{peers.utc(when)}")
            item.put("RRULE:FREQ=WEEKLY;COUNT=9" if number % 2 else "RRULE:FREQ=DAILY")
        if number % 3 == 0:
            end = item.master()[1]
            item.lines[end:end] = ["BEGIN:VALARM", "ACTION:DISPLAY", f"UID:first-{number}-a", "DESCRIPTION:x",
                                   "TRIGGER:-PT10M", "END:VALARM"]
        return item

    # Reading

    def exported(self):
        file = self.folder / "out.ics"
        self.laptop.run("export", "-o", file)
        return by_uid(file.read_bytes())

    def conflicts_now(self):
        return [json.dumps(entry, sort_keys=True) for entry in self.laptop.json("conflicts")]

    def there(self):
        """The objects on the server; a duplicate UID is a failure."""
        found, tags = {}, {}
        for href, etag, text in self.direct.everything(self.path):
            item = Item(text)
            uid = item.value("UID")
            self.assertNotIn(uid, found, f"two resources with one UID\n{self.tale()}")
            found[uid], tags[uid] = fields(item), etag
        return found, tags

    def tale(self):
        return f"seed {SEED}; last of {len(self.story)}: " + "; ".join(self.story[-12:])

    # Operations

    def text(self, kind):
        self.number += 1
        return f"{kind} {self.number}"

    def when(self):
        self.number += 1
        return datetime(2027, 4, 1, 6, 0, tzinfo=timezone.utc) + timedelta(minutes=self.number)

    def edit_elsewhere(self, peer):
        uids = peer.uids()
        kind = self.rng.choice(["title", "title", "notes", "label", "priority", "move", "snooze", "complete", "delete", "add"])
        if kind == "add" or not uids:
            peer.add(self.text(type(peer).__name__), self.when())
            return "add"
        uid = self.rng.choice(uids)
        if kind == "title":
            peer.set_title(uid, self.text(f"title by {type(peer).__name__}"))
        elif kind == "notes":
            peer.set_notes(uid, self.text("notes"))
        elif kind == "label":
            peer.add_label(uid, f"L{self.rng.randrange(6)}")
        elif kind == "priority":
            peer.set_priority(uid, self.rng.choice([0, 1, 5, 9]))
        elif kind == "move":
            peer.move(uid, self.when())
        elif kind == "snooze":
            peer.snooze(uid, self.when())
        elif kind == "complete":
            peer.complete(uid)
        elif len(uids) > FEWEST:
            peer.delete(uid)
        return f"{kind} {uid}"

    def edit_here(self):
        entries = self.laptop.json("list", "--all")
        kind = self.rng.choice(["title", "title", "notes", "label", "priority", "move", "snooze", "done", "delete", "add"])
        entry = self.rng.choice(entries) if entries else None
        if kind == "add" or not entry:
            self.laptop.run("add", self.text("Remindav"), "--due", "2027-05-01 10:00", "--label", "Home")
            return "add"
        number = str(entry["id"])
        if kind == "title":
            self.laptop.run("edit", number, "--title", self.text("title by Remindav"))
        elif kind == "notes":
            self.laptop.run("edit", number, "--notes", self.text("notes"))
        elif kind == "label":
            labels = [word for label in [*entry["labels"], f"L{self.rng.randrange(6)}"] for word in ("--label", label)]
            self.laptop.run("edit", number, *labels)
        elif kind == "priority":
            self.laptop.run("edit", number, "--priority", self.rng.choice(["low", "medium", "high"]))
        elif kind == "move":
            self.laptop.run("edit", number, "--due", self.when().astimezone(HOME_ZONE).strftime("%Y-%m-%d %H:%M"))
        elif kind == "delete":
            if len(entries) > FEWEST:
                self.laptop.run("delete", number, "--yes")
        elif entry["status"] != "completed":
            self.laptop.run(*(["snooze", number, "1h"] if kind == "snooze" else ["done", number]))
        return f"{kind} {entry['uid']}"

    def sync_here(self):
        """Syncs Remindav and compares the result with the model."""
        here = self.exported()
        there, tags = self.there()
        self.proxy.take()
        if self.rng.random() < 0.3:
            self.proxy.before = Race(self, there, tags)
        self.laptop.sync()
        self.proxy.before = None
        writes = [(method, path, status) for method, path, status in self.proxy.take() if method in WRITES]
        now, tags_now = self.there()
        after = self.exported()
        conflicts = self.conflicts_now()
        new = [json.loads(entry) for entry in conflicts if entry not in self.conflicts]
        faults = list(self.faults(self.base, here, there, now, tags, tags_now, new))
        if here == self.base and writes:
            faults.append(f"writes though nothing was edited here: {writes}")
        for uid in after.keys() | now.keys():
            if after.get(uid) != now.get(uid):
                faults.append(f"{uid} is not the same here and there: {difference(after.get(uid), now.get(uid))}")
        self.assertEqual(faults, [], self.tale())
        self.base, self.tags, self.conflicts = after, tags_now, conflicts
        return writes

    def faults(self, base, here, there, now, tags, tags_now, conflicts):
        for uid in base.keys() | here.keys() | there.keys():
            b, h, t, n = base.get(uid), here.get(uid), there.get(uid), now.get(uid)
            if h == b:
                # Without a local edit the text equals the server's text.
                if tags.get(uid) != tags_now.get(uid):
                    yield f"{uid} was written without an edit here: {difference(t, n)}"
            elif h is None:
                # An edit wins over a deletion, also an edit that changed only LAST-MODIFIED.
                if tags.get(uid) == self.tags.get(uid) and n is not None:
                    yield f"{uid} was deleted here and is still there"
                if t is not None and t != b and n != t:
                    yield f"{uid} was deleted here and edited there, and the edit is lost: {difference(t, n)}"
            elif t is None:
                if n != h:
                    yield f"{uid} was edited here and deleted there, and the edit is lost: {difference(h, n)}"
            elif n is None:
                yield f"{uid} is gone"
            else:
                self.met += t != b
                yield from (f"{uid}: {words}" for words in merged(b or {}, h, t, n, conflicts))

    def test_nothing_is_lost_and_no_program_writes_for_ever(self):
        for number in range(ROUNDS):
            actor = self.rng.choices(["here", "todoman", "other"], [4, 1 if number % 3 == 0 else 0, 8])[0]
            if actor == "here":
                edits = [self.edit_here() for _ in range(self.rng.randint(1, 3))]
                self.story.append(f"{number} Remindav {edits}")
                if self.rng.random() < 0.7:
                    self.sync_here()
                    self.story.append(f"{number} Remindav syncs")
            elif actor == "todoman":
                if self.rng.random() < 0.5:
                    self.todoman.sync()
                self.todoman.work(self.text("todoman"), self.when())
                self.todoman.sync()
                self.story.append(f"{number} todoman")
            else:
                peer = self.rng.choice(self.others)
                if self.rng.random() < 0.6 or isinstance(peer, peers.NextcloudTasks):
                    peer.pull()
                edits = [self.edit_elsewhere(peer) for _ in range(self.rng.randint(1, 3))]
                peer.sync()
                self.story.append(f"{number} {type(peer).__name__} {edits}")
        for quiet in range(4):
            writes = self.sync_here()
            for peer in self.others:
                peer.sync()
            self.todoman.sync()
            writes += [entry for entry in self.proxy.take() if entry[0] in WRITES]
            if quiet >= 2:
                self.assertEqual(writes, [], f"a program still writes in quiet round {quiet + 1}; {self.tale()}")
        self.assertEqual(self.laptop.integrity(), "ok")
        # A course of events without conflicts would prove nothing.
        if ROUNDS >= 30:
            self.assertGreater(self.met, 0, "nothing was ever changed on both sides")
        print(f"{len(self.base)} to-dos, {self.met} changed on both sides at once, {self.raced} at the very "
              f"moment, {len(self.conflicts)} conflicts, "
              f"{sum(peer.dropped for peer in self.others)} edits given up by others", end=" ")


def difference(one, other):
    if one is None or other is None:
        return f"{one} / {other}"
    return {name: (one.get(name), other.get(name)) for name in one.keys() | other.keys() if one.get(name) != other.get(name)}


def merged(base, here, there, now, conflicts):
    """The errors in the merge of one to-do."""
    for name in base.keys() | here.keys() | there.keys() | now.keys():
        b, h, t, n = base.get(name), here.get(name), there.get(name), now.get(name)
        if isinstance(t, frozenset):
            b = b or frozenset()
            missing = ((h - b) | (t - b)) - n
            # One alarm that both sides changed is a separate conflict.
            if missing and not (h - b and t - b and name != "labels"):
                yield f"{name}: {set(missing)} is lost"
            if n & ((b - t) | (b - h)):
                yield f"{name}: {set(n & ((b - t) | (b - h)))} has come back"
        elif h == t or t == b:
            if n != h:
                yield f"{name}: {h!r} of here is lost; base {b!r}, there {t!r}, now {n!r}"
        elif h == b:
            if n != t:
                yield f"{name}: {t!r} of there is lost; base {b!r}, here {h!r}, now {n!r}"
        elif n not in (h, t):
            yield f"{name}: {n!r} is neither {h!r} nor {t!r}"
        else:
            lost = t if n == h else h
            said = [entry for entry in conflicts if entry["property"] in PROPERTIES.get(name, [name])]
            if name in ("title", "notes"):
                said = [entry for entry in said if (lost or "") in (entry["lost"] or "")]
            if not said:
                yield f"{name}: {lost!r} lost against {n!r} and is not in the conflicts"


if __name__ == "__main__":
    unittest.main()

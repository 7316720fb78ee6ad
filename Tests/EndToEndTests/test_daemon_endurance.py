"""`remindav daemon` for a long time, with many alarms and bad servers: alarms are on time, without useless wake-ups or growth.

With REMINDAV_DAEMON_FULL in the environment each test runs in full (an hour in all), else for some minutes. REMINDAV_SEED
selects the random order of events; a failure prints it.
"""

import random
import re
import time
import unittest
from pathlib import Path

from daemons import FULL, SEED, Daemon, todo, utc
from fakedav import Answer, FakeDAV
from harness import BINARY, ics, wait_for
from servers import Radicale

IS_RELEASE = "release" in str(BINARY.resolve())


def tasks(process):
    return [path for path in Path(f"/proc/{process.pid}/task").iterdir()]


def wakeups(process):
    """The number of voluntary context switches of each thread, by thread id."""
    found = {}
    for task in tasks(process):
        status = (task / "status").read_text()
        found[task.name] = int(re.search(r"^voluntary_ctxt_switches:\s+(\d+)", status, re.M)[1])
    return found


def memory(process, name="VmRSS"):
    """The resident memory in KiB."""
    return int(re.search(rf"^{name}:\s+(\d+)", Path(f"/proc/{process.pid}/status").read_text(), re.M)[1])


def children(process):
    return [pid for task in tasks(process) for pid in (task / "children").read_text().split()]


class Punctual(Daemon):
    count, seconds = (200, 60) if FULL else (50, 15)

    def watch(self, meanwhile=lambda: None, lead=6):
        begin = int(time.time()) + lead
        due = {f"u{number}": begin + number * self.seconds // self.count for number in range(self.count)}
        self.keep(*(todo(uid, moment) for uid, moment in due.items()))
        self.start()
        meanwhile()
        wait_for(lambda: len({title for _, title in self.desktop.notified()}) == self.count,
                 begin - time.time() + self.seconds + 15, "all of them")
        shown = self.desktop.notified()
        self.assertEqual(len(shown), self.count, "one was shown twice")
        late = sorted(moment - due[title] for moment, title in shown)
        print(f"      late: {late[len(late) // 2]:.3f} s in the middle, {late[-1]:.3f} s at the most")
        # A time in milliseconds may be half a millisecond too early.
        self.assertGreaterEqual(late[0], -0.001)
        self.assertLessEqual(late[-1 - self.count // 100], 1, late[-10:])

    def test_alarms_are_on_time(self):
        self.watch()

    def plagues(self):
        """Accounts on servers that hang, send floods, and answer 500, and one on a good server."""
        plagues = {
            "hangs": lambda request: time.sleep(300) or Answer(503),
            "floods": lambda request: Answer(207, b"<x>" * (8 << 20)),
            "fails": lambda request: Answer(500),
            "good": None,
        }
        servers = {}
        for name, plague in plagues.items():
            server = FakeDAV().start()
            self.addCleanup(server.stop)
            server.add_list(name.capitalize())
            self.person.add_account(server.url)
            servers[name] = server
        self.person.sync()
        for name, server in servers.items():
            server.intercept = plagues[name]
            server.take()
            self.person.run("add", f"For {name}", "--list", name.capitalize())
        return servers

    def test_and_so_they_are_while_servers_are_a_plague_and_thousands_are_imported(self):
        servers = self.plagues()
        many = ics(*(todo(f"other-{number}", int(time.time()) + 86400 + number)
                     for number in range(10_000 if FULL else 3000)))

        def meanwhile():
            self.person.run("import", "-", stdin=many)

        self.watch(meanwhile, lead=8)
        # The good server got its changes, independently of the others.
        wait_for(lambda: len(servers["good"].collections["Good"].items) == 1, 60, "the good server to get its change")
        for name in ("hangs", "floods", "fails"):
            self.assertTrue(any(request for request in servers[name].requests), f"{name} was never asked")


class TwoDevices(Daemon):
    """A user at two desktops: an action on one is applied on the other after one sync."""

    rounds = 50 if FULL else 8
    at_once = 8

    def setUp(self):
        super().setUp()
        self.chance = random.Random(SEED)
        server = self.borrow(Radicale)
        self.settings("sync-interval = never")
        self.other, self.other_desktop = self.desk("other")
        self.settings("sync-interval = never", device=self.other)
        self.keep(todo("first", int(time.time()) + 86400))
        for device in (self.person, self.other):
            device.add_account(server.url)
        self.person.publish("Reminders")
        self.person.sync()
        self.other.sync()
        self.start()
        self.start(self.other)

    def notification(self, desktop, title):
        """The number of the notification with this title, in the mock's count of new notifications."""
        new = [notification for notification in desktop.notifications() if not notification.replaces]
        return next(place + 1 for place, notification in enumerate(new) if notification.title == title)

    def act(self, device, desktop, uid, action):
        if action == "reschedule":
            device.run("edit", device.id_of(uid), "--due", "in 3 days all day")
        elif action == "dismiss":
            desktop.put_away(self.notification(desktop, uid))
        else:
            desktop.click(self.notification(desktop, uid), {"snooze": "snooze-900", "complete": "complete"}[action])

    def text_at(self, device, uid):
        out = device.run("export").out.replace("\r\n", "\n").replace("\n ", "")
        return next(block for block in out.split("BEGIN:VTODO") if f"UID:{uid}\n" in block)

    def is_done(self, device, uid, action, due):
        text = self.text_at(device, uid)
        return {
            "complete": "STATUS:COMPLETED" in text,
            "dismiss": "X-MOZ-LASTACK" in text,
            "snooze": "X-MOZ-SNOOZE-TIME" in text,
            # The stamp of the edit may be the same second.
            "reschedule": f"DUE:{utc(due)}" not in text,
        }[action]

    def test_random_interleavings(self):
        sides = [(self.person, self.desktop), (self.other, self.other_desktop)]
        played = 0
        while played < self.rounds:
            count = min(self.at_once, self.rounds - played)
            self.play([f"u{played + number}" for number in range(count)], sides)
            played += count

    def play(self, uids, sides):
        due = int(time.time()) + 9
        self.keep(*(todo(uid, due + place) for place, uid in enumerate(uids)))
        self.person.sync()
        self.other.sync()
        for _, desktop in sides:
            wait_for(lambda: set(uids) <= {title for _, title in desktop.notified()}, 40, "the notifications")
        time.sleep(0.5)
        operations = {uid: (self.chance.randrange(2), self.chance.choice(["snooze", "complete", "dismiss", "reschedule"]))
                 for uid in uids}
        for uid in self.chance.sample(uids, len(uids)):
            place, action = operations[uid]
            self.act(*sides[place], uid, action)
        for uid, (place, action) in operations.items():
            wait_for(lambda: self.is_done(sides[place][0], uid, action, due + uids.index(uid)),
                     what=f"{action} of {uid} (seed {SEED})")
        # Each side sends and receives once; the first sender receives once more.
        first = self.chance.randrange(2)
        for place in (first, 1 - first, first):
            sides[place][0].sync()
        for uid, (place, action) in operations.items():
            self.assertTrue(self.is_done(sides[1 - place][0], uid, action, due + uids.index(uid)),
                            f"{action} of {uid} did not arrive (seed {SEED})")
            numbers = [(desktop, self.notification(desktop, uid)) for _, desktop in sides]
            for side, (desktop, number) in enumerate(numbers):
                # The mock forgets a dismissed notification, and gets no request to close it.
                if (side, action) != (place, "dismiss"):
                    wait_for(lambda: number in desktop.closed(), 20, f"the notification of {uid} to go after {action} (seed {SEED})")
        self.assert_same(self.person, self.other)
        for _, desktop in sides:
            for uid in uids:
                self.assertEqual([title for _, title in desktop.notified()].count(uid), 1, f"{uid} came again (seed {SEED})")


class Idle(Daemon):
    count = 10_000

    def test_it_is_small_starts_quickly_and_sleeps(self):
        begin = int(time.time()) + 2 * 86400
        self.keep(*(todo(f"u{number}", begin + number) for number in range(self.count)), todo("a", int(time.time()) + 20))
        self.settings("sound = yes")
        # The fastest of several runs: other load and the disk must not be measured.
        ready = 60
        for turn in range(3):
            started = time.monotonic()
            daemon = self.start(seconds=60)
            ready = min(ready, time.monotonic() - started)
            if turn < 2:
                self.end(daemon)
        self.wait_for_notifications(1, 60)
        self.settings("sound = no")
        wait_for(lambda: "The changed settings are in use" in self.log(), what="the settings to be read")
        # The thread that writes actions ends after some idle seconds.
        self.desktop.click(1, "complete")
        wait_for(lambda: self.desktop.closed() == [1], what="the notification to go")
        time.sleep(12)
        before = wakeups(daemon)
        time.sleep(300 if FULL else 5)
        after = wakeups(daemon)
        size = memory(daemon)
        print(f"      ready after {ready:.3f} s; {size / 1024:.1f} MiB resident; {len(after)} threads")
        self.assertEqual(after, before, "awake for nothing, or something was written to /etc, where the zone is watched")
        # No thread may wait in a pool: the first one that does causes a check each second for ever.
        self.assertLessEqual(len(after), 3)
        self.assertLessEqual(size, 40 * 1024)
        if IS_RELEASE and FULL:
            self.assertLessEqual(ready, 0.3)


class Soak(Daemon):
    seconds = 1800 if FULL else 60

    def test_a_server_that_fails_now_and_then_leaves_nothing_behind(self):
        chance = random.Random(SEED)
        server = FakeDAV().start()
        self.addCleanup(server.stop)
        server.add_list("Work")
        self.person.add_account(server.url)
        self.person.sync()
        for number in range(20):
            self.person.run("add", f"Number {number}", "--list", "Work", "--due", "in 2 days")
        server.intercept = lambda request: Answer(chance.choice([500, 503])) if chance.random() < 0.1 else None
        self.settings("sync-interval = 1m")
        daemon = self.start()
        sizes, descriptors = [], []
        begin = time.monotonic()
        warm = self.seconds / 3
        turn = 0
        while time.monotonic() < begin + self.seconds:
            turn += 1
            self.person.run("edit", str(turn % 20 + 1), "--title", f"Turn {turn}")
            # The change is sent after a pause in changes.
            time.sleep(6.5)
            wait_for(lambda: not children(daemon), 60, "the end of a sync")
            time.sleep(0.5)
            if time.monotonic() > begin + warm:
                sizes.append(memory(daemon, "RssAnon"))
                descriptors.append(len(list(Path(f"/proc/{daemon.pid}/fd").iterdir())))
        print(f"      {turn} edits; {sizes[0]} to {sizes[-1]} KiB; {descriptors[-1]} descriptors")
        self.assertLessEqual(max(sizes) - sizes[0], 1024, f"{sizes} (seed {SEED})")
        # While the server is unreachable the daemon watches for changes of the network.
        self.assertLessEqual(max(descriptors) - min(descriptors), 1, f"{descriptors} (seed {SEED})")
        self.assertGreater(len(server.requests), turn, "hardly a sync")


if __name__ == "__main__":
    unittest.main()

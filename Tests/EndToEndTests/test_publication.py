"""A first publication of many to-dos: every byte of every property comes back, also after an interruption.

REMINDAV_PUBLISHED is the number of published to-dos (1,000), REMINDAV_INTERRUPTED their number in the interrupted runs (150),
REMINDAV_MOMENTS the number of interruptions for each server (6), and REMINDAV_SEED chooses the moments. The seeds and the
figures are printed.
"""

import os
import random
import re
import signal
import subprocess
import time
import unittest

import corpus
from folding import written
from harness import OK, EndToEnd
from nextcloud import Nextcloud
from proxy import Answer
from scenarios.peer import Peer
from servers import CountingProxy, Radicale, Xandikos

COUNT = int(os.environ.get("REMINDAV_PUBLISHED", "1000"))
INTERRUPTED = int(os.environ.get("REMINDAV_INTERRUPTED", "150"))
SEED = int(os.environ.get("REMINDAV_SEED", "20261123"))
MOMENTS = int(os.environ.get("REMINDAV_MOMENTS", "6"))
# A property up to its value: name and parameters, in which colons occur only between quotation marks.
HEAD = re.compile(rb'(?:[^":]|"[^"]*")*')
DURATION = re.compile(rb":([+-]?)P(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?")
UNITS = (604_800, 86_400, 3600, 60, 1)
PARAMETER = re.compile(rb'((?:[^";]|"[^"]*")+)')


def place(rng):
    return "X-APPLE-STRUCTURED-LOCATION;VALUE=URI;X-ADDRESS=\"Main St 1\\nBerlin\";X-APPLE-RADIUS=%d;X-TITLE=Work:geo:%.6f,%.6f" % (
        rng.randint(50, 500), rng.uniform(-89, 89), rng.uniform(-179, 179))


def todo(index):
    """The unfolded lines of one to-do, and its zones. Every third has a place, every sixth an alarm at a place."""
    lines, zones = corpus.todo(index, SEED)
    rng = random.Random(SEED + index)
    if index % 3 == 0:
        lines.insert(-1, place(rng))
    if index % 6 == 0:
        lines[-1:-1] = ["BEGIN:VALARM", f"UID:place-{index}", "TRIGGER;VALUE=DATE-TIME:19760401T005545Z", "ACTION:DISPLAY",
                        "DESCRIPTION:Arrive", "X-APPLE-PROXIMITY:ARRIVE", place(rng), "END:VALARM"]
    return lines, zones


def calendar(count):
    todos = [todo(index) for index in range(count)]
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//corpus//EN"]
    for name in sorted(set().union(*(zones for _, zones in todos))):
        lines += corpus.ZONES[name]
    for one, _ in todos:
        lines += one
    return written(lines + ["END:VCALENDAR"])


def properties(data):
    """UID to the to-do's unfolded lines in bytes, each with the path of its components, sorted."""
    text = data.replace(b"\r\n", b"\n").replace(b"\n ", b"").replace(b"\n\t", b"")
    found, stack, lines = {}, [], []
    for line in text.split(b"\n"):
        if line.startswith(b"BEGIN:"):
            stack.append(line[6:])
            if line == b"BEGIN:VTODO":
                lines = []
        elif line.startswith(b"END:"):
            stack.pop()
            if line == b"END:VTODO":
                uid = next(one for where, one in lines if where == (b"VTODO",) and one.startswith(b"UID:"))
                found[uid[4:].decode()] = sorted(lines)
        elif b"VTODO" in stack:
            lines.append((tuple(stack[stack.index(b"VTODO"):]), line))
    return found


def equivalent(line):
    """The line with its parameters sorted and without quotation marks and default, and a duration in seconds.

    RFC 5545 gives the order of parameters no meaning, has several forms for one duration, and makes DURATION the default type
    of TRIGGER: Radicale drops the parameter, and after an interruption the local text may have its form.
    """
    head = HEAD.match(line).group()
    name, *parameters = PARAMETER.findall(head)
    if name == b"TRIGGER":
        parameters = [one for one in parameters if one != b"VALUE=DURATION"]
    value = line[len(head):]
    if duration := DURATION.fullmatch(value):
        sign, *numbers = duration.groups()
        value = sum(int(number or 0) * unit for number, unit in zip(numbers, UNITS)) * (-1 if sign == b"-" else 1)
    return name, sorted(one.replace(b'"', b"") for one in parameters), str(value)


class Publication:
    count = INTERRUPTED
    # Whether the server stores each line as it was sent.
    is_exact = False
    # Properties that the server alters in every write: they stay complete here, and are not compared there.
    altered = ()
    # Names of properties with values that the server writes in another form of the same meaning.
    reformatted = ()

    def setUp(self):
        super().setUp()
        self.server = self.borrow(self.make_server)
        self.peer = Peer(self.server)

    def prepared(self, name, count):
        """A device with a local list before its publication."""
        device = self.device(name)
        device.run("import", "-", "--list", name, stdin=calendar(count))
        device.add_account(self.server.url)
        device.publish(name)
        return device

    def members(self, name):
        path = next(path for path, (shown, _) in self.peer.lists().items() if shown == name)
        found = {}
        for uid, held in self.peer.held(path).items():
            found[uid] = properties(held.data)[uid]
        return found

    def check(self, device, name, count, is_interrupted=False):
        wanted = properties(calendar(count))
        self.assertEqual(len(wanted), count)
        here = properties(device.run("export", "--list", name).bytes)
        for kind, found in (("here", here), ("on the server", self.members(name))):
            self.assertEqual(set(found), set(wanted), kind)
            # After an interruption the local text may have the server's form of the same content.
            is_exact = self.is_exact or kind == "here" and not is_interrupted
            for uid, lines in wanted.items():
                texts = (found[uid], lines)
                if not is_exact:
                    texts = [self.comparable(one, self.reformatted if kind == "here" else self.altered) for one in texts]
                self.assertEqual(*texts, f"{uid} {kind}, seed {SEED}")
        self.assertEqual(device.json("conflicts"), [])

    def comparable(self, lines, altered):
        return sorted((where, *equivalent(line)) for where, line in lines if not line.startswith(altered))

    def test_a_first_publication_keeps_every_byte_of_every_property(self):
        device = self.prepared("Published", COUNT)
        start = time.monotonic()
        report = next(one for one in device.sync() if one["list"] == "Published")
        seconds = time.monotonic() - start
        print(f"{self.server.name}: {COUNT} to-dos in {seconds:.1f} s and {report['requests']} requests, seed {SEED}", flush=True)
        self.assertEqual((report["pushed"], report["merged"], report["conflicts"], report["failures"]), (COUNT, 0, 0, 0))
        device.sync_until_quiet()
        self.check(device, "Published", COUNT)

    def test_an_interrupted_publication_is_completed_by_the_next_sync_without_an_error(self):
        chance = random.Random(SEED)
        whole = self.time_of_one()
        seconds = []
        for number in range(MOMENTS):
            name = f"Moment {number}"
            device = self.prepared(name, self.count)
            moment = chance.uniform(0.05, 1) * whole
            process = device.start("sync", stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            try:
                process.wait(timeout=moment)
            except subprocess.TimeoutExpired:
                process.send_signal(chance.choice([signal.SIGINT, signal.SIGKILL]))
                process.wait()
            start = time.monotonic()
            result = device.run("sync", "--json", code=(OK,))
            seconds.append(time.monotonic() - start)
            self.assertEqual(result.err, "", f"moment {number} ({moment:.2f} s), seed {SEED}")
            errors = [(one["error"], one["failures"], one["conflicts"], one["merged"]) for one in result.json]
            self.assertEqual(set(errors), {(None, 0, 0, 0)}, f"moment {number} ({moment:.2f} s), seed {SEED}")
            device.sync_until_quiet()
            self.check(device, name, self.count, is_interrupted=True)
            self.peer.delete_list(next(path for path, (shown, _) in self.peer.lists().items() if shown == name))
        print(f"{self.server.name}: {MOMENTS} interruptions of {self.count} to-dos within {whole:.1f} s, seed {SEED}; "
              f"the next sync took {min(seconds):.1f} to {max(seconds):.1f} s", flush=True)

    def time_of_one(self):
        device = self.prepared("Whole", self.count)
        start = time.monotonic()
        device.sync()
        seconds = time.monotonic() - start
        self.peer.delete_list(next(path for path, (shown, _) in self.peer.lists().items() if shown == "Whole"))
        return seconds


class OverRadicale(Publication, EndToEnd):
    """Radicale takes the whole list by one PUT, completes it after the client has gone, and shortens some values.

    It shortens values in every PUT: an X- property ends at its first comma, parameters lose their quotation marks, and a
    TRIGGER loses its VALUE=DURATION.
    """

    make_server = Radicale
    altered = (b"X-", b"ATTENDEE", b"ORGANIZER", b"ATTACH", b"TRIGGER")

    def test_a_list_whose_publication_ends_with_504_keeps_its_colour(self):
        """The server executes a request that the proxy reports as failed; a whole-list PUT removes the colour of a list."""
        proxy = CountingProxy(self.server)
        self.addCleanup(proxy.stop)
        device = self.device("Laptop")
        device.run("import", "-", "--list", "Named", stdin=calendar(30))
        device.add_account(proxy.url)
        device.publish("Named", "--color", "#4CAF50")
        done = []

        def report_failure(request, answer):
            if request.method == "PUT" and request.path.endswith("/"):
                done.append(answer.status)
                return Answer(504)
            # The colour cannot be restored in this run either.
            return Answer(500) if done and request.method == "PROPPATCH" else answer

        proxy.after = report_failure
        device.sync(code=None)
        self.assertTrue(done)
        proxy.behave()
        device.sync_until_quiet()
        self.check(device, "Named", 30, is_interrupted=True)
        self.assertIn("#4CAF50", [color and color[:7].upper() for name, color in self.peer.lists().values() if name == "Named"])
        proxy.take()
        device.sync()
        self.assertEqual([one for one in proxy.take() if one[0] == "PROPPATCH"], [])


class OverXandikos(Publication, EndToEnd):
    """Xandikos puts some parameters between quotation marks, drops zeros at the end of numbers, and sorts RRULE.

    It writes durations in another form.
    """

    altered = reformatted = (b"GEO", b"RRULE")

    make_server = Xandikos


class OverNextcloud(Publication, EndToEnd):
    """The transcript of Nextcloud: each to-do is sent by a separate PUT."""

    is_exact = True
    make_server = Nextcloud


if __name__ == "__main__":
    unittest.main()

"""Hostile to-dos with expensive repeat rules: each command on them, and the daemon, take about as long as with an ordinary
to-do. Bounds are multiples of a control run on the same machine, never absolute times alone."""

import os
import signal
import time
import unittest
from pathlib import Path

from daemons import Daemon, todo
from harness import OK, EndToEnd, ics, wait_for

FIXTURES = Path(__file__).resolve().parents[2] / "Fixtures"
BOMBS = ("made-exceptions-each-second", "made-period-of-millennia", "made-two-thousand-rules")
# The factor to the control run, and additional seconds for a busy machine.
FACTOR, SLACK = 20, 2.0


def bomb(name):
    return (FIXTURES / "ics" / f"{name}.ics").read_bytes()


class Bombs(EndToEnd):
    def setUp(self):
        super().setUp()
        self.laptop = self.device("laptop")

    def seconds(self, *words, device=None, **options):
        began = time.monotonic()
        (device or self.laptop).run(*words, timeout=60, **options)
        return time.monotonic() - began

    def test_every_command_ends_in_the_time_of_an_ordinary_reminder(self):
        commands = (["alarms"], ["status"], ["list", "--json"], ["show", "1"], ["doctor"], ["snooze", "1", "1h"], ["done", "1"],
                    ["delete", "1", "--yes"])
        control = self.device("control")
        plain = ics(["UID:plain", "SUMMARY:plain", "DUE:20270328T023000", "RRULE:FREQ=DAILY"])
        times = [self.seconds("import", "-", device=control, stdin=plain)]
        times += [self.seconds(*words, device=control, code=None) for words in commands]
        for name in BOMBS:
            device = self.device(name)
            took = [self.seconds("import", "-", device=device, stdin=bomb(name))]
            took += [self.seconds(*words, device=device, code=None) for words in commands]
            for words, mine, usual in zip([["import"], *commands], took, times):
                with self.subTest(bomb=name, command=words[0]):
                    self.assertLess(mine, FACTOR * usual + SLACK)

    def test_ics_expand_ends(self):
        for name in BOMBS:
            for words in ([], ["--from", "2026-11-01"]):
                with self.subTest(bomb=name, words=words):
                    self.laptop.run("ics", "expand", "-", *words, "--limit", "5", stdin=bomb(name), timeout=20, code=None)

    def test_reminders_without_an_alarm_plan_are_reported(self):
        self.laptop.run("import", "-", stdin=bomb("made-exceptions-each-second"))
        self.assertIn("not planned", self.laptop.run("status").out)
        self.assertEqual(self.laptop.run("status", "--json").json["unplanned"], [1])
        self.assertEqual(len(self.laptop.run("list", "--json").json), 1)

    def test_thousands_of_overrides_are_imported_quickly(self):
        def series(count):
            rest = [
                [f"UID:s", f"SUMMARY:no {n}", f"RECURRENCE-ID:{20260101 + n // 24 % 28}T{n % 24:02}{n // 672:02}00",
                 f"DUE:20260201T{n % 24:02}0000"]
                for n in range(count)
            ]
            return ics(["UID:s", "SUMMARY:s", "DUE:20260101T000000", "RRULE:FREQ=MINUTELY"], *rest)

        few = self.seconds("import", "-", device=self.device("few"), stdin=series(500))
        many = self.device("many")
        self.assertLess(self.seconds("import", "-", device=many, stdin=series(4000)), 20 * few + SLACK)
        self.assertEqual(many.run("export").out.count("BEGIN:VTODO"), 4001)

    def test_a_pipe_as_settings_does_not_hold_completion(self):
        path = self.folder / "pipe"
        os.mkfifo(path)
        self.laptop.run("add", "Bread")
        self.laptop.run("__complete", "bash", "--", "--config", str(path), "show", "", timeout=10)

    def test_a_source_without_line_ends_is_abandoned_quickly(self):
        for command in ("check", "expand", "format"):
            with self.subTest(command=command):
                code, error, _, peak = self.laptop.measured("ics", command, "/dev/zero", timeout=30)
                self.assertNotEqual(code, OK, error)
                self.assertEqual(error.count("\n"), 1, error)
                self.assertLess(peak, 128 << 20)


class BombsBesideAlarms(Daemon):
    def test_an_alarm_fires_on_time_and_the_daemon_ends_on_request(self):
        for name in BOMBS:
            self.person.run("import", "-", stdin=bomb(name))
        self.keep(todo("bread", int(time.time()) + 12))
        daemon = self.start()
        due = time.monotonic() + 12
        wait_for(lambda: any("bread" in str(notification) for notification in self.desktop.notifications()), 30, "the notification")
        self.assertLess(time.monotonic() - due, 10)
        self.assertIn("takes too long to compute", self.log())
        began = time.monotonic()
        self.assertEqual(self.end(daemon, signal.SIGTERM), OK)
        self.assertLess(time.monotonic() - began, 5)


if __name__ == "__main__":
    unittest.main()

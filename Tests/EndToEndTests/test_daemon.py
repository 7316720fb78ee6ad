"""`remindav daemon` on a desktop of its own: what rings, when, and what becomes of it.

REMINDAV_DAEMON_KILLS says how often it is killed (15; 200 with REMINDAV_DAEMON_FULL), REMINDAV_SEED at which moments. A
failure prints the seed.
"""

import json
import os
import random
import re
import shutil
import signal
import socket
import sqlite3
import subprocess
import time
import unittest
from pathlib import Path
from urllib.parse import urlsplit

from desktop import Desktop
from harness import FAILURE, LOCKED, USAGE, EndToEnd, ics, wait_for
from servers import Radicale

FULL = bool(os.environ.get("REMINDAV_DAEMON_FULL"))
KILLS = int(os.environ.get("REMINDAV_DAEMON_KILLS") or (200 if FULL else 15))
SEED = int(os.environ.get("REMINDAV_SEED", "20261122"))


def utc(seconds):
    return time.strftime("%Y%m%dT%H%M%SZ", time.gmtime(seconds))


def todo(uid, due, *lines, title=None):
    return [f"UID:{uid}", f"SUMMARY:{title or uid}", f"DUE:{utc(due)}", *lines]


def seconds_of_processor(process):
    fields = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
    return sum(map(int, fields[11:13])) / os.sysconf("SC_CLK_TCK")


class Daemon(EndToEnd):
    with_service = True

    def setUp(self):
        super().setUp()
        self.person, self.desktop = self.desk("person")
        self.running = []
        self.addCleanup(lambda: [self.end(daemon, signal.SIGKILL) for daemon in list(self.running)])

    def desk(self, name):
        """A device with a desktop of its own."""
        device = self.device(name)
        desktop = Desktop(device.folder)
        desktop.start()
        self.addCleanup(desktop.stop)
        device.environment.update(desktop.environment)
        device.environment["XDG_RUNTIME_DIR"] = ""
        if self.with_service:
            desktop.start_service()
        return device, desktop

    def settings(self, *lines, device=None):
        path = (device or self.person).home / ".config" / "remindav" / "config"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("\n".join(lines) + "\n")
        return path

    def keep(self, *todos):
        self.person.run("import", "-", stdin=ics(*todos))

    def start(self, device=None, seconds=15, **options):
        device = device or self.person
        log = (device.folder / "daemon.log").open("ab")
        before = self.log(device).count("Reminders ring")
        daemon = device.start("daemon", stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=log, **options)
        log.close()
        self.running.append(daemon)
        wait_for(lambda: self.log(device).count("Reminders ring") > before or daemon.poll() is not None, seconds,
                 "the daemon")
        self.assertIsNone(daemon.poll(), self.log(device))
        return daemon

    def log(self, device=None):
        path = (device or self.person).folder / "daemon.log"
        return path.read_text() if path.exists() else ""

    def end(self, daemon, number=signal.SIGTERM):
        if daemon.poll() is None:
            daemon.send_signal(number)
        code = daemon.wait(10)
        self.running.remove(daemon)
        return code

    def wait_for_bubbles(self, count, seconds=15):
        wait_for(lambda: len(self.desktop.bubbles()) >= count, seconds, f"{count} bubbles; log: {self.log()}")
        return self.desktop.bubbles()

    def text(self, uid):
        """The to-do as it would be exported, without folds."""
        out = self.person.run("export").out.replace("\r\n", "\n").replace("\n ", "")
        return next(block for block in out.split("BEGIN:VTODO") if f"UID:{uid}\n" in block)


class Ringing(Daemon):
    def test_it_rings_at_its_time_with_its_words_and_buttons(self):
        due = int(time.time()) + 4
        self.keep(todo("milk", due, "DESCRIPTION:2 l <b>&", "PRIORITY:1", title="Milk"),
                  todo("later", due + 3600))
        self.start()
        bubble, = self.wait_for_bubbles(1)
        self.assertIn(bubble.seconds - due, (0, 1))
        self.assertEqual((bubble.title, bubble.body), ("Milk", "2 l &lt;b&gt;&amp;"))
        self.assertEqual(bubble.actions,
                         ["default", "complete", "snooze-300", "snooze-900", "snooze-1800", "snooze-3600"])
        self.assertEqual(bubble.hints, {
            "urgency": 2, "category": "REMINDER_CATEGORY", "sound-name": "alarm-clock-elapsed",
            "desktop-entry": "remindav"})
        self.assertEqual(bubble.expiry, 0)
        time.sleep(2)
        self.assertEqual(len(self.desktop.bubbles()), 1)
        self.assertIn("Bubbles are shown by mock-notify", self.log())
        self.assertNotIn("Milk", self.log())

    def test_what_other_processes_change_counts_at_once(self):
        daemon = self.start()
        due = int(time.time()) + 5
        self.keep(todo("a", due), todo("b", due), todo("c", due))
        self.person.run("delete", self.person.id_of("b"), "--yes")
        self.person.run("done", self.person.id_of("c"))
        bubble, = self.wait_for_bubbles(1)
        self.assertEqual(bubble.title, "a")
        self.assertEqual(self.desktop.closed(), [])
        self.person.run("done", self.person.id_of("a"))
        wait_for(lambda: self.desktop.closed() == [1], what="the bubble to go")
        self.assertEqual(self.end(daemon), 0)
        self.assertEqual(len(self.desktop.bubbles()), 1)

    def test_an_edit_of_what_is_on_the_screen_is_shown_in_its_place(self):
        self.start()
        due = int(time.time()) + 4
        self.keep(todo("a", due))
        self.wait_for_bubbles(1)
        self.person.run("edit", self.person.id_of("a"), "--title", "Another title")
        again = self.wait_for_bubbles(2)[1]
        self.assertEqual((again.title, again.replaces), ("Another title", 1))
        self.assertTrue(again.hints.get("suppress-sound"))

    def test_what_is_moved_rings_at_its_new_time_and_what_is_deleted_does_not(self):
        due = int(time.time()) + 7
        self.keep(todo("moved", due), todo("deleted", due), todo("rung", due - 3))
        self.start()
        new = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(due + 3))
        self.person.run("edit", self.person.id_of("moved"), "--due", new)
        self.person.run("delete", self.person.id_of("deleted"), "--yes")
        self.wait_for_bubbles(1)
        # One that is on the screen goes as well.
        self.person.run("delete", self.person.id_of("rung"), "--yes")
        wait_for(lambda: self.desktop.closed() == [1], what="the bubble to go")
        bubbles = self.wait_for_bubbles(2)
        time.sleep(2)
        self.assertEqual([bubble.title for bubble in self.desktop.bubbles()], ["rung", "moved"])
        self.assertIn(bubbles[1].seconds - due - 3, (0, 1))

    def test_what_was_missed_is_shown_once_and_said_to_be(self):
        due = int(time.time()) + 2
        self.end(self.start())
        self.keep(todo("missed", due - 3600 * 5))
        # It became due while nothing ran: as if this were an hour later.
        self.keep(todo("a", due))
        self.end(self.start())
        self.person.environment["TZ"] = "UTC"
        time.sleep(3)
        daemon = self.start()
        bubble, = self.wait_for_bubbles(1)
        self.assertEqual(bubble.title, "a")
        self.end(daemon)
        self.start()
        time.sleep(2)
        self.assertEqual({one.replaces for one in self.desktop.bubbles()[1:]} - {1}, set())

    def test_a_hundred_in_half_a_minute_are_on_time_while_thousands_are_imported(self):
        begin = int(time.time()) + 6
        due = {f"u{number}": begin + number * 3 // 10 for number in range(100)}
        self.keep(*(todo(uid, moment) for uid, moment in due.items()))
        self.start()
        others = ics(*(todo(f"other-{number}", begin + 86400 + number) for number in range(5000)))
        self.person.run("import", "-", stdin=others)
        bubbles = self.wait_for_bubbles(100, 60)
        self.assertEqual({bubble.title for bubble in bubbles}, set(due))
        late = sorted(bubble.seconds - due[bubble.title] for bubble in bubbles)
        self.assertGreaterEqual(late[0], 0)
        # All but one of a hundred; the service counts whole seconds.
        self.assertLessEqual(late[-2], 1, late[-10:])

    def test_many_at_once_are_one_summary(self):
        due = int(time.time()) + 5
        self.keep(*(todo(f"u{number}", due, title=f"Number {number:02}") for number in range(40)))
        self.start()
        bubble, = self.wait_for_bubbles(1)
        self.assertEqual(bubble.title, "40 reminders due")
        self.assertIn("and 35 more", bubble.body)
        self.assertEqual(bubble.actions, [])


class Answers(Daemon):
    def bubble(self, *lines):
        self.start()
        due = int(time.time()) + 4
        self.keep(todo("a", due, *lines))
        self.wait_for_bubbles(1)
        return due

    def test_complete(self):
        self.bubble()
        self.desktop.click(1, "complete")
        wait_for(lambda: self.person.by_uid("a")["status"] == "completed", what="it to be done")
        wait_for(lambda: self.desktop.closed() == [1], what="the bubble to go")

    def test_snooze(self):
        self.bubble()
        clicked = time.time()
        self.desktop.click(1, "snooze-300")
        wait_for(lambda: "X-MOZ-SNOOZE-TIME" in self.text("a"), what="it to be put off")
        until = re.search(r"X-MOZ-SNOOZE-TIME:(\d+T\d+Z)", self.text("a"))[1]
        self.assertIn(until, [utc(clicked + 300 + extra) for extra in range(-1, 5)])
        self.assertEqual(self.person.by_uid("a")["status"], "pending")

    def test_put_away_is_seen_to_and_never_completed(self):
        due = self.bubble("BEGIN:VALARM", "ACTION:DISPLAY", "TRIGGER:PT0S", "END:VALARM")
        self.desktop.put_away(1)
        wait_for(lambda: f"X-MOZ-LASTACK:{utc(due)}" in self.text("a"), what="it to be seen to")
        self.assertIn(f"ACKNOWLEDGED:{utc(due)}", self.text("a"))
        self.assertEqual(self.person.by_uid("a")["status"], "pending")

    def test_gone_by_itself_writes_nothing(self):
        self.bubble()
        before = self.text("a")
        self.desktop.put_away(1, reason=1)
        time.sleep(1.5)
        self.assertEqual(self.text("a"), before)
        self.assertEqual(len(self.desktop.bubbles()), 1)

    def test_open_runs_the_persons_program_with_the_address_once(self):
        note = self.folder / "opened"
        opener = self.write("opener", f'#!/bin/sh\necho "$@" >> {note}\n')
        opener.chmod(0o755)
        self.settings(f'open-command = ["{opener}", "--it"]')
        self.bubble()
        self.desktop.click(1, "default")
        wait_for(note.exists, what="it to be opened")
        time.sleep(1)
        self.assertEqual(note.read_text(), f"--it {self.person.id_of('a')}\n")
        self.assertIn("X-MOZ-LASTACK", self.text("a"))


class Clearing(Daemon):
    def test_clear_takes_all_bubbles_away_and_what_is_to_come_rings(self):
        now = int(time.time())
        self.start()
        self.keep(todo("a", now + 4), todo("b", now + 4, "BEGIN:VALARM", "ACTION:DISPLAY", "TRIGGER:PT0S", "END:VALARM"),
                  todo("c", now + 30), *(todo(f"many{number}", now + 6) for number in range(20)))
        # The twenty are one summary.
        self.wait_for_bubbles(3)
        time.sleep(0.5)
        self.assertEqual(self.person.json("status")["count"], 22)
        self.assertIn("--yes", self.person.run("alarms", "clear", code=USAGE).err)
        self.assertEqual(self.desktop.closed(), [])
        cleared = self.person.json("alarms", "clear", "--yes")["cleared"]
        self.assertEqual(len(cleared), 22)
        wait_for(lambda: sorted(self.desktop.closed()) == [1, 2, 3], what="the bubbles to go")
        self.assertEqual(self.person.json("status")["count"], 0)
        self.assertRegex(self.text("b"), r"ACKNOWLEDGED:\d+T\d+Z")
        self.assertEqual({one["status"] for one in self.person.json("list", "--all")}, {"pending"})
        self.assertEqual(self.wait_for_bubbles(4, 40)[3].title, "c")
        # Undone, they have not been seen to again; what has rung rings no second time.
        self.person.run("undo", "--last")
        time.sleep(1.5)
        self.assertEqual(self.person.json("status")["count"], 23)
        self.assertEqual(len(self.desktop.bubbles()), 4)


class Badge(Daemon):
    def test_docks_are_told_the_number_when_it_is_another(self):
        self.desktop.listen()
        now = int(time.time())
        self.keep(todo("past", now - 3600), todo("soon", now + 6), todo("later", now + 3600))
        self.start()

        def told(*counts):
            wait_for(lambda: [values["count"] for _, values in self.desktop.told()] == list(counts), 20, f"{counts}")
            application, values = self.desktop.told()[-1]
            self.assertEqual(application, "application://remindav.desktop")
            self.assertEqual(values, {"count": counts[-1], "count-visible": int(counts[-1] > 0)})
            self.assertEqual(self.person.json("status")["count"], counts[-1])

        told(1)
        told(1, 2)
        # What does not change the number is told to nobody.
        self.person.run("edit", self.person.id_of("past"), "--title", "Another")
        self.person.run("add", "Some day", "--due", "none")
        time.sleep(1.5)
        told(1, 2)
        # The bubble goes by itself; nobody has seen to it.
        self.wait_for_bubbles(1)
        self.desktop.put_away(1, reason=1)
        time.sleep(1)
        told(1, 2)
        self.person.run("done", self.person.id_of("soon"))
        told(1, 2, 1)
        self.person.run("alarms", "clear", "--yes")
        told(1, 2, 1, 0)


class Opening(Daemon):
    """What a click opens, where systemd runs the daemon and where it does not."""

    def setUp(self):
        super().setUp()
        self.tools = self.person.folder / "tools"
        self.tools.mkdir()
        self.person.environment["PATH"] = f"{self.tools}:{self.person.environment['PATH']}"
        self.note = self.folder / "opened"

    def tool(self, name, code=0):
        path = self.tools / name
        path.write_text(f'#!/bin/sh\necho "{name} $*" >> {self.note}\nexit {code}\n')
        path.chmod(0o755)

    def open(self):
        self.start()
        self.keep(todo("a", int(time.time()) + 3))
        self.wait_for_bubbles(1)
        self.desktop.click(1, "default")

    def test_a_service_has_systemd_open_it_outside_of_its_sandbox(self):
        self.tool("systemd-run")
        self.tool("xdg-open")
        self.person.environment["INVOCATION_ID"] = "0" * 32
        self.open()
        wait_for(self.note.exists, what="it to be opened")
        time.sleep(0.5)
        number = self.person.id_of("a")
        self.assertEqual(self.note.read_text(),
                         f"systemd-run --user --collect --quiet -- xdg-open reminders://{number}\n")

    def test_systemd_is_given_dollars_as_words_that_it_does_not_expand(self):
        self.tool("systemd-run")
        self.settings('open-command = ["see", "--as", "$HOME and ${PATH}", ""]')
        self.person.environment["INVOCATION_ID"] = "0" * 32
        self.open()
        wait_for(self.note.exists, what="it to be opened")
        time.sleep(0.5)
        number = self.person.id_of("a")
        self.assertEqual(self.note.read_text(),
                         "systemd-run --user --collect --quiet -- "
                         f"see --as $$HOME and $${{PATH}}  {number}\n")

    def test_a_service_without_a_manager_opens_it_itself(self):
        self.tool("systemd-run", code=1)
        self.tool("xdg-open")
        self.person.environment["INVOCATION_ID"] = "0" * 32
        self.open()
        wait_for(lambda: self.note.exists() and "\nxdg-open" in self.note.read_text(), what="it to be opened")
        self.assertNotIn("not opened", self.log())

    def test_outside_of_a_service_it_is_opened_directly(self):
        self.tool("systemd-run")
        self.tool("xdg-open")
        self.open()
        # The file is there before the line is in it.
        wait_for(lambda: self.note.exists() and self.note.read_text(), what="it to be opened")
        self.assertEqual(self.note.read_text(), f"xdg-open reminders://{self.person.id_of('a')}\n")

    def test_a_program_that_is_missing_is_told(self):
        self.settings('open-command = ["no-such-program"]')
        self.open()
        wait_for(lambda: "'open-command' in the settings names could not be run" in self.log(), what="the sentence")


class Hostile(Daemon):
    """Texts, a notification service and a bus that mean no good."""

    titles = {
        "markup": "<b>&amp; \"it's\" <img src=x>",
        "control": "a\x1b[31mred\x07\x9b0m\x7f\x01b",
        # A line of an imported file has 1 MiB at the most.
        "long": "long " * 209_000,
        "accents": "e" + "\u0301" * 523_000,
        "turned": "\u202e\u2066\u2067" * 100 + "turned",
    }

    def texts(self, due):
        for uid, title in self.titles.items():
            yield todo(uid, due, f"DESCRIPTION:{title}\\nand a line", title=title)

    def test_texts_reach_the_bus_bounded_and_escaped_where_markup_is_read(self):
        # However long it takes to take them in, they are not due before somebody knows of them.
        self.end(self.start())
        self.keep(*self.texts(int(time.time()) + 2))
        self.start()
        self.check_texts(self.wait_for_bubbles(len(self.titles), 25), reads_markup=True)
        # Another service is shown what is open, too.
        self.desktop.stop_service()
        self.desktop.start_service("actions body")
        self.check_texts(self.wait_for_bubbles(len(self.titles), 25), reads_markup=False)

    def check_texts(self, bubbles, reads_markup):
        self.assertEqual(len(bubbles), len(self.titles))
        for bubble in bubbles:
            self.assertLessEqual(len(bubble.title.encode()), 1024)
            self.assertLessEqual(len(bubble.body.encode()), 6 * 8192 if reads_markup else 8192)
            self.assertTrue(bubble.title)
            for text in (bubble.title, bubble.body):
                self.assertNotRegex(text, "[\x00-\x09\x0b-\x1f\x7f-\x9f]")
                # Each direction that is begun is ended on its line.
                for line in text.split("\n"):
                    self.assertEqual(len(re.findall("[\u202a\u202b\u202d\u202e\u2066-\u2068]", line)),
                                     len(re.findall("[\u202c\u2069]", line)))
            self.assertNotIn("\n", bubble.title)
            if reads_markup:
                self.assertNotRegex(bubble.body, "[<>\"']|&(?!(amp|lt|gt|quot|apos);)")
        shown = {bubble.title: bubble.body for bubble in bubbles}
        title = self.titles["markup"]
        escaped = "&lt;b&gt;&amp;amp; &quot;it&apos;s&quot; &lt;img src=x&gt;" if reads_markup else title
        self.assertEqual(shown[title], f"{escaped}\nand a line")
        self.assertTrue(any(text.startswith("long long ") and text.endswith("…") for text in shown), list(shown))

    def serve_badly(self):
        self.desktop.stop_service()
        self.desktop.start_bad_service()

    def asked(self):
        """When it was asked for each title."""
        found = {}
        for bubble in self.desktop.bubbles():
            found.setdefault(bubble.title, []).append(bubble.seconds)
        return found

    def test_whatever_a_service_answers_or_does_not_every_alarm_is_shown_and_can_be_answered(self):
        self.serve_badly()
        daemon = self.start()
        due = int(time.time()) + 4
        ways = ["0", "text", "error", "silent", "late", "flood"]
        self.keep(*(todo(uid, due) for uid in [*ways, "good"]))
        # Each is asked for again after it has failed: 10 seconds, and one more.
        wait_for(lambda: [title for title in ways if len(self.asked().get(title, ())) < 2] == ["flood"], 60,
                 f"all of them; log: {self.log()}")
        seconds = self.asked()
        for title in [*ways, "good"]:
            self.assertIn(seconds[title][0] - due, (0, 1), f"{title}: whoever is slow holds up nobody")
        # What comes when nobody waits for it any more is taken away.
        wait_for(lambda: len(self.desktop.closed()) == 1, 20, "the late one to go")
        self.assertEqual(sum(map(len, seconds.values())), 2 * len(ways))
        before = seconds_of_processor(daemon)
        for number in range(1, 9):
            self.desktop.click(number, "complete")
        wait_for(lambda: {self.person.by_uid(uid)["status"] for uid in [*ways, "good"]} == {"completed"},
                 what="all to be done")
        self.assertLess(seconds_of_processor(daemon) - before, 1)
        for sentence in ("answers what makes no sense", "refuses (org.example.Error.No)", "does not answer"):
            self.assertEqual(self.log().count(f"Failed to schedule notification: the program that shows notifications "
                                              f"{sentence}. It is tried again. Restart it"), 1, self.log())
        self.assertNotIn("\x1b", self.log())
        self.assertEqual(self.end(daemon), 0)

    def test_answers_that_come_backwards_belong_to_their_bubbles_and_so_do_clicks_before_them(self):
        self.serve_badly()
        self.start()
        due = int(time.time()) + 4
        titles = ["backwards 1", "backwards 2", "backwards 3"]
        self.keep(*(todo(f"u{place}", due, title=title) for place, title in enumerate(titles)), todo("other", due))
        wait_for(lambda: all(self.person.by_uid(f"u{place}")["status"] == "completed" for place in range(3)),
                 what="all to be done")
        self.assertEqual(self.person.by_uid("other")["status"], "pending")
        wait_for(lambda: len(self.desktop.closed()) == 3, what="the bubbles to go")
        self.assertEqual(len(self.desktop.bubbles()), 4)

    def test_a_service_that_dies_of_a_bubble_is_shown_it_again(self):
        self.serve_badly()
        self.start()
        self.keep(todo("dies", int(time.time()) + 4))
        self.assertEqual(self.desktop.service.wait(20), 1)
        self.desktop.start_service()
        bubble, = self.wait_for_bubbles(1)
        self.assertEqual(bubble.title, "dies")

    def test_a_bus_that_goes_away_and_another_that_comes(self):
        daemon = self.start()
        due = int(time.time()) + 4
        self.keep(todo("before", due), todo("meanwhile", due + 3))
        self.wait_for_bubbles(1)
        self.desktop.stop_bus()
        self.desktop.stop_service()
        wait_for(lambda: "No bubble can be shown: " in self.log(), what="the sentence")
        time.sleep(max(0, due + 4 - time.time()))
        self.desktop.start()
        self.desktop.start_service()
        self.wait_for_bubbles(2, 30)
        self.assertEqual({bubble.title for bubble in self.desktop.bubbles()}, {"before", "meanwhile"})
        self.desktop.click(1, "complete")
        self.desktop.click(2, "complete")
        wait_for(lambda: self.desktop.closed() and {self.person.by_uid(uid)["status"] for uid in ("before", "meanwhile")}
                 == {"completed"}, what="both to be done")
        self.assertEqual(self.end(daemon), 0)

    def test_a_bus_that_stands_still_for_a_while(self):
        daemon = self.start()
        self.keep(todo("a", int(time.time()) + 3))
        self.desktop.bus.send_signal(signal.SIGSTOP)
        time.sleep(16)
        self.desktop.bus.send_signal(signal.SIGCONT)
        self.wait_for_bubbles(1, 60)
        self.desktop.bus.send_signal(signal.SIGSTOP)
        self.assertEqual(self.end(daemon), 0)
        self.desktop.bus.send_signal(signal.SIGCONT)


class Alone(Daemon):
    def test_a_second_one_is_told_who_rings(self):
        daemon = self.start()
        result = self.person.run("daemon", code=LOCKED)
        self.assert_complaint(result, LOCKED, f"process {daemon.pid}")
        self.assertEqual(self.end(daemon), 0)
        self.end(self.start())

    def test_killed_with_a_bubble_on_the_screen_it_shows_no_other(self):
        daemon = self.start()
        due = int(time.time()) + 4
        self.keep(todo("a", due), todo("b", due))
        self.wait_for_bubbles(2)
        time.sleep(0.5)
        self.end(daemon, signal.SIGKILL)
        self.start()
        time.sleep(2)
        again = self.desktop.bubbles()[2:]
        self.assertTrue(all(one.replaces for one in again), again)
        # What was clicked on the old bubble counts for the new daemon.
        self.desktop.click(1, "complete")
        wait_for(lambda: "completed" in {self.person.by_uid(uid)["status"] for uid in "ab"}, what="it to be done")


class StoreUnderneath(Daemon):
    """What becomes of the store while the daemon has it open."""

    def test_a_store_of_a_newer_version_ends_it_with_a_sentence(self):
        daemon = self.start()
        connection = sqlite3.connect(self.person.store / "reminders.db")
        connection.execute("PRAGMA user_version = 99")
        connection.close()
        self.assertEqual(daemon.wait(15), FAILURE)
        self.running.remove(daemon)
        self.assertRegex(self.log(), r"format 99, .*newer")

    def test_a_folder_that_is_moved_away_and_back_is_watched_again(self):
        self.keep(todo("before", int(time.time()) + 86400))
        self.start()
        elsewhere = self.person.store.with_name("elsewhere")
        self.person.store.rename(elsewhere)
        time.sleep(1.5)
        elsewhere.rename(self.person.store)
        time.sleep(3)
        self.keep(todo("a", int(time.time()) + 4))
        bubble, = self.wait_for_bubbles(1)
        self.assertEqual(bubble.title, "a")

    def test_a_store_that_is_put_in_its_place_ends_it_with_a_sentence(self):
        daemon = self.start()
        elsewhere = self.person.store.with_name("elsewhere")
        self.person.store.rename(elsewhere)
        shutil.copytree(elsewhere, self.person.store)
        self.assertEqual(daemon.wait(15), FAILURE)
        self.running.remove(daemon)
        self.assertIn("put in the place", self.log())
        self.start()


class Processes(Daemon):
    def test_a_parent_that_hears_of_no_children_costs_nothing(self):
        note = self.folder / "told"
        teller = self.write("teller", f"#!/bin/sh\n: > {note}\nexit 3\n")
        teller.chmod(0o755)
        self.desktop.stop_service()
        self.settings(f'notify-command = ["{teller}"]')
        daemon = self.start(preexec_fn=lambda: signal.signal(signal.SIGCHLD, signal.SIG_IGN))
        self.keep(todo("a", int(time.time()) + 3))
        wait_for(note.exists, 30, "the program to be told")
        wait_for(lambda: "ended with 3" in self.log(), what="its end")
        before = seconds_of_processor(daemon)
        time.sleep(2)
        self.assertLess(seconds_of_processor(daemon) - before, 0.2)

    def test_a_signal_that_was_passed_over_stays_so_and_the_other_ends_it(self):
        daemon = self.start(preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_IGN))
        daemon.send_signal(signal.SIGINT)
        time.sleep(0.5)
        self.assertIsNone(daemon.poll())
        self.assertEqual(self.end(daemon), 0)
        self.assertEqual(self.end(self.start(preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL)),
                                  signal.SIGINT), 0)


class Killed(Daemon):
    def test_around_firing_nothing_is_lost_and_little_is_shown_twice(self):
        chance = random.Random(SEED)
        begin = int(time.time()) + 5
        self.keep(*(todo(f"u{number}", begin + number) for number in range(KILLS)))
        kills = 0
        while time.time() < begin + KILLS:
            daemon = self.start()
            time.sleep(chance.uniform(0, 1.5))
            self.end(daemon, signal.SIGKILL)
            kills += 1
        self.start()
        time.sleep(2)
        shown = [bubble.title for bubble in self.desktop.bubbles() if not bubble.replaces]
        own = [title for title in shown if title.startswith("u")]
        # On a machine that stands still for ten seconds some are one summary.
        missing = {f"u{number}" for number in range(KILLS)}.difference(own)
        in_summary = self.summarized(bubble.title for bubble in self.desktop.bubbles())
        self.assertLessEqual(len(missing), in_summary, f"{missing} of {shown}, seed {SEED}")
        # Killed between the showing of a bubble and the hearing of its number, it is shown again.
        self.assertLessEqual(len(own) - len(set(own)), kills / 4, f"seed {SEED}")
        numbers = [bubble.replaces for bubble in self.desktop.bubbles() if bubble.replaces]
        self.assertLessEqual(set(numbers), set(range(1, len(shown) + 1)))
        print(f"      {kills} kills; {len(set(own))} shown by themselves, {len(own) - len(set(own))} of them again, "
              f"{len(missing)} in a summary")
        # Nobody has seen to any of them: the service that comes next is shown them all.
        self.desktop.stop_service()
        self.desktop.start_service()
        wait_for(lambda: self.shown_count() == KILLS, 20, f"{KILLS}, not {self.shown_count()}, seed {SEED}")

    def shown_count(self):
        """How many reminders are on the screen of a service that has just begun."""
        titles = [bubble.title for bubble in self.desktop.bubbles()]
        return self.summarized(titles) + sum(title.startswith("u") for title in titles)

    def summarized(self, titles):
        """How many the largest summary stands for."""
        counts = [re.fullmatch(r"(?:You missed )?(\d+) reminders?(?: due)?", title) for title in titles]
        return max((int(count[1]) for count in counts if count), default=0)

    def test_around_a_click_what_was_clicked_is_done_once(self):
        chance = random.Random(SEED)
        # More at one moment are one summary.
        count = min(KILLS, 9)
        due = int(time.time()) + 6
        start = due - 3 * 86400
        self.keep(*([f"UID:u{number}", f"SUMMARY:u{number}", f"DTSTART:{utc(start)}", f"DUE:{utc(start)}",
                     "RRULE:FREQ=DAILY"] for number in range(count)))
        daemon = self.start()
        self.wait_for_bubbles(count)
        time.sleep(1)
        numbers = {bubble.title: place + 1 for place, bubble in enumerate(self.desktop.bubbles())}
        for title, number in numbers.items():
            self.desktop.click(number, "complete")
            time.sleep(chance.uniform(0, 0.15))
            self.end(daemon, signal.SIGKILL)
            daemon = self.start()
            # A click that nobody heard any more is clicked again; one that was heard took the bubble away.
            time.sleep(0.7)
            if number not in self.desktop.closed():
                self.desktop.click(number, "complete")
                wait_for(lambda: number in self.desktop.closed(), what="the bubble to go")
        copies = {}
        for element in self.person.json("list", "--all"):
            if element["status"] == "completed":
                copies[element["title"]] = copies.get(element["title"], 0) + 1
        self.assertEqual(copies, dict.fromkeys(numbers, 1), f"seed {SEED}")


class NoService(Daemon):
    with_service = False

    def test_a_service_that_comes_late_shows_what_is_due(self):
        self.start()
        due = int(time.time()) + 3
        self.keep(todo("a", due))
        time.sleep(5)
        self.desktop.start_service()
        bubble, = self.wait_for_bubbles(1)
        self.assertEqual(bubble.title, "a")

    def test_without_one_the_persons_program_is_told(self):
        note = self.folder / "told"
        teller = self.write("teller", f'#!/bin/sh\necho "$1" >> {note}\ncat >> {note}\n')
        teller.chmod(0o755)
        self.settings(f'notify-command = ["{teller}", "an alarm"]')
        self.start()
        self.keep(todo("a", int(time.time()) + 3, title="Ünïcode \\\"\\; $(touch x)"))
        wait_for(note.exists, 30, "the program to be told")
        time.sleep(0.5)
        first, message = note.read_text().splitlines()
        self.assertEqual(first, "an alarm")
        self.assertEqual(json.loads(message), {
            "reminder": int(self.person.id_of("a")), "title": 'Ünïcode "; $(touch x)',
            "body": "Time for your reminder!", "priority": "undefined"})


class Looked(Daemon):
    """What `doctor` says of the program that shows notifications."""

    with_service = False

    def look(self, code=0, seconds=20):
        """The level and the sentence, in the time that a person waits."""
        begun = time.monotonic()
        rows = self.person.json("doctor", code=code)
        self.assertLess(time.monotonic() - begun, seconds)
        row, = (row for row in rows if row["topic"] == "notifications")
        self.assertRegex(row["sentence"], r"\.$")
        return row["level"], row["sentence"]

    def test_a_good_one_is_named_with_what_it_can(self):
        self.desktop.start_service("actions body sound")
        self.assertEqual(self.look(), ("ok", "mock-notify 1.0 shows alarms (actions yes, body yes, markup no, sound yes)."))
        self.assertEqual(self.desktop.bubbles(), [])

    def test_without_buttons_it_is_said(self):
        self.desktop.start_service("body")
        self.start()
        level, sentence = self.look()
        self.assertEqual(level, "warning")
        self.assertIn("(actions no, body yes, markup no, sound no), without buttons", sentence)

    def test_none_is_a_problem_when_alarms_are_on(self):
        self.assertEqual(self.look()[0], "ok", "nobody needs one who has no alarms")
        daemon = self.start()
        level, sentence = self.look(FAILURE)
        self.assertEqual(level, "problem")
        # A machine may have one installed that does not start without a screen.
        self.assertRegex(sentence, r"^Alarms cannot be shown here\. (No program on this desktop shows notifications\. Install and"
                                   r"|The program that shows notifications could not be started)")
        self.end(daemon)
        self.assertEqual(self.look()[0], "ok")

    def test_one_that_refuses_is_told_with_its_error(self):
        self.desktop.start_useless_service("refuses")
        self.start()
        level, sentence = self.look(FAILURE)
        self.assertEqual(level, "problem")
        self.assertIn("refuses (org.example.Error.NotToday)", sentence)

    def test_one_that_hangs_is_not_waited_for(self):
        self.desktop.start_service()
        self.start()
        self.desktop.service.send_signal(signal.SIGSTOP)
        try:
            level, sentence = self.look(FAILURE, seconds=15)
        finally:
            self.desktop.service.send_signal(signal.SIGCONT)
        self.assertEqual(level, "problem")
        self.assertIn("does not answer. Restart it", sentence)

    def test_a_bus_that_is_silent_or_gone_or_not_named(self):
        self.start()
        self.desktop.bus.send_signal(signal.SIGSTOP)
        try:
            level, sentence = self.look(FAILURE, seconds=15)
        finally:
            self.desktop.bus.send_signal(signal.SIGCONT)
        self.assertEqual((level, "the session bus does not answer" in sentence.lower()), ("problem", True), sentence)
        self.desktop.stop()
        self.assertIn("Nobody answers at the address of the session bus", self.look(FAILURE)[1])
        del self.person.environment["DBUS_SESSION_BUS_ADDRESS"]
        level, sentence = self.look()
        self.assertEqual((level, "outside of a session" in sentence), ("warning", True), sentence)

    def test_who_speaks_to_no_bus_does_not_load_the_library_for_it(self):
        self.desktop.start_service()
        self.person.run("add", "One")
        for words, loads in ((("list",), False), (("status",), False), (("service", "status"), False), (("doctor",), True)):
            loaded = self.person.run(*words, code=None, environment={"LD_DEBUG": "files"}).err
            self.assertIn("libc.so", loaded)
            self.assertEqual("libsystemd" in loaded, loads, words)


class Unshown(Daemon):
    """What could not be shown can be seen afterwards, and is shown when it can be."""

    with_service = False

    def unshown(self):
        return self.person.json("status")["unshown"]

    def doctor(self):
        """What `doctor` says of it; `None` when nothing."""
        rows = self.person.json("doctor", code=None)
        found = [(row["level"], row["sentence"]) for row in rows if row["sentence"].startswith("Failed to schedule")]
        return found[0] if found else None

    def test_a_service_that_dies_in_the_middle_of_a_call(self):
        self.desktop.start_useless_service("dies")
        self.start()
        self.assertIsNone(self.unshown())
        self.keep(todo("a", int(time.time()) + 3, title="A secret"))
        wait_for(self.unshown, 20, f"the trouble; log: {self.log()}")
        unshown = self.unshown()
        self.assertEqual(unshown["count"], 1)
        self.assertRegex(unshown["error"], r"^Failed to schedule notification: .*program")
        self.assertRegex(self.person.run("status").out, r"not shown +1 since .*Failed to schedule notification: ")
        level, sentence = self.doctor()
        self.assertEqual(level, "warning")
        self.assertIn("1 reminder waits to be shown since ", sentence)
        self.assertIn("Failed to schedule notification: ", self.log())
        self.assertNotIn("secret", self.log() + sentence + unshown["error"])
        # Another one comes; what waits is shown at once, and it is over.
        self.desktop.stop_service()
        self.desktop.start_service()
        bubble, = self.wait_for_bubbles(1)
        self.assertEqual(bubble.title, "A secret")
        wait_for(lambda: self.unshown() is None, what="it to be over")
        level, sentence = self.doctor()
        self.assertEqual(level, "ok")
        self.assertIn("nothing waits any more", sentence)
        time.sleep(1.5)
        self.assertEqual(len(self.desktop.bubbles()), 1)

    def test_a_service_that_refuses_is_asked_again_and_ever_later(self):
        self.desktop.start_useless_service("refuses")
        daemon = self.start()
        self.keep(todo("a", int(time.time()) + 3))
        wait_for(self.unshown, 20, f"the trouble; log: {self.log()}")
        self.assertIn("refuses (org.example.Error.NotToday)", self.unshown()["error"])
        time.sleep(8)
        times = self.desktop.refused("Notify")
        # At once, after one second more, two more, four more.
        self.assertIn(len(times), (3, 4), times)
        self.assertEqual(self.log().count("Failed to schedule notification"), 1, self.log())
        # It is there for who looks after the daemon has ended, too.
        self.end(daemon)
        self.assertEqual(self.unshown()["count"], 1)
        # Done, it has not to be shown any more.
        self.start()
        self.person.run("done", self.person.id_of("a"))
        wait_for(lambda: self.unshown() is None, what="it to be over")

    def test_where_the_persons_program_is_told_nothing_has_failed(self):
        note = self.folder / "told"
        teller = self.write("teller", f"#!/bin/sh\ncat >> {note}\n")
        teller.chmod(0o755)
        self.settings(f'notify-command = ["{teller}"]')
        self.start()
        self.keep(todo("a", int(time.time()) + 3))
        wait_for(note.exists, 30, "the program to be told")
        self.assertIsNone(self.unshown())
        self.assertNotIn("Failed to schedule", self.log())


class Settings(Daemon):
    """What a person chooses otherwise while the daemon runs."""

    anew = "The settings are read anew"

    def setUp(self):
        super().setUp()
        self.person.environment["TZ"] = "UTC"
        now = int(time.time())
        self.quiet = "quiet-hours = " + "-".join(
            time.strftime("%H:%M", time.gmtime(now + hours * 3600)) for hours in (-1, 2))

    def wait_for_news(self, count, words=anew):
        wait_for(lambda: self.log().count(words) >= count, 15, f"{words!r} {count} times; log: {self.log()}")
        self.assertEqual(self.log().count(words), count, self.log())

    def test_a_file_that_appears_holds_back_and_one_that_goes_does_not(self):
        self.start()
        self.assertFalse((self.person.home / ".config").exists())
        path = self.settings(self.quiet)
        self.wait_for_news(1)
        self.keep(todo("a", int(time.time()) + 3))
        time.sleep(5)
        self.assertEqual(self.desktop.bubbles(), [])
        path.unlink()
        self.wait_for_bubbles(1)
        self.wait_for_news(2)
        # The folder as well, and both once more.
        path.parent.rmdir()
        time.sleep(1)
        self.settings(self.quiet)
        self.wait_for_news(3)

    def test_a_file_that_cannot_be_used_is_told_once_and_what_was_before_holds(self):
        path = self.settings(self.quiet)
        self.start()
        due = int(time.time()) + 5
        self.keep(todo("a", due))
        self.settings("# mine", "quiet-hours = at night")
        self.wait_for_news(1, f"{path}:2: 'quiet-hours'")
        self.settings("# mine", "quiet-hours = at night")
        time.sleep(max(due + 2 - time.time(), 2))
        self.assertEqual(self.desktop.bubbles(), [])
        self.wait_for_news(1, f"{path}:2: 'quiet-hours'")
        self.assertIn("the settings from before hold", self.log())
        self.settings("# mine")
        self.wait_for_bubbles(1)
        self.wait_for_news(1)

    def test_what_editors_do_to_a_file_counts_once_it_is_done(self):
        path = self.settings("snooze = 15m")
        self.start()
        # What rings is the same.
        self.settings("snooze = 20m", "due-time = 08:00")
        time.sleep(1.5)
        self.assertNotIn(self.anew, self.log())
        new = path.with_name("config.new")
        new.write_text("sync-interval = 20m\n")
        new.rename(path)
        self.wait_for_news(1)
        # In steps, of which the first cannot be used.
        with path.open("w") as file:
            file.write("sync-inter")
            file.flush()
            time.sleep(0.2)
            file.write("val = 30m\n")
        self.wait_for_news(2)
        # The old one is put aside first.
        path.rename(path.with_name("config~"))
        time.sleep(1)
        path.write_text("sync-interval = 40m\n")
        self.wait_for_news(3)
        path.write_text("")
        time.sleep(1)
        path.write_text("sync-interval = 50m\n")
        self.wait_for_news(4)
        # Nobody may read it, and then somebody may.
        path.chmod(0o200)
        if os.geteuid():
            self.wait_for_news(1, "this user may not open it")
        path.chmod(0o600)
        time.sleep(1)
        self.assertNotIn(f"{path}:", self.log())

    def test_links_are_followed(self):
        dots = self.person.home / "dots"
        (dots / "remindav").mkdir(parents=True)
        (dots / "remindav" / "config").write_text("sync-interval = 20m\n")
        folder = self.person.home / ".config"
        folder.mkdir()
        self.start()
        (folder / "remindav").symlink_to("../dots/remindav")
        self.wait_for_news(1)
        (dots / "remindav" / "config").write_text("sync-interval = 30m\n")
        self.wait_for_news(2)
        # Another folder, with a link to a file.
        (dots / "one").write_text("sync-interval = 40m\n")
        (dots / "two").write_text("sync-interval = 50m\n")
        (folder / "remindav").unlink()
        (folder / "remindav").mkdir()
        (folder / "remindav" / "config").symlink_to(dots / "one")
        self.wait_for_news(3)
        (folder / "remindav" / "new").symlink_to(dots / "two")
        (folder / "remindav" / "new").rename(folder / "remindav" / "config")
        self.wait_for_news(4)
        new = dots / "three"
        new.write_text("sync-interval = 1h\n")
        new.rename(dots / "two")
        self.wait_for_news(5)

    def test_another_interval_counts_at_once_and_a_file_that_cannot_be_used_ends_no_sync(self):
        server = self.serve(Radicale())
        self.keep(todo("a", int(time.time()) + 86400))
        self.person.add_account(server.url)
        self.person.publish("Reminders")
        self.person.sync()
        last = lambda: self.person.json("status")["accounts"][0]["lastSync"]
        self.settings("sync-interval = never")
        self.start()
        before = last()
        time.sleep(2)
        self.settings("sync-interval = 1h")
        self.wait_for_news(1)
        self.settings("sync-interval = 1h", "store = ?")
        self.wait_for_news(1, "'store' is a path")
        # The status reads them as well.
        self.person.environment["REMINDAV_CONFIG"] = "/dev/null"
        wait_for(lambda: last() != before, 40, f"a sync; log: {self.log()}")
        self.assertNotIn("A sync has ended", self.log())

    def test_another_store_is_told_of(self):
        self.start()
        self.settings("store = ~/elsewhere")
        self.wait_for_news(1, "The settings name another store now")
        self.settings("sound = no")
        self.wait_for_news(2)
        self.wait_for_news(1, "The settings name another store now")

    def test_a_pipe_is_read_at_the_start_and_never_again(self):
        read, write = os.pipe()
        os.write(write, self.quiet.encode() + b"\n")
        os.close(write)
        self.person.environment["REMINDAV_CONFIG"] = f"/dev/fd/{read}"
        self.start(pass_fds=[read])
        os.close(read)
        del self.person.environment["REMINDAV_CONFIG"]
        self.keep(todo("a", int(time.time()) + 3))
        time.sleep(5)
        self.assertEqual(self.desktop.bubbles(), [])
        self.assertNotIn("settings", self.log())


class Syncing(Daemon):
    def share(self, server, *devices):
        for device in devices:
            device.add_account(server.url)

    def test_changes_travel_both_ways_and_a_bubble_goes_when_it_is_done_elsewhere(self):
        server = self.serve(Radicale())
        desk = self.device("desk")
        self.keep(todo("a", int(time.time()) + 40), todo("b", int(time.time()) + 86400))
        self.share(server, self.person, desk)
        self.person.publish("Reminders")
        self.person.sync()
        desk.sync()
        self.settings("sync-interval = 1m")
        self.start()
        # What is changed here is sent by itself.
        self.person.run("edit", self.person.id_of("b"), "--title", "Changed here")
        wait_for(lambda: desk.sync() and desk.by_uid("b")["title"] == "Changed here", 40, "the change to arrive")
        self.wait_for_bubbles(1, 60)
        desk.run("done", desk.id_of("a"))
        desk.sync()
        wait_for(lambda: self.desktop.closed() == [1], 90, "the bubble to go after the next sync")
        self.assertEqual(self.person.by_uid("a")["status"], "completed")
        self.assertNotIn("Reminders", self.log().replace("Reminders ring", ""))

    def test_a_server_that_is_silent_delays_no_alarm(self):
        server = Radicale()
        server.start()
        try:
            self.person.run("import", "-", stdin=ics(todo("b", int(time.time()) + 86400)))
            self.share(server, self.person)
            self.person.publish("Reminders")
            self.person.sync()
        finally:
            server.stop()
        with socket.create_server(("127.0.0.1", urlsplit(server.url).port)) as silent:
            self.start()
            silent.settimeout(40)
            connection, _ = silent.accept()
            with connection:
                # The sync hangs from now on.
                due = int(time.time()) + 3
                self.keep(todo("a", due))
                bubble, = self.wait_for_bubbles(1)
                self.assertIn(bubble.seconds - due, (0, 1))
                self.desktop.click(1, "complete")
                wait_for(lambda: self.person.by_uid("a")["status"] == "completed", what="it to be done")
                self.assertEqual(self.end(self.running[0]), 0)


if __name__ == "__main__":
    unittest.main()

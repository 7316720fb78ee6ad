"""`remindav daemon` on a separate desktop: alarms, their times, and the answers to their notifications.

REMINDAV_DAEMON_KILLS is the number of kills (15; 200 with REMINDAV_DAEMON_FULL), and REMINDAV_SEED selects their times. A
failure prints the seed.
"""

import os
import random
import re
import shutil
import signal
import socket
import sqlite3
import time
import unittest
from urllib.parse import urlsplit

from daemons import FULL, SEED, Daemon, seconds_of_processor, todo, utc
from harness import FAILURE, LOCKED, USAGE, ics, smoke, wait_for
from servers import Radicale

KILLS = int(os.environ.get("REMINDAV_DAEMON_KILLS") or (200 if FULL else 15))


class FiringAlarms(Daemon):
    @smoke
    def test_an_alarm_fires_at_its_time_with_its_text_and_buttons(self):
        due = int(time.time()) + 4
        self.keep(todo("milk", due, "DESCRIPTION:2 l <b>&", "PRIORITY:1", "CATEGORIES:shop", "LOCATION:Market", title="Milk"),
                  todo("later", due + 3600))
        self.start()
        notification, = self.wait_for_notifications(1)
        self.assertIn(notification.seconds - due, (0, 1))
        self.assertEqual(notification.title, "Milk")
        self.assertRegex(notification.body, r"\ADue \d\d:\d\d · Reminders · #shop · Market\n2 l &lt;b&gt;&amp;\Z")
        self.assertEqual(notification.actions,
                         ["default", "complete", "snooze-300", "snooze-900", "snooze-1800", "snooze-3600"])
        self.assertEqual(notification.hints, {
            "urgency": 2, "category": "REMINDER_CATEGORY", "sound-name": "alarm-clock-elapsed",
            "desktop-entry": "remindav"})
        self.assertEqual(notification.expiry, 0)
        time.sleep(2)
        self.assertEqual(len(self.desktop.notifications()), 1)
        self.assertIn("Notifications are shown by mock-notify", self.log())
        self.assertNotIn("Milk", self.log())

    def test_changes_of_other_processes_count_at_once(self):
        daemon = self.start()
        due = int(time.time()) + 5
        self.keep(todo("a", due), todo("b", due), todo("c", due))
        self.person.run("delete", self.person.id_of("b"), "--yes")
        self.person.run("done", self.person.id_of("c"))
        notification, = self.wait_for_notifications(1)
        self.assertEqual(notification.title, "a")
        self.assertEqual(self.desktop.closed(), [])
        self.person.run("done", self.person.id_of("a"))
        wait_for(lambda: self.desktop.closed() == [1], what="the notification to go")
        self.assertEqual(self.end(daemon), 0)
        self.assertEqual(len(self.desktop.notifications()), 1)

    def test_an_edit_replaces_the_shown_notification(self):
        self.start()
        due = int(time.time()) + 4
        self.keep(todo("a", due))
        self.wait_for_notifications(1)
        self.person.run("edit", self.person.id_of("a"), "--title", "Another title")
        again = self.wait_for_notifications(2)[1]
        self.assertEqual((again.title, again.replaces), ("Another title", 1))
        self.assertTrue(again.hints.get("suppress-sound"))

    def test_a_moved_reminder_fires_at_its_new_time_and_a_deleted_one_does_not(self):
        due = int(time.time()) + 7
        self.keep(todo("moved", due), todo("deleted", due), todo("rung", due - 3))
        self.start()
        new = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(due + 3))
        self.person.run("edit", self.person.id_of("moved"), "--due", new)
        self.person.run("delete", self.person.id_of("deleted"), "--yes")
        self.wait_for_notifications(1)
        # A shown notification is closed too.
        self.person.run("delete", self.person.id_of("rung"), "--yes")
        wait_for(lambda: self.desktop.closed() == [1], what="the notification to go")
        notifications = self.wait_for_notifications(2)
        time.sleep(2)
        self.assertEqual([notification.title for notification in self.desktop.notifications()], ["rung", "moved"])
        self.assertIn(notifications[1].seconds - due - 3, (0, 1))

    @smoke
    def test_a_missed_alarm_is_shown_once_and_marked_as_missed(self):
        due = int(time.time()) + 2
        self.end(self.start())
        self.keep(todo("missed", due - 3600 * 5))
        # It fired while nothing ran: the clock is an hour ahead.
        self.keep(todo("a", due))
        self.end(self.start())
        self.person.environment["TZ"] = "UTC"
        time.sleep(3)
        daemon = self.start()
        notification, = self.wait_for_notifications(1)
        self.assertEqual(notification.title, "a")
        self.end(daemon)
        self.start()
        time.sleep(2)
        self.assertEqual({one.replaces for one in self.desktop.notifications()[1:]} - {1}, set())

    def test_a_hundred_in_half_a_minute_are_on_time_while_thousands_are_imported(self):
        begin = int(time.time()) + 6
        due = {f"u{number}": begin + number * 3 // 10 for number in range(100)}
        self.keep(*(todo(uid, moment) for uid, moment in due.items()))
        self.start()
        others = ics(*(todo(f"other-{number}", begin + 86400 + number) for number in range(5000)))
        self.person.run("import", "-", stdin=others)
        notifications = self.wait_for_notifications(100, 60)
        self.assertEqual({notification.title for notification in notifications}, set(due))
        late = sorted(notification.seconds - due[notification.title] for notification in notifications)
        self.assertGreaterEqual(late[0], 0)
        # At least 99 of a hundred; the service has a resolution of one second.
        self.assertLessEqual(late[-2], 1, late[-10:])

    @smoke
    def test_many_at_once_are_one_summary(self):
        due = int(time.time()) + 5
        self.keep(*(todo(f"u{number}", due, title=f"Number {number:02}") for number in range(40)))
        self.start()
        notification, = self.wait_for_notifications(1)
        self.assertEqual(notification.title, "40 reminders due")
        self.assertIn("and 35 more", notification.body)
        self.assertEqual(notification.actions, ["default", "snooze-3600"])
        self.desktop.click(1, "snooze-3600")
        wait_for(lambda: len([one for one in self.person.json("list") if one["snoozedUntil"]]) == 40, what="the snoozes")
        self.assertEqual(self.desktop.closed(), [1])


class Answers(Daemon):
    def notification(self, *lines):
        self.start()
        due = int(time.time()) + 4
        self.keep(todo("a", due, *lines))
        self.wait_for_notifications(1)
        return due

    @smoke
    def test_complete(self):
        self.notification()
        self.desktop.click(1, "complete")
        wait_for(lambda: self.person.by_uid("a")["status"] == "completed", what="it to be done")
        wait_for(lambda: self.desktop.closed() == [1], what="the notification to go")

    @smoke
    def test_snooze(self):
        self.notification()
        clicked = time.time()
        self.desktop.click(1, "snooze-300")
        wait_for(lambda: "X-MOZ-SNOOZE-TIME" in self.text("a"), what="it to be put off")
        until = re.search(r"X-MOZ-SNOOZE-TIME:(\d+T\d+Z)", self.text("a"))[1]
        self.assertIn(until, [utc(clicked + 300 + extra) for extra in range(-1, 5)])
        self.assertEqual(self.person.by_uid("a")["status"], "pending")

    def test_a_dismissed_notification_acknowledges_and_never_completes(self):
        due = self.notification("BEGIN:VALARM", "ACTION:DISPLAY", "TRIGGER:PT0S", "END:VALARM")
        self.desktop.put_away(1)
        wait_for(lambda: f"X-MOZ-LASTACK:{utc(due)}" in self.text("a"), what="it to be seen to")
        self.assertIn(f"ACKNOWLEDGED:{utc(due)}", self.text("a"))
        self.assertEqual(self.person.by_uid("a")["status"], "pending")

    def test_an_expired_notification_writes_nothing(self):
        self.notification()
        before = self.text("a")
        self.desktop.put_away(1, reason=1)
        time.sleep(1.5)
        self.assertEqual(self.text("a"), before)
        self.assertEqual(len(self.desktop.notifications()), 1)

    def test_open_runs_the_users_program_with_the_address_once(self):
        note = self.folder / "opened"
        opener = self.write("opener", f'#!/bin/sh\necho "$@" >> {note}\n')
        opener.chmod(0o755)
        self.settings(f'open-command = ["{opener}", "--it"]')
        self.notification()
        self.desktop.click(1, "default")
        wait_for(note.exists, what="it to be opened")
        time.sleep(1)
        self.assertEqual(note.read_text(), f"--it {self.person.id_of('a')}\n")
        self.assertIn("X-MOZ-LASTACK", self.text("a"))


class Clearing(Daemon):
    def test_clear_closes_all_notifications_and_future_alarms_fire(self):
        now = int(time.time())
        self.start()
        self.keep(todo("a", now + 4), todo("b", now + 4, "BEGIN:VALARM", "ACTION:DISPLAY", "TRIGGER:PT0S", "END:VALARM"),
                  todo("c", now + 30), *(todo(f"many{number}", now + 6) for number in range(20)))
        # The twenty are one summary.
        self.wait_for_notifications(3)
        time.sleep(0.5)
        self.assertEqual(self.person.json("status")["count"], 22)
        self.assertIn("--yes", self.person.run("alarms", "clear", code=USAGE).err)
        self.assertEqual(self.desktop.closed(), [])
        cleared = self.person.json("alarms", "clear", "--yes")["cleared"]
        self.assertEqual(len(cleared), 22)
        wait_for(lambda: sorted(self.desktop.closed()) == [1, 2, 3], what="the notifications to go")
        self.assertEqual(self.person.json("status")["count"], 0)
        self.assertRegex(self.text("b"), r"ACKNOWLEDGED:\d+T\d+Z")
        self.assertEqual({one["status"] for one in self.person.json("list", "--all")}, {"pending"})
        self.assertEqual(self.wait_for_notifications(4, 40)[3].title, "c")
        # After undo they are unacknowledged again; fired alarms do not fire a second time.
        self.person.run("undo", "--last")
        time.sleep(1.5)
        self.assertEqual(self.person.json("status")["count"], 23)
        self.assertEqual(len(self.desktop.notifications()), 4)


class Badge(Daemon):
    def test_docks_get_the_number_when_it_changes(self):
        self.desktop.listen()
        now = int(time.time())
        self.keep(todo("past", now - 3600), todo("later", now + 3600))
        self.start()

        def numbers():
            found = [values["count"] for _, values in self.desktop.signals()]
            # The first number is sent again if the notification service is found after it.
            return found[1:] if found[:2] == [1, 1] else found

        def expect_counts(*counts):
            try:
                wait_for(lambda: numbers() == list(counts), 20, f"{counts}")
            except AssertionError:
                self.fail(f"{self.desktop.signals()}, not {counts}; {self.log()}")
            application, values = self.desktop.signals()[-1]
            self.assertEqual(application, "application://remindav.desktop")
            self.assertEqual(values, {"count": counts[-1], "count-visible": int(counts[-1] > 0)})
            self.assertEqual(self.person.json("status")["count"], counts[-1])

        expect_counts(1)
        self.keep(todo("soon", int(time.time()) + 4))
        expect_counts(1, 2)
        # A change that keeps the number sends no signal.
        self.person.run("edit", self.person.id_of("past"), "--title", "Another")
        self.person.run("add", "Some day", "--due", "none")
        time.sleep(1.5)
        expect_counts(1, 2)
        # The notification expires; its alarm stays unacknowledged.
        self.wait_for_notifications(1)
        self.desktop.put_away(1, reason=1)
        time.sleep(1)
        expect_counts(1, 2)
        self.person.run("done", self.person.id_of("soon"))
        expect_counts(1, 2, 1)
        self.person.run("alarms", "clear", "--yes")
        expect_counts(1, 2, 1, 0)


class Opening(Daemon):
    """The program that a click opens, with and without systemd."""

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
        self.wait_for_notifications(1)
        self.desktop.click(1, "default")

    def opened(self):
        """Opens a reminder. Returns the executed command."""
        self.open()
        wait_for(self.note.exists, what="it to be opened")
        time.sleep(0.5)
        return self.note.read_text()

    def test_a_service_has_systemd_open_it_outside_of_its_sandbox(self):
        self.tool("systemd-run")
        self.tool("xdg-open")
        self.person.environment["INVOCATION_ID"] = "0" * 32
        self.assertEqual(self.opened(),
                         f"systemd-run --user --collect --quiet --wait -- xdg-open reminders://{self.person.id_of('a')}\n")

    def test_systemd_gets_dollar_signs_in_a_form_that_it_does_not_expand(self):
        self.tool("systemd-run")
        self.settings('open-command = ["see", "--as", "$HOME and ${PATH}", ""]')
        self.person.environment["INVOCATION_ID"] = "0" * 32
        self.assertEqual(self.opened(),
                         "systemd-run --user --collect --quiet --wait -- "
                         f"see --as $$HOME and $${{PATH}}  {self.person.id_of('a')}\n")

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
        # The file exists before its line is written.
        wait_for(lambda: self.note.exists() and self.note.read_text(), what="it to be opened")
        self.assertEqual(self.note.read_text(), f"xdg-open reminders://{self.person.id_of('a')}\n")

    def test_a_missing_program_is_reported(self):
        self.settings('open-command = ["no-such-program"]')
        self.open()
        wait_for(lambda: "the setting 'open-command' could not be run" in self.log(), what="the sentence")


class OneDaemon(Daemon):
    @smoke
    def test_a_second_daemon_names_the_running_one(self):
        daemon = self.start()
        result = self.person.run("daemon", code=LOCKED)
        self.assert_complaint(result, LOCKED, f"process {daemon.pid}")
        self.assertEqual(self.end(daemon), 0)
        self.end(self.start())

    def test_after_a_kill_a_shown_notification_is_not_shown_twice(self):
        daemon = self.start()
        due = int(time.time()) + 4
        self.keep(todo("a", due), todo("b", due))
        self.wait_for_notifications(2)
        time.sleep(0.5)
        self.end(daemon, signal.SIGKILL)
        self.start()
        time.sleep(2)
        again = self.desktop.notifications()[2:]
        self.assertTrue(all(one.replaces for one in again), again)
        # A click on the old notification counts for the new daemon.
        self.desktop.click(1, "complete")
        wait_for(lambda: "completed" in {self.person.by_uid(uid)["status"] for uid in "ab"}, what="it to be done")


class ReplacedStores(Daemon):
    """Replacements of the store while the daemon has it open."""

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
        notification, = self.wait_for_notifications(1)
        self.assertEqual(notification.title, "a")

    def test_a_store_that_replaces_the_first_ends_it_with_a_sentence(self):
        daemon = self.start()
        elsewhere = self.person.store.with_name("elsewhere")
        self.person.store.rename(elsewhere)
        shutil.copytree(elsewhere, self.person.store)
        self.assertEqual(daemon.wait(15), FAILURE)
        self.running.remove(daemon)
        self.assertIn("was replaced by another one", self.log())
        self.start()


class Processes(Daemon):
    def test_a_parent_that_ignores_sigchld_costs_nothing(self):
        note = self.folder / "delivered"
        teller = self.write("teller", f"#!/bin/sh\n: > {note}\nexit 3\n")
        teller.chmod(0o755)
        self.desktop.stop_service()
        self.settings(f'notify-command = ["{teller}"]')
        daemon = self.start(preexec_fn=lambda: signal.signal(signal.SIGCHLD, signal.SIG_IGN))
        self.keep(todo("a", int(time.time()) + 3))
        wait_for(note.exists, 30, "the command to run")
        wait_for(lambda: "ended with status 3" in self.log(), what="its end")
        before = seconds_of_processor(daemon)
        time.sleep(2)
        self.assertLess(seconds_of_processor(daemon) - before, 0.2)

    def test_an_ignored_signal_stays_ignored_and_another_one_ends_it(self):
        daemon = self.start(preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_IGN))
        daemon.send_signal(signal.SIGINT)
        time.sleep(0.5)
        self.assertIsNone(daemon.poll())
        self.assertEqual(self.end(daemon), 0)
        self.assertEqual(self.end(self.start(preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL)),
                                  signal.SIGINT), 0)


class Killed(Daemon):
    def test_kills_around_an_alarm_lose_nothing_and_repeat_little(self):
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
        shown = [notification.title for notification in self.desktop.notifications() if not notification.replaces]
        own = [title for title in shown if title.startswith("u")]
        # On a machine that hangs for ten seconds some alarms are one summary.
        missing = {f"u{number}" for number in range(KILLS)}.difference(own)
        in_summary = self.summarized(notification.title for notification in self.desktop.notifications())
        self.assertLessEqual(len(missing), in_summary, f"{missing} of {shown}, seed {SEED}")
        # After a kill between showing a notification and receiving its number, the notification is shown again.
        self.assertLessEqual(len(own) - len(set(own)), kills / 4, f"seed {SEED}")
        numbers = [notification.replaces for notification in self.desktop.notifications() if notification.replaces]
        self.assertLessEqual(set(numbers), set(range(1, len(shown) + 1)))
        print(f"      {kills} kills; {len(set(own))} shown by themselves, {len(own) - len(set(own))} of them again, "
              f"{len(missing)} in a summary")
        # All alarms are unacknowledged: the next service gets all notifications.
        self.desktop.stop_service()
        self.desktop.start_service()
        wait_for(lambda: self.shown_count() == KILLS, 20, f"{KILLS}, not {self.shown_count()}, seed {SEED}")

    def shown_count(self):
        """The number of reminders in the notifications of a new service."""
        titles = [notification.title for notification in self.desktop.notifications()]
        return self.summarized(titles) + sum(title.startswith("u") for title in titles)

    def summarized(self, titles):
        """The number of reminders in the largest summary."""
        counts = [re.fullmatch(r"(?:You missed )?(\d+) reminders?(?: due)?", title) for title in titles]
        return max((int(count[1]) for count in counts if count), default=0)

    def test_kills_around_a_click_execute_the_action_once(self):
        chance = random.Random(SEED)
        # More alarms at one moment are one summary.
        count = min(KILLS, 9)
        due = int(time.time()) + 6
        start = due - 3 * 86400
        self.keep(*([f"UID:u{number}", f"SUMMARY:u{number}", f"DTSTART:{utc(start)}", f"DUE:{utc(start)}",
                     "RRULE:FREQ=DAILY"] for number in range(count)))
        daemon = self.start()
        self.wait_for_notifications(count)
        time.sleep(1)
        numbers = {notification.title: place + 1 for place, notification in enumerate(self.desktop.notifications())}
        for title, number in numbers.items():
            self.desktop.click(number, "complete")
            time.sleep(chance.uniform(0, 0.15))
            self.end(daemon, signal.SIGKILL)
            daemon = self.start()
            # A click that no daemon received is repeated; a received click closed the notification.
            time.sleep(0.7)
            if number not in self.desktop.closed():
                self.desktop.click(number, "complete")
                wait_for(lambda: number in self.desktop.closed(), what="the notification to go")
        copies = {}
        for element in self.person.json("list", "--all"):
            if element["status"] == "completed":
                copies[element["title"]] = copies.get(element["title"], 0) + 1
        self.assertEqual(copies, dict.fromkeys(numbers, 1), f"seed {SEED}")


class Syncing(Daemon):
    def share(self, server, *devices):
        for device in devices:
            device.add_account(server.url)

    def test_changes_are_synced_both_ways_and_a_reminder_completed_elsewhere_loses_its_notification(self):
        server = self.borrow(Radicale)
        desk = self.device("desk")
        self.keep(todo("a", int(time.time()) + 40), todo("b", int(time.time()) + 86400))
        self.share(server, self.person, desk)
        self.person.publish("Reminders")
        self.person.sync()
        desk.sync()
        self.settings("sync-interval = 1m")
        self.start()
        # A local change is sent automatically.
        self.person.run("edit", self.person.id_of("b"), "--title", "Changed here")
        wait_for(lambda: desk.sync() and desk.by_uid("b")["title"] == "Changed here", 40, "the change to arrive")
        self.wait_for_notifications(1, 60)
        desk.run("done", desk.id_of("a"))
        desk.sync()
        wait_for(lambda: self.desktop.closed() == [1], 90, "the notification to go after the next sync")
        self.assertEqual(self.person.by_uid("a")["status"], "completed")
        self.assertNotIn("Reminders", self.log())

    @smoke
    def test_a_silent_server_delays_no_alarm(self):
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
                notification, = self.wait_for_notifications(1)
                self.assertIn(notification.seconds - due, (0, 1))
                self.desktop.click(1, "complete")
                wait_for(lambda: self.person.by_uid("a")["status"] == "completed", what="it to be done")
                self.assertEqual(self.end(self.running[0]), 0)


if __name__ == "__main__":
    unittest.main()

"""`remindav daemon` on desktops that show nothing, do not answer, lie or go away, and under hostile texts."""

import json
import re
import signal
import time

from daemons import Daemon, seconds_of_processor, todo
from harness import FAILURE, wait_for


class Hostile(Daemon):
    """Hostile texts, a hostile notification service and a hostile bus."""

    titles = {
        "markup": "<b>&amp; \"it's\" <img src=x>",
        "control": "a\x1b[31mred\x07\x9b0m\x7f\x01b",
        # A line of an imported file may have at most 1 MiB.
        "long": "long " * 209_000,
        "accents": "e" + "\u0301" * 523_000,
        "turned": "\u202e\u2066\u2067" * 100 + "turned",
    }

    def texts(self, due):
        for uid, title in self.titles.items():
            yield todo(uid, due, f"DESCRIPTION:{title}\\nand a line", title=title)

    def test_texts_on_the_bus_are_limited_and_escaped_for_services_with_markup(self):
        # The alarms fire after the import, however long it takes.
        self.end(self.start())
        self.keep(*self.texts(int(time.time()) + 2))
        self.start()
        self.check_texts(self.wait_for_notifications(len(self.titles), 25), reads_markup=True)
        # Another service gets the open notifications, too.
        self.desktop.stop_service()
        self.desktop.start_service("actions body")
        self.check_texts(self.wait_for_notifications(len(self.titles), 25), reads_markup=False)

    def check_texts(self, notifications, reads_markup):
        self.assertEqual(len(notifications), len(self.titles))
        for notification in notifications:
            self.assertLessEqual(len(notification.title.encode()), 1024)
            self.assertLessEqual(len(notification.body.encode()), 6 * 8192 if reads_markup else 8192)
            self.assertTrue(notification.title)
            for text in (notification.title, notification.body):
                self.assertNotRegex(text, "[\x00-\x09\x0b-\x1f\x7f-\x9f]")
                # Each text direction ends on the line on which it begins.
                for line in text.split("\n"):
                    self.assertEqual(len(re.findall("[\u202a\u202b\u202d\u202e\u2066-\u2068]", line)),
                                     len(re.findall("[\u202c\u2069]", line)))
            self.assertNotIn("\n", notification.title)
            if reads_markup:
                self.assertNotRegex(notification.body, "[<>\"']|&(?!(amp|lt|gt|quot|apos);)")
        shown = {notification.title: notification.body for notification in notifications}
        title = self.titles["markup"]
        escaped = "&lt;b&gt;&amp;amp; &quot;it&apos;s&quot; &lt;img src=x&gt;" if reads_markup else title
        self.assertRegex(shown[title], rf"Due \d\d:\d\d · Reminders\n{re.escape(escaped)}\nand a line\Z")
        self.assertTrue(any(text.startswith("long long ") and text.endswith("…") for text in shown), list(shown))

    def serve_badly(self):
        self.desktop.stop_service()
        self.desktop.start_bad_service()

    def asked(self):
        """The times of the calls for each title."""
        found = {}
        for notification in self.desktop.notifications():
            found.setdefault(notification.title, []).append(notification.seconds)
        return found

    def test_every_alarm_is_shown_and_can_be_answered_with_any_answers_of_the_service(self):
        self.serve_badly()
        daemon = self.start()
        due = int(time.time()) + 4
        ways = ["0", "text", "error", "silent", "late", "flood"]
        self.keep(*(todo(uid, due) for uid in [*ways, "good"]))
        # Each failed call is repeated: after 10 seconds, and one more.
        wait_for(lambda: [title for title in ways if len(self.asked().get(title, ())) < 2] == ["flood"], 60,
                 f"all of them; log: {self.log()}")
        seconds = self.asked()
        for title in [*ways, "good"]:
            self.assertIn(seconds[title][0] - due, (0, 1), f"{title}: a slow answer delays no other alarm")
        # A notification that appears after the time limit is closed.
        wait_for(lambda: len(self.desktop.closed()) == 1, 20, "the late one to go")
        self.assertEqual(sum(map(len, seconds.values())), 2 * len(ways))
        before = seconds_of_processor(daemon)
        for number in range(1, 9):
            self.desktop.click(number, "complete")
        wait_for(lambda: {self.person.by_uid(uid)["status"] for uid in [*ways, "good"]} == {"completed"},
                 what="all to be done")
        self.assertLess(seconds_of_processor(daemon) - before, 1)
        for sentence in ("sends invalid answers", "refuses the request (org.example.Error.No)", "does not answer"):
            self.assertEqual(self.log().count(f"Failed to schedule notification: the program that shows notifications "
                                              f"{sentence}. The daemon retries. Restart it"), 1, self.log())
        self.assertNotIn("\x1b", self.log())
        self.assertEqual(self.end(daemon), 0)

    def test_answers_in_reverse_order_belong_to_their_notifications_and_so_do_earlier_clicks(self):
        self.serve_badly()
        self.start()
        due = int(time.time()) + 4
        titles = ["backwards 1", "backwards 2", "backwards 3"]
        self.keep(*(todo(f"u{place}", due, title=title) for place, title in enumerate(titles)), todo("other", due))
        wait_for(lambda: all(self.person.by_uid(f"u{place}")["status"] == "completed" for place in range(3)),
                 what="all to be done")
        self.assertEqual(self.person.by_uid("other")["status"], "pending")
        wait_for(lambda: len(self.desktop.closed()) == 3, what="the notifications to go")
        self.assertEqual(len(self.desktop.notifications()), 4)

    def test_a_service_that_crashes_on_a_notification_gets_it_again(self):
        self.serve_badly()
        self.start()
        self.keep(todo("dies", int(time.time()) + 4))
        self.assertEqual(self.desktop.service.wait(20), 1)
        self.desktop.start_service()
        notification, = self.wait_for_notifications(1)
        self.assertEqual(notification.title, "dies")

    def test_a_bus_that_ends_and_its_successor(self):
        daemon = self.start()
        due = int(time.time()) + 4
        self.keep(todo("before", due), todo("meanwhile", due + 3))
        self.wait_for_notifications(1)
        self.desktop.stop_bus()
        self.desktop.stop_service()
        wait_for(lambda: "No notification can be shown: " in self.log(), what="the sentence")
        time.sleep(max(0, due + 4 - time.time()))
        self.desktop.start()
        self.desktop.start_service()
        self.wait_for_notifications(2, 30)
        self.assertEqual({notification.title for notification in self.desktop.notifications()}, {"before", "meanwhile"})
        self.desktop.click(1, "complete")
        self.desktop.click(2, "complete")
        wait_for(lambda: self.desktop.closed() and {self.person.by_uid(uid)["status"] for uid in ("before", "meanwhile")}
                 == {"completed"}, what="both to be done")
        self.assertEqual(self.end(daemon), 0)

    def test_a_bus_that_hangs_for_a_while(self):
        daemon = self.start()
        self.keep(todo("a", int(time.time()) + 3))
        self.desktop.bus.send_signal(signal.SIGSTOP)
        time.sleep(16)
        self.desktop.bus.send_signal(signal.SIGCONT)
        self.wait_for_notifications(1, 60)
        self.desktop.bus.send_signal(signal.SIGSTOP)
        self.assertEqual(self.end(daemon), 0)
        self.desktop.bus.send_signal(signal.SIGCONT)


class NoService(Daemon):
    with_service = False

    def test_a_service_that_starts_late_shows_the_fired_alarms(self):
        self.start()
        due = int(time.time()) + 3
        self.keep(todo("a", due))
        time.sleep(5)
        self.desktop.start_service()
        notification, = self.wait_for_notifications(1)
        self.assertEqual(notification.title, "a")

    def test_without_a_service_the_users_command_is_run(self):
        note = self.folder / "delivered"
        teller = self.write("teller", f'#!/bin/sh\necho "$1" >> {note}\ncat >> {note}\n')
        teller.chmod(0o755)
        self.settings(f'notify-command = ["{teller}", "an alarm"]')
        self.start()
        self.keep(todo("a", int(time.time()) + 3, title="Ünïcode \\\"\\; $(touch x)"))
        wait_for(note.exists, 30, "the command to run")
        time.sleep(0.5)
        first, message = note.read_text().splitlines()
        self.assertEqual(first, "an alarm")
        notice = json.loads(message)
        self.assertRegex(notice.pop("body"), r"\ADue \d\d:\d\d · Reminders\Z")
        self.assertEqual(notice, {"reminder": int(self.person.id_of("a")), "title": 'Ünïcode "; $(touch x)', "priority": "none"})


class ServiceCheck(Daemon):
    """The results of `doctor` for the notification service."""

    with_service = False

    def look(self, code=0, seconds=20):
        """The level and the sentence, within a few seconds."""
        begun = time.monotonic()
        rows = self.person.json("doctor", code=code)
        self.assertLess(time.monotonic() - begun, seconds)
        row, = (row for row in rows if row["topic"] == "notifications")
        self.assertRegex(row["sentence"], r"\.$")
        return row["level"], row["sentence"]

    def test_a_working_service_is_named_with_its_capabilities(self):
        self.desktop.start_service("actions body sound")
        self.start()
        self.assertEqual(self.look(), ("ok", "mock-notify 1.0 shows alarms (actions yes, body yes, markup no, sound yes)."))
        self.assertEqual(self.desktop.notifications(), [])

    def test_a_service_without_buttons_is_reported(self):
        self.desktop.start_service("body")
        self.start()
        level, sentence = self.look()
        self.assertEqual(level, "warning")
        self.assertIn("(actions no, body yes, markup no, sound no), without buttons", sentence)

    def test_a_missing_service_is_a_problem_if_alarms_are_on(self):
        off = ("ok", "Not checked, because no alarms are shown.")
        self.assertEqual(self.look(), off, "without alarms no service is needed")
        daemon = self.start()
        level, sentence = self.look(FAILURE)
        self.assertEqual(level, "problem")
        # The machine may have an installed service that does not start without a screen.
        self.assertRegex(sentence, r"^Alarms cannot be shown on this computer\. "
                                   r"(No program on this desktop shows notifications\. Install and"
                                   r"|The program that shows notifications could not be started)")
        self.end(daemon)
        self.assertEqual(self.look(), off)

    def test_a_refusing_service_is_reported_with_its_error(self):
        self.desktop.start_useless_service("refuses")
        self.start()
        level, sentence = self.look(FAILURE)
        self.assertEqual(level, "problem")
        self.assertIn("refuses the request (org.example.Error.NotToday)", sentence)

    def test_a_service_that_hangs_times_out(self):
        self.desktop.start_service()
        self.start()
        self.desktop.service.send_signal(signal.SIGSTOP)
        try:
            level, sentence = self.look(FAILURE, seconds=15)
        finally:
            self.desktop.service.send_signal(signal.SIGCONT)
        self.assertEqual(level, "problem")
        self.assertIn("does not answer. Restart it", sentence)

    def test_a_silent_a_missing_and_an_unnamed_bus(self):
        self.start()
        self.desktop.bus.send_signal(signal.SIGSTOP)
        try:
            level, sentence = self.look(FAILURE, seconds=15)
        finally:
            self.desktop.bus.send_signal(signal.SIGCONT)
        self.assertEqual((level, "the session bus does not answer" in sentence.lower()), ("problem", True), sentence)
        self.desktop.stop()
        self.assertIn("No program answers at the address of the session bus", self.look(FAILURE)[1])
        del self.person.environment["DBUS_SESSION_BUS_ADDRESS"]
        level, sentence = self.look()
        self.assertEqual((level, "outside of a desktop session" in sentence), ("warning", True), sentence)

    def test_commands_without_a_bus_do_not_load_its_library(self):
        self.desktop.start_service()
        self.person.run("add", "One")
        alike = [(words, False) for words in (("list",), ("status",), ("service", "status"), ("doctor",))]
        for words, loads in (*alike, (("doctor",), True)):
            if loads:
                self.start()
            loaded = self.person.run(*words, code=None, environment={"LD_DEBUG": "files"}).err
            self.assertIn("libc.so", loaded)
            self.assertEqual("libsystemd" in loaded, loads, words)


class Unshown(Daemon):
    """Failed notifications are reported, and shown as soon as possible."""

    with_service = False

    def unshown(self):
        return self.person.json("status")["unshown"]

    def doctor(self):
        """The line of `doctor` about it; `None` without a line."""
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
        # Another service starts; waiting notifications are shown at once, and the failure is over.
        self.desktop.stop_service()
        self.desktop.start_service()
        notification, = self.wait_for_notifications(1)
        self.assertEqual(notification.title, "A secret")
        wait_for(lambda: self.unshown() is None, what="it to be over")
        level, sentence = self.doctor()
        self.assertEqual(level, "ok")
        self.assertIn("no alarm is pending", sentence)
        time.sleep(1.5)
        self.assertEqual(len(self.desktop.notifications()), 1)

    def test_a_service_that_refuses_is_called_again_with_growing_pauses(self):
        self.desktop.start_useless_service("refuses")
        daemon = self.start()
        self.keep(todo("a", int(time.time()) + 3))
        wait_for(self.unshown, 20, f"the trouble; log: {self.log()}")
        self.assertIn("refuses the request (org.example.Error.NotToday)", self.unshown()["error"])
        time.sleep(8)
        times = self.desktop.refused("Notify")
        # At once, and after one, two and four more seconds.
        self.assertIn(len(times), (3, 4), times)
        self.assertEqual(self.log().count("Failed to schedule notification"), 1, self.log())
        # The failure is reported after the end of the daemon, too.
        self.end(daemon)
        self.assertEqual(self.unshown()["count"], 1)
        # A completed reminder needs no notification any more.
        self.start()
        self.person.run("done", self.person.id_of("a"))
        wait_for(lambda: self.unshown() is None, what="it to be over")

    def test_an_alarm_delivered_by_the_users_command_has_not_failed(self):
        note = self.folder / "delivered"
        teller = self.write("teller", f"#!/bin/sh\ncat >> {note}\n")
        teller.chmod(0o755)
        self.settings(f'notify-command = ["{teller}"]')
        self.start()
        self.keep(todo("a", int(time.time()) + 3))
        wait_for(note.exists, 30, "the command to run")
        self.assertIsNone(self.unshown())
        self.assertNotIn("Failed to schedule", self.log())

"""Alarms of tenants by mail and push."""

import threading
import time
import unittest
from datetime import datetime, timedelta, timezone

from harness import FAILURE, NOT_FOUND, OK, USAGE, wait_for
from hosts import CANARY, HostTest
from messages import MailServer, PushServer

SECONDS = 30


class HostAlarms(HostTest):
    def setUp(self):
        super().setUp()
        self.prepare_key()
        self.relay = MailServer()
        self.addCleanup(self.relay.stop)
        self.use_relay()

    def use_relay(self):
        self.admin.run("config", "set", "host-relay", self.relay.url)
        self.admin.run("config", "set", "host-sender", "alarms@example.org")

    def destination(self, tenant="ada", *options, **more):
        return self.admin.run("host", "alarms", tenant, *(options or ["--mail", f"{tenant}@example.org"]), **more)

    def remind(self, tenant, title, seconds):
        """Adds a reminder with an alarm at a time relative to now."""
        moment = datetime.now(timezone.utc) + timedelta(seconds=seconds)
        text = "\r\n".join([
            "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:test", "BEGIN:VTODO", f"UID:{title} {moment.timestamp()}",
            "DTSTAMP:20260101T000000Z", f"SUMMARY:{title}", "BEGIN:VALARM", "ACTION:DISPLAY", "DESCRIPTION:x",
            f"TRIGGER;VALUE=DATE-TIME:{moment:%Y%m%dT%H%M%SZ}", "END:VALARM", "END:VTODO", "END:VCALENDAR", ""])
        self.admin.run("--tenant", tenant, "import", "-", stdin=text)

    def worker(self, *options):
        return self.run_host("--roles", "alarms", *options)

    def subjects(self):
        return sorted(message["Subject"] for message in self.relay.messages)

    def make_due(self):
        """Ends the pause after a failure, and the rest after messages."""
        self.sql("UPDATE work SET leased_until = 0 WHERE kind = 'alarm'")

    def test_each_alarm_arrives_once_by_mail_at_its_time(self):
        for name in CANARY:
            self.destination(name)
        workers = [self.worker() for _ in range(2)]
        for name, canary in CANARY.items():
            self.remind(name, f"{canary} Grüße", 4)
            self.remind(name, f"{canary} past", -3600)
        began = time.time()
        wait_for(lambda: len(self.relay.messages) >= 2, SECONDS, "the mails")
        self.assertGreater(time.time() - began, 1)
        self.remind("ada", "later", 6)
        wait_for(lambda: len(self.relay.messages) >= 3, SECONDS, "the third mail")
        time.sleep(3)
        self.assertEqual(self.subjects(), ["canary of ada Grüße", "canary of ben Grüße", "later"])
        for message in self.relay.messages[:2]:
            owner = "ada" if "ada" in message["Subject"] else "ben"
            self.assertEqual(message.recipients, [f"{owner}@example.org"])
            self.assertEqual(message["To"], f"{owner}@example.org")
            self.assertEqual(message["From"], "Remindav <alarms@example.org>")
            self.assertTrue(message["Message-ID"].endswith("@example.org>"))
            self.assertEqual(message["Auto-Submitted"], "auto-generated")
        # An alarm of a reminder that is completed before its time is not sent.
        self.remind("ada", "done", 8)
        number, = [item["id"] for item in self.admin.json("--tenant", "ada", "list") if item["title"] == "done"]
        self.admin.run("--tenant", "ada", "done", number)
        time.sleep(8)
        self.make_due()
        time.sleep(3)
        self.assertEqual(len(self.relay.messages), 3)
        self.assertEqual(sum(worker.metric("alarm_messages_total") for worker in workers), 3)
        for worker in workers:
            text = worker.monitor("/metrics")[2]
            self.assertEqual(worker.stop(), OK)
            for canary in [*CANARY, *CANARY.values(), "example.org"]:
                self.assertNotIn(canary, text + "\n".join(worker.log))

    def test_a_mail_server_that_is_down_gets_the_mail_later(self):
        self.destination()
        self.relay.stop()
        worker = self.worker()
        self.remind("ada", "Milk", 5)
        wait_for(lambda: worker.metric("alarm_messages_total"), SECONDS, "the failed attempt")
        self.assertEqual(self.relay.messages, [])
        self.relay.answers = {"DATA": "451 Try again later"}
        self.relay.start()

        def is_true_soon(condition, what):
            def check():
                self.make_due()
                time.sleep(1)
                return condition()
            wait_for(check, 60, what)
        # After a failed connection, the mail server rests for a while.
        is_true_soon(lambda: self.relay.connections, "the attempt without success")
        self.relay.answers = {}
        # An edit in the pause is not lost.
        self.remind("ada", "Bread", 5)
        is_true_soon(lambda: self.subjects() == ["Bread", "Milk"], "the mails")
        time.sleep(2)
        self.assertEqual(len(self.relay.messages), 2)
        self.assertIn("could not be sent by mail", "\n".join(worker.log))

    def test_a_killed_process_leads_to_an_equal_mail_and_never_to_none(self):
        self.destination()
        worker = self.worker()
        self.relay.stall = threading.Event()
        self.remind("ada", "Milk", 5)
        wait_for(lambda: self.relay.connections, SECONDS, "the connection")
        time.sleep(1)
        worker.kill()
        self.relay.stall.set()
        wait_for(lambda: self.relay.messages, SECONDS, "the first mail")
        self.make_due()
        self.worker()
        wait_for(lambda: len(self.relay.messages) == 2, SECONDS, "the second mail")
        first, second = self.relay.messages
        self.assertEqual(first["Message-ID"], second["Message-ID"])
        self.assertEqual(first.get_content(), second.get_content())

    def test_a_refused_address_is_given_up_after_several_attempts(self):
        self.destination()
        self.relay.answers = {"RCPT": "550 No such user"}
        worker = self.worker()
        self.remind("ada", "Milk", 5)
        for attempt in range(1, 7):
            wait_for(lambda: worker.metric("alarm_messages_total") >= attempt, SECONDS, f"attempt {attempt}")
            self.assertEqual(worker.metric("alarms_given_up_total"), 1 if attempt == 6 else 0)
            self.make_due()
        time.sleep(3)
        self.assertEqual(worker.metric("alarm_messages_total"), 6)
        self.relay.answers = {}
        self.remind("ada", "Bread", 5)
        wait_for(lambda: self.subjects() == ["Bread"], SECONDS, "the next alarm")

    def test_a_refused_sign_in_is_reported_and_not_repeated_at_once(self):
        self.relay.user, self.relay.password = "remindav", "right"
        password = self.admin.folder / "relay.password"
        password.write_text("wrong\n")
        password.chmod(0o600)
        self.use_relay()
        self.admin.run("config", "set", "host-relay-password", password)
        for name in CANARY:
            self.destination(name)
        worker = self.worker()
        for name in CANARY:
            self.remind(name, "Milk", 5)
        wait_for(lambda: worker.metric("alarm_messages_total") >= 2, SECONDS, "the attempts")
        self.make_due()
        time.sleep(3)
        self.assertEqual(self.relay.connections, 1)
        self.assertEqual(sum("refused the user or the password" in line for line in worker.log), 1)
        self.assertNotIn("wrong", "\n".join(worker.log))
        worker.stop()
        password.write_text("right\n")
        self.worker()
        self.make_due()
        wait_for(lambda: self.subjects() == ["Milk", "Milk"], SECONDS, "the mails")

    def test_push_messages_arrive_at_the_sealed_address(self):
        push = PushServer()
        self.addCleanup(push.stop)
        address = f"http://127.0.0.1:{push.port}/secret-topic"
        self.destination("ada", "--push-stdin", stdin=address + "\n")
        refused = self.destination("ada", "--test", code=FAILURE)
        self.assertIn("private network", refused.err)
        self.assertNotIn("secret-topic", refused.err)
        self.admin.run("config", "set", "host-allow", "127.0.0.0/8")
        self.admin.run("config", "set", "host-ports", push.port)
        self.assertIn("by push", self.destination("ada", "--test").out)
        (path, headers, body), = push.messages
        self.assertEqual((path, headers["Title"]), ("/secret-topic", "Test of alarms"))
        self.assertIn("Test of alarms\n", body)
        worker = self.worker()
        self.remind("ada", "Grüße", 5)
        wait_for(lambda: len(push.messages) == 2, SECONDS, "the push message")
        path, headers, body = push.messages[1]
        self.assertTrue(body.startswith("Grüße"))
        self.assertEqual(len(headers["Topic"]), 32)
        self.assertTrue(headers["Title"].startswith("=?utf-8?B?"))
        # If one of two destinations accepts, the alarm is delivered.
        push.status = 404
        self.destination()
        self.make_due()
        self.remind("ada", "Both", 5)
        wait_for(lambda: self.subjects() == ["Both"], SECONDS, "the mail")
        time.sleep(3)
        self.assertEqual(len(push.messages), 3)
        self.assertEqual(worker.metric("alarms_given_up_total"), 0)
        dump = self.server.run("pg_dump", "-h", self.server.folder, "-U", "owner", "postgres").stdout
        self.assertIn("alarm_destination", dump)
        self.assertNotIn("secret-topic", dump + "\n".join(worker.log))
        self.assertEqual(self.admin.json("host", "alarms", "ada"),
                         {"mail": "ada@example.org", "hasPush": True, "quietHours": None})
        self.destination("ada", "--no-push", "--mail", "none")
        self.assertEqual(self.admin.json("host", "alarms", "ada"), {"mail": None, "hasPush": False, "quietHours": None})

    def test_alarms_from_before_a_destination_and_in_quiet_hours_are_held_back(self):
        worker = self.worker()
        self.remind("ada", "before", 1)
        time.sleep(4)
        self.destination()
        now = datetime.now(timezone.utc).astimezone()
        time.sleep(3)
        self.assertEqual(self.relay.messages, [])
        # The zone of the tenant is Europe/Berlin; these hours contain the present time in each zone.
        self.destination("ada", "--quiet-hours", "00:00-23:59")
        self.remind("ada", "quiet", 5)
        time.sleep(8)
        if now.strftime("%H:%M") < "22:50":
            self.assertEqual(self.relay.messages, [])
        self.destination("ada", "--quiet-hours", "none")
        wait_for(lambda: self.subjects() == ["quiet"], SECONDS, "the held alarm")
        worker.stop()

    def test_bad_values_are_refused_with_a_sentence(self):
        self.assertIn("must be an address", self.destination("ada", "--mail", "ada", code=USAGE).err)
        self.assertIn("must be an address", self.destination("ada", "--mail", "a@b.org\nBcc: c@d.org", code=USAGE).err)
        self.assertIn("must be hours", self.destination("ada", "--quiet-hours", "22-7", code=USAGE).err)
        self.assertIn("https://ntfy.sh/TOPIC", self.destination("ada", "--push-stdin", stdin="http://example.org/x\n", code=USAGE).err)
        self.assertIn("no destination", self.destination("ada", "--test", code=USAGE).err)
        self.assertIn("no tenant", self.destination("cleo", code=NOT_FOUND).err)
        self.admin.run("config", "unset", "host-sender")
        self.destination()
        self.assertIn("host-sender", self.destination("ada", "--test", code=USAGE).err)
        self.assertIn("host-sender", self.admin.run("host", "run", "--roles", "alarms", "--port", "0", code=USAGE).err)


if __name__ == "__main__":
    unittest.main()

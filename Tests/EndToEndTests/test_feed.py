"""The feed as a calendar program sees it: one address, plain HTTP, the same bytes until something changes."""

import gzip
import http.client
import re
import subprocess
import unittest

import icalendar
from harness import SAMPLE, EndToEnd, ics, simple, smoke, too_long_for_smoke, wait_for
from servers import free_port

ADDRESS = re.compile(r"/feed/([A-Za-z0-9_-]{22,})\.ics")


@smoke
class Feed(EndToEnd):
    def setUp(self):
        super().setUp()
        self.laptop = self.device("laptop")
        self.laptop.run("import", SAMPLE, "--list", "Reminders")
        said = self.laptop.run("feed", "create").out
        self.assertRegex(said, ADDRESS)
        self.token = ADDRESS.search(said)[1]
        self.path = f"/feed/{self.token}.ics"
        self.port = free_port()
        self.server = None
        self.serve_feeds()

    def serve_feeds(self):
        self.log = open(self.folder / "serve.log", "ab")
        self.addCleanup(self.log.close)
        self.server = self.laptop.start("serve", "--port", str(self.port), stdin=subprocess.DEVNULL,
                                        stdout=self.log, stderr=self.log)
        self.addCleanup(self.end)
        wait_for(self.answers, what="the feed server")

    def end(self):
        if self.server.poll() is None:
            self.server.terminate()
            try:
                self.server.wait(10)
            except subprocess.TimeoutExpired:
                self.server.kill()
                self.server.wait()

    def answers(self):
        try:
            return self.ask("GET", "/")[0] > 0
        except OSError:
            return False

    def ask(self, method, path, headers=None):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        try:
            connection.request(method, path, headers=headers or {})
            answer = connection.getresponse()
            return answer.status, {name.lower(): value for name, value in answer.getheaders()}, answer.read()
        finally:
            connection.close()

    def test_a_subscriber_gets_events_for_dated_open_reminders(self):
        status, headers, body = self.ask("GET", self.path)
        self.assertEqual(status, 200)
        self.assertEqual(headers["content-type"].lower().replace(" ", ""), "text/calendar;charset=utf-8")
        calendar = icalendar.Calendar.from_ical(body)
        self.assertEqual(calendar.walk("VTODO"), [])
        titles = [str(event["SUMMARY"]) for event in calendar.walk("VEVENT")]
        for title in ("Zahnärztin anrufen", "Service the boiler", "牛乳を買う 🥛"):
            self.assertTrue(any(title in one for one in titles), titles)
        for title in ("Call the plumber", "Return the library books", "Cancel the old newspaper"):
            self.assertFalse(any(title in one for one in titles), f"{title} has no date or is done")
        uids = [str(event["UID"]) for event in calendar.walk("VEVENT")]
        todos = {entry["uid"] for entry in self.laptop.json("list", "--all")}
        self.assertEqual(len(set(uids) & todos), 0, "an event must not have the UID of a to-do")

    def test_the_bytes_are_those_of_the_standard(self):
        body = self.ask("GET", self.path)[2]
        self.assertTrue(body.startswith(b"BEGIN:VCALENDAR\r\n") and body.endswith(b"END:VCALENDAR\r\n"))
        self.assertEqual([line for line in body.split(b"\r\n") if len(line) > 75], [])
        self.assertNotIn(b"\n", body.replace(b"\r\n", b""))
        self.assertNotIn(b"METHOD:", body)
        self.assertNotIn(self.token.encode(), body, "the address must not be inside the feed")
        self.assertIn(b"REFRESH-INTERVAL;VALUE=DURATION:", body)

    def test_an_unchanged_feed_costs_an_answer_without_a_body(self):
        _, headers, body = self.ask("GET", self.path)
        tag = headers["etag"]
        self.assertRegex(tag, r'^"[^"]+"$', "the entity tag has to be a strong one")
        for condition in (tag, f'"other", {tag}', "*", f"W/{tag}"):
            status, again, nothing = self.ask("GET", self.path, {"If-None-Match": condition})
            self.assertEqual((status, nothing), (304, b""), condition)
            self.assertEqual(again["etag"], tag)
        status, _, whole = self.ask("GET", self.path, {"If-None-Match": '"something else"'})
        self.assertEqual((status, whole), (200, body))

    def test_a_client_that_accepts_gzip_gets_it_with_its_own_tag(self):
        _, plain, body = self.ask("GET", self.path)
        self.assertNotIn("content-encoding", plain)
        status, packed, bytes_ = self.ask("GET", self.path, {"Accept-Encoding": "gzip, deflate"})
        self.assertEqual((status, packed["content-encoding"]), (200, "gzip"))
        self.assertEqual(gzip.decompress(bytes_), body)
        self.assertEqual(packed["content-length"], str(len(bytes_)))
        self.assertLess(len(bytes_), len(body))
        self.assertNotEqual(packed["etag"], plain["etag"])
        for headers in (plain, packed):
            self.assertIn("Accept-Encoding", headers["vary"])
        status, again, nothing = self.ask("GET", self.path, {"Accept-Encoding": "gzip", "If-None-Match": packed["etag"]})
        self.assertEqual((status, nothing, again["etag"]), (304, b"", packed["etag"]))
        self.assertEqual(self.ask("GET", self.path, {"If-None-Match": packed["etag"]})[0], 200)
        outlook = {"Accept-Encoding": "gzip", "User-Agent": "Microsoft Office/16.0 (Microsoft Outlook 16.0; Pro)"}
        self.assertEqual(self.ask("GET", self.path, outlook)[2], body)

    def test_a_write_that_changes_no_reminder_keeps_the_body(self):
        tag = self.ask("GET", self.path)[1]["etag"]
        self.laptop.run("labels", "add", "Unused")
        self.assertEqual(self.ask("GET", self.path, {"If-None-Match": tag})[0], 304)
        self.laptop.run("add", "One more", "--due", "2035-05-05", "--list", "Reminders")
        self.assertEqual(self.ask("GET", self.path, {"If-None-Match": tag})[0], 200)

    def test_head_has_the_headers_of_get(self):
        _, of_get, body = self.ask("GET", self.path)
        status, of_head, nothing = self.ask("HEAD", self.path)
        self.assertEqual((status, nothing), (200, b""))
        for name in ("etag", "content-type", "content-length"):
            self.assertEqual(of_head[name], of_get[name])
        self.assertEqual(of_get["content-length"], str(len(body)))

    def test_a_wrong_address_is_not_found(self):
        wrong = self.token[:-1] + ("a" if self.token[-1] != "a" else "b")
        for path in (f"/feed/{wrong}.ics", "/feed/.ics", "/feed/", f"/feed/{self.token}", "/feed/../../etc/passwd",
                     f"/feed/{self.token}.ics/more", "/%00", "/feed/" + "a" * 4000 + ".ics"):
            with self.subTest(path[:40]):
                self.assertEqual(self.ask("GET", path)[0] // 100, 4)
        self.assertEqual(self.ask("GET", f"/feed/{wrong}.ics")[0], 404)
        self.assertIn(self.ask("POST", self.path)[0], (404, 405))

    def test_styles(self):
        def of_style(style):
            path = ADDRESS.search(self.laptop.run("feed", "create", "--style", style).out)[0]
            return self.ask("GET", path)[2]

        todo = icalendar.Calendar.from_ical(of_style("todo"))
        self.assertEqual(todo.walk("VEVENT"), [])
        self.assertGreater(len(todo.walk("VTODO")), 10)
        both = icalendar.Calendar.from_ical(of_style("both"))
        self.assertGreater(len(both.walk("VEVENT")), 0)
        self.assertGreater(len(both.walk("VTODO")), 0)
        event = self.ask("GET", self.path)[2]
        self.assertEqual(event, of_style("event"))
        # The style belongs to the feed: a client cannot choose another one.
        for style in ("todo", "both", "event", "x"):
            self.assertEqual(self.ask("GET", f"{self.path}?style={style}")[2], event)

    def test_private_reminders_stay_private(self):
        text = ics(["UID:open", "SUMMARY:Open", "DUE:20300101T090000Z"],
                   ["UID:private", "SUMMARY:Canary", "DESCRIPTION:Canary", "CLASS:PRIVATE", "DUE:20300101T090000Z"],
                   ["UID:confidential", "SUMMARY:Canary", "CLASS:CONFIDENTIAL", "DUE:20300101T090000Z",
                    "ATTACH;VALUE=BINARY;ENCODING=BASE64:Q2FuYXJ5"])
        self.laptop.run("import", "-", "--list", "Reminders", stdin=text)
        for style in ("event", "todo", "both"):
            path = ADDRESS.search(self.laptop.run("feed", "create", "--style", style).out)[0]
            body = self.ask("GET", path)[2]
            self.assertNotIn(b"Canary", body)
            self.assertIn(b"Busy", body)
            self.assertIn(b"CLASS:PRIVATE", body)
            self.assertNotIn(b"UID:confidential", body)
            path = ADDRESS.search(self.laptop.run("feed", "create", "--style", style, "--private").out)[0]
            body = self.ask("GET", path)[2]
            self.assertEqual(body.count(b"SUMMARY") - body.count(b"Busy"), body.count(b"SUMMARY"))
            self.assertIn(b"CLASS:CONFIDENTIAL", body)
            self.assertNotIn(b"Q2FuYXJ5", body)

    @too_long_for_smoke
    def test_a_large_feed_is_made_once_until_something_changes(self):
        self.laptop.run("import", "-", "--list", "Reminders", stdin=simple(3000))
        headers = {"If-None-Match": self.ask("GET", self.path)[1]["etag"]}
        before = self.seconds_of_processor()
        for _ in range(30):
            self.assertEqual(self.ask("GET", self.path, headers)[0], 304)
            self.assertEqual(self.ask("GET", f"/feed/{'0' * 32}.ics")[0], 404)
        quiet = self.seconds_of_processor() - before
        before = self.seconds_of_processor()
        for number in range(3):
            self.laptop.run("add", f"Change {number}", "--list", "Reminders")
            self.assertEqual(self.ask("GET", self.path, headers)[0], 200)
        changed = self.seconds_of_processor() - before
        # Thirty answers without a change cost less than three with one.
        self.assertLess(quiet, changed)

    def seconds_of_processor(self):
        with open(f"/proc/{self.server.pid}/stat") as file:
            return sum(map(int, file.read().rpartition(")")[2].split()[11:13]))

    def test_the_same_data_are_the_same_bytes_also_after_a_restart(self):
        first = self.ask("GET", self.path)
        self.end()
        self.serve_feeds()
        second = self.ask("GET", self.path)
        self.assertEqual(first[2], second[2])
        self.assertEqual(first[1]["etag"], second[1]["etag"])

    def test_a_change_is_served_at_once_with_a_new_tag(self):
        before = self.ask("GET", self.path)
        self.laptop.run("add", "New in the feed", "--due", "2035-05-05", "--list", "Reminders")
        status, headers, body = self.ask("GET", self.path, {"If-None-Match": before[1]["etag"]})
        self.assertEqual(status, 200)
        self.assertIn(b"New in the feed", body)
        self.assertNotEqual(headers["etag"], before[1]["etag"])

    def test_a_feed_of_one_label_holds_that_label_only(self):
        path = ADDRESS.search(self.laptop.run("feed", "create", "--label", "Gesundheit").out)[0]
        calendar = icalendar.Calendar.from_ical(self.ask("GET", path)[2])
        titles = {str(event["SUMMARY"]).removeprefix("☐ ") for event in calendar.walk("VEVENT")}
        self.assertEqual(titles, {"Zahnärztin anrufen", "Medicine"})

    def test_a_revoked_feed_is_gone_at_once(self):
        listing = [line for line in self.laptop.run("feed", "list").out.splitlines() if re.match(r"\s*\d+\b", line)]
        self.assertEqual(len(listing), 1, "feed list has one line per feed, which starts with its id")
        self.laptop.run("feed", "revoke", listing[0].split()[0])
        self.assertEqual(self.ask("GET", self.path)[0], 404)

    def test_it_listens_on_this_machine_only(self):
        listening = subprocess.run(["cat", "/proc/net/tcp", "/proc/net/tcp6"], capture_output=True, text=True).stdout
        port = f":{self.port:04X} "
        rows = [line.split()[1] for line in listening.splitlines() if port in line and line.split()[3] == "0A"]
        self.assertEqual({row.split(":")[0] for row in rows}, {"0100007F"})

    def test_the_log_does_not_contain_the_address(self):
        self.ask("GET", self.path)
        self.end()
        self.assertNotIn(self.token, (self.folder / "serve.log").read_text())
        self.assertEqual(self.server.returncode in (0, 130, -15), True)


if __name__ == "__main__":
    unittest.main()

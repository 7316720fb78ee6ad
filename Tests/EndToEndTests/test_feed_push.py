"""Feeds as files: `feed write` on this machine, and `feed push` to a WebDAV server; `feed list` names the visitors."""

import http.client
import os
import re
import stat
import subprocess
import unittest

from fakedav import HOME, Answer, FakeDAV
from harness import SAMPLE, EndToEnd
from servers import free_port

ADDRESS = re.compile(r"/feed/[0-9a-f]{32}\.ics")
FAILED, USAGE, PARTIAL, NOT_FOUND, SIGN_IN, NETWORK, CONFLICT, REFUSED = 1, 2, 3, 4, 6, 7, 8, 9
PASSWORD = "canary-of-a-password"


class FeedFiles(EndToEnd):
    def setUp(self):
        super().setUp()
        self.laptop = self.device("laptop")
        self.laptop.run("import", SAMPLE, "--list", "Reminders")
        self.path = ADDRESS.search(self.laptop.run("feed", "create", "--name", "Work").out)[0]

    def test_a_written_file_can_be_read_by_all_and_is_replaced_only_after_a_change(self):
        target = self.folder / "work.ics"
        old = os.umask(0o077)
        try:
            self.laptop.run("feed", "write", "Work", "-o", target)
        finally:
            os.umask(old)
        before = target.stat()
        self.assertEqual(stat.S_IMODE(before.st_mode), 0o644)
        self.assertEqual(target.read_bytes(), self.laptop.run("feed", "write", "1").bytes)
        self.assertIn("Unchanged", self.laptop.run("feed", "write", "Work", "-o", target).out)
        self.assertEqual(target.stat().st_ino, before.st_ino)
        self.laptop.run("add", "New in the feed", "--due", "2035-05-05", "--list", "Reminders")
        target.chmod(0o640)
        self.laptop.run("feed", "write", "Work", "-o", target)
        self.assertIn(b"New in the feed", target.read_bytes())
        self.assertEqual(stat.S_IMODE(target.stat().st_mode), 0o640, "an existing file keeps its permissions")
        self.assertEqual([path.name for path in self.folder.glob(".remindav-*")], [])
        self.laptop.run("feed", "write", "Work", "-o", self.folder / "missing" / "x.ics", code=FAILED)

    def test_a_visit_is_listed_with_its_program_and_without_addresses(self):
        port = free_port()
        server = self.laptop.start("serve", "--port", port, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE)
        self.addCleanup(server.stderr.close)
        self.addCleanup(server.wait)
        self.addCleanup(server.terminate)
        self.assertIn(b"Serving feeds", server.stderr.readline())

        def ask(agent, **headers):
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
            connection.request("GET", self.path, headers={"User-Agent": agent, **headers})
            answer = connection.getresponse()
            answer.read()
            connection.close()
            return answer

        tag = ask("Google-Calendar-Importer").headers["ETag"]
        canary = "canary@example.org 192.0.2.77 https://canary.example"
        self.assertEqual(ask(f"Thunderbird/140.0 {canary}", **{"If-None-Match": tag}).status, 304)
        server.terminate()
        server.wait(20)
        feed = self.laptop.json("feed", "list")[0]
        visits = {one["program"]: one for one in feed["visits"]}
        self.assertEqual({name: (one["status"], one["count"]) for name, one in visits.items()},
                         {"google": (200, 1), "thunderbird": (304, 1)})
        self.assertEqual(visits["thunderbird"]["agent"], "Thunderbird/140.0")
        listing = self.laptop.run("feed", "list").out
        self.assertIn("Google Calendar: ", listing)
        self.assertIn("just now, status 304, 1 visit (Thunderbird/140.0)", listing)
        for canary in (b"canary", b"192.0.2.77", b"127.0.0.1"):
            for file in self.laptop.store.rglob("*"):
                if file.is_file():
                    self.assertNotIn(canary, file.read_bytes(), f"{canary} in {file.name}")


class FeedPushes(EndToEnd):
    def setUp(self):
        super().setUp()
        self.laptop = self.device("laptop")
        self.laptop.run("import", SAMPLE, "--list", "Reminders")
        self.laptop.run("feed", "create", "--name", "Work")
        self.server = FakeDAV(password=PASSWORD)
        self.server.start()
        self.addCleanup(self.server.stop)
        self.files = self.server.add_list("files")
        origin = re.match(r"https?://[^/]+", self.server.url)[0]
        self.url = f"{origin}{HOME}files/work.ics"

    def first(self, *options, url=None, code=0):
        return self.laptop.run("feed", "push", "Work", url or self.url, "--user", "user", "--password-stdin", *options,
                               stdin=PASSWORD.encode() + b"\n", code=code)

    def stored(self):
        return self.server.collections["files"].items.get("work.ics", (None, None))[1]

    def state(self):
        return self.laptop.json("feed", "list")[0]["push"]

    def test_a_feed_is_pushed_once_and_again_after_changes(self):
        self.first()
        self.assertEqual(self.stored(), self.laptop.run("feed", "write", "Work").bytes)
        self.server.take()
        self.assertIn("unchanged", self.laptop.run("feed", "push").out)
        self.assertEqual(self.server.requests, [])
        self.laptop.run("add", "New in the feed", "--due", "2035-05-05", "--list", "Reminders")
        self.assertIn("sent", self.laptop.run("feed", "push").out)
        self.assertIn(b"New in the feed", self.stored())
        self.assertIsNone(self.state()["error"])
        self.assertEqual(self.state()["url"], self.url)
        self.laptop.run("feed", "push", "Work", "--forget")
        self.assertIsNone(self.state())
        self.assertEqual(list((self.laptop.store / "secrets").glob("*")), [], "the password is forgotten too")

    def test_a_file_of_another_program_is_kept(self):
        self.server.collections["files"].put("work.ics", b"theirs")
        said = self.first(code=CONFLICT).err
        self.assertIn("There is already a file at this address", said)
        self.assertEqual(self.stored(), b"theirs")
        self.assertIsNone(self.state())
        self.first("--overwrite")
        self.assertNotEqual(self.stored(), b"theirs")

    def test_each_refusal_is_one_sentence_and_nothing_is_half_done(self):
        other = FakeDAV()
        other.start()
        self.addCleanup(other.stop)
        elsewhere = re.match(r"https?://[^/]+", other.url)[0] + "/x.ics"
        html = {"Content-Type": "text/html"}
        rows = [
            (Answer(301, b"", {"Location": elsewhere}), REFUSED, "redirects to another address"),
            (Answer(401, b"", {"WWW-Authenticate": 'Basic realm="x"'}), SIGN_IN, "does not accept the user name"),
            (Answer(403), FAILED, "does not allow this user"), (Answer(405), FAILED, "does not accept a file"),
            (Answer(409), FAILED, "the folder of the file"), (Answer(413), FAILED, "larger than the server"),
            (Answer(423), NETWORK, "locked"), (Answer(500), NETWORK, "internal error"),
            (Answer(503), NETWORK, "busy"), (Answer(507), FAILED, "no storage space"),
            (Answer(200, b"<html>sign in</html>", html), FAILED, "web page"),
        ]
        for answer, code, words in rows:
            with self.subTest(answer.status):
                self.server.intercept = lambda request, answer=answer: answer
                said = self.first(code=code).err
                self.assertIn(words.lower(), said.lower())
                self.assertEqual(len(said.strip().splitlines()), 1, said)
                self.assertNotIn(PASSWORD, said)
                self.assertIsNone(self.state())
        self.assertEqual(other.requests, [], "no request goes to another origin")
        self.server.intercept = None
        self.first()
        self.laptop.run("add", "New in the feed", "--due", "2035-05-05", "--list", "Reminders")
        for answer, code, words in rows:
            with self.subTest(answer.status):
                self.server.intercept = lambda request, answer=answer: answer
                said = self.laptop.run("feed", "push", code=code).err
                self.assertIn(words.lower(), said.lower())
                self.assertIn("failed: ", self.laptop.run("feed", "list").out)
                checked = [line for line in self.laptop.run("doctor", code=None).out.splitlines() if "last push" in line]
                self.assertEqual(len(checked), 1, checked)
                self.assertRegex(checked[0], "^warning +feeds .* Run 'remindav feed push [0-9]+'")
        self.server.intercept = None
        self.laptop.run("feed", "push")
        self.assertIn(b"New in the feed", self.stored())

    def test_only_encrypted_addresses_of_files_are_accepted(self):
        for url, code in [("http://cloud.example.org/x.ics", REFUSED), ("https://user:canary@localhost/x.ics", USAGE),
                          ("https://localhost/folder/", USAGE), ("webdav", USAGE)]:
            with self.subTest(url):
                said = self.first(url=url, code=code).err
                self.assertNotIn("canary", said)
                self.assertIsNone(self.state())

    def test_one_failure_does_not_stop_the_other_feeds(self):
        self.first()
        self.laptop.run("feed", "create", "--name", "Home")
        self.laptop.run("feed", "push", "Home", self.url.replace("work", "home"), "--user", "user", "--password-command",
                        f"echo {PASSWORD}")
        self.laptop.run("add", "New in the feed", "--due", "2035-05-05", "--list", "Reminders")
        self.server.intercept = lambda request: Answer(403) if "work" in request.path else None
        said = self.laptop.run("feed", "push", code=PARTIAL)
        self.assertIn("Feed 2 (Home): sent", said.out)
        self.assertIn("Feed 1 (Work): The server does not allow", said.err)

    def test_the_password_is_in_no_file_but_its_own_and_in_no_output(self):
        outputs = [self.first(), self.laptop.run("feed", "list"), self.laptop.run("feed", "list", "--json")]
        self.server.intercept = lambda request: Answer(403, request.headers.get("authorization", "").encode())
        self.laptop.run("add", "New in the feed", "--due", "2035-05-05", "--list", "Reminders")
        outputs.append(self.laptop.run("feed", "push", code=FAILED))
        for output in outputs:
            self.assertNotIn(PASSWORD, output.out + output.err)
        for file in self.laptop.store.rglob("*"):
            if file.is_file() and file.parent.name != "secrets":
                self.assertNotIn(PASSWORD.encode(), file.read_bytes(), file.name)


if __name__ == "__main__":
    unittest.main()

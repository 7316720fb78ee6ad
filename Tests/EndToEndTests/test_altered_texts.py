"""Texts that a server truncates, masks or alters: no reminder is damaged, and losses are reported."""

import unittest

from fakedav import FakeDAV
from harness import OK, PARTIAL, EndToEnd


class AlteredTexts(EndToEnd):
    def setUp(self):
        super().setUp()
        self.server = self.serve(FakeDAV())
        self.office = self.server.add_list("Office", {"uid-0": ["DTSTAMP:20260101T000000Z", "SUMMARY:First"]})
        self.laptop = self.device("laptop")
        self.laptop.add_account(self.server.url)
        self.laptop.sync()

    def text(self, word):
        """The only text on the server that contains this word."""
        return next(data.decode() for _, data in self.office.items.values() if word.encode() in data)

    def cuts(self, request, answer):
        """Truncated texts, in answers with a correct length."""
        if request.method == "GET":
            answer.body = answer.body[: len(answer.body) * 6 // 10]
        elif b"calendar-data" in answer.body:
            answer.body = answer.body.replace(b"END:VTODO", b"").replace(b"END:VCALENDAR", b"")
        return answer

    def test_a_truncated_text_is_left_out_and_read_again(self):
        whole = ["DTSTAMP:20260101T000000Z", "SUMMARY:Second", "DESCRIPTION:Notes"]
        self.office.put("second.ics", self.todo("uid-1", *whole))
        self.server.distort = self.cuts
        result = self.laptop.run("sync", code=(PARTIAL,))
        self.assertIn("sends only the beginning of 'second.ics'", result.err)
        self.assertNotIn("cannot be used and stay", result.err)
        self.server.behave()
        self.laptop.run("sync", code=(OK,))
        self.assertEqual({item["title"] for item in self.laptop.json("list")}, {"First", "Second"})

    def test_a_verification_reads_set_aside_objects_again(self):
        self.office.put("second.ics", b"<html>Sign in</html>")
        self.laptop.run("sync")
        etag, _ = self.office.items["second.ics"]
        self.office.items["second.ics"] = (etag, self.todo("uid-1", "DTSTAMP:20260101T000000Z", "SUMMARY:Second"))
        self.laptop.run("sync")
        self.assertEqual(len(self.laptop.json("list")), 1)
        self.laptop.run("sync", "--verify")
        self.assertEqual(len(self.laptop.json("list")), 2)

    def test_a_masked_text_is_not_written_over_the_real_one(self):
        self.office.read_only = True
        self.laptop.sync()
        stamps = ["DTSTAMP:20260101T000000Z", "LAST-MODIFIED:20260101T000000Z"]
        self.office.put("secret.ics", self.todo("uid-s", *stamps, "SUMMARY:Busy"))
        self.laptop.sync()
        etag, _ = self.office.items["secret.ics"]
        real = self.todo("uid-s", *stamps, "SUMMARY:Doctor", "DESCRIPTION:Secret", "CLASS:CONFIDENTIAL")
        self.office.items["secret.ics"] = (etag, real)
        self.office.read_only = False
        self.laptop.sync()
        self.laptop.run("done", self.laptop.id_of("uid-s"))
        self.laptop.sync()
        text = self.text("uid-s")
        for line in ("SUMMARY:Doctor", "DESCRIPTION:Secret", "CLASS:CONFIDENTIAL", "STATUS:COMPLETED"):
            self.assertIn(line, text)

    def test_a_property_that_the_server_drops_is_a_conflict_and_named_once(self):
        def drop(request):
            if request.method == "PUT":
                lines = request.body.split(b"\r\n")
                request.body = b"\r\n".join(line for line in lines if not line.startswith(b"CATEGORIES"))

        self.server.intercept = drop
        self.server.distort = self.without_tag
        self.laptop.run("add", "Lab", "--label", "precious", "--due", "none")
        said = ""
        for _ in range(4):
            said += self.laptop.run("sync").err
        self.assertEqual(said.count("Office: the server does not store: CATEGORIES (labels)."), 1, said)
        conflict, = self.laptop.json("conflicts")
        self.assertEqual((conflict["field"], "precious" in str(conflict)), ("labels", True), conflict)
        self.server.take()
        self.laptop.run("edit", self.laptop.id_of_title("Lab"), "--title", "Laboratory")
        for _ in range(3):
            self.laptop.run("sync")
        # Only the edit is sent: the program does not react to the altered text.
        self.assertEqual(len(self.server.writes()), 1)
        self.assertEqual(len(self.laptop.json("conflicts")), 1)

    @staticmethod
    def without_tag(request, answer):
        if request.method == "PUT":
            answer.headers.pop("ETag", None)
        return answer

    def test_a_property_that_the_server_adds_is_kept_although_it_answers_with_an_entity_tag(self):
        def add(request):
            if request.method == "PUT":
                request.body = request.body.replace(b"END:VTODO", b"X-SERVER-ADDED:1\r\nEND:VTODO")

        self.server.intercept = add
        self.laptop.run("add", "One", "--due", "none")
        self.laptop.run("sync")
        self.laptop.run("sync")
        self.server.behave()
        # The same for a text that was written after the program knew this behaviour of the server.
        self.server.intercept = add
        self.laptop.run("add", "Two", "--due", "none")
        self.laptop.run("sync")
        self.laptop.run("sync")
        self.server.behave()
        for title in ("One", "Two"):
            self.laptop.run("edit", self.laptop.id_of_title(title), "--priority", "high")
        self.laptop.run("sync")
        for title in ("One", "Two"):
            self.assertIn("X-SERVER-ADDED:1", self.text(f"SUMMARY:{title}"))

    def test_only_the_first_written_text_is_read_back(self):
        self.server.take()
        for title in ("One", "Two", "Three"):
            self.laptop.run("add", title, "--due", "none")
            self.laptop.run("sync")
        asked = [request.method for request in self.server.take()]
        self.assertEqual((asked.count("PUT"), asked.count("GET")), (3, 1), asked)

    @staticmethod
    def todo(uid, *lines):
        inner = "\r\n".join(["BEGIN:VTODO", f"UID:{uid}", *lines, "END:VTODO"])
        return f"BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:x\r\n{inner}\r\nEND:VCALENDAR\r\n".encode()


if __name__ == "__main__":
    unittest.main()

"""Shared parts of the security tests: a canary as password, and a machine in sync with a server that then turns hostile."""

import re

from fakedav import FakeDAV
from harness import INSIDE, EndToEnd

CANARY = "canary-5ec2 correct horse"
LIST = "/dav/calendars/user/todo/"
# The memory of our process besides the limit of an answer; an empty sync needs about 25 MB.
BASE_BYTES = 64_000_000
RESPONSE = re.compile(rb"<D:response>.*?</D:response>", re.S)


class Attacked(EndToEnd):
    """A machine in sync with a server that has one list, `todo`."""

    COUNT = 30

    def setUp(self):
        super().setUp()
        self.laptop = self.device("laptop")

    def connect(self, count=None, server=None):
        server = self.serve(server or FakeDAV(password=CANARY))
        server.add_list("todo", {
            f"uid-{n}": ["DTSTAMP:20260101T000000Z", f"SUMMARY:Title {n}"] for n in range(count or self.COUNT)})
        self.laptop.add_account(server.url, password=CANARY)
        self.laptop.sync()
        server.take()
        return server

    def add(self, url, code=None, password=CANARY, arguments=()):
        return self.laptop.run("account", "add", url, "--user", "user", "--password-stdin", *arguments,
                               stdin=password + "\n", code=code)

    def assert_sentence(self, result):
        """Checks that the output is readable text and does not contain the password."""
        self.assertNotRegex(result.err, INSIDE)
        self.assertNotIn("canary", result.out + result.err)
        self.assertNotIn("\x1b", result.err)
        # An address may have 8 KiB, and a name any length.
        self.assertLess(len(result.err), 2_000)


def hrefs(change):
    """Returns a distortion that changes each member's address."""
    def lie(server, request, answer):
        answer.body = re.sub(rb"<D:href>" + LIST.encode() + rb"([^<]+)</D:href>",
                             lambda found: b"<D:href>" + change(found[1]) + b"</D:href>", answer.body)
        return answer

    return lie

"""Addresses inside calendar data are never asked: 300 of them in every place that holds one, through every command."""

import unittest

from fakedav import FakeDAV
from harness import ics
from security import CANARY, Attacked
from signin import Trap

# Texts with an address, with `@` in its place.
PLACES = (
    "ATTACH:@", "ATTACH;FMTTYPE=image/png:@", "ATTACH;FMTTYPE=text/calendar:@", "URL:@", "SOURCE;VALUE=URI:@",
    "IMAGE;VALUE=URI;DISPLAY=BADGE;FMTTYPE=image/png:@", "CONFERENCE;VALUE=URI;FEATURE=PHONE;LABEL=x:@",
    'DESCRIPTION;ALTREP="@":Text', 'SUMMARY;ALTREP="@":Title', 'LOCATION;ALTREP="@":Here', "DESCRIPTION:See @ now",
    "STRUCTURED-DATA;VALUE=URI;FMTTYPE=application/ld+json:@", "STYLED-DESCRIPTION;VALUE=URI:@", "LINK;LINKREL=SOURCE;VALUE=URI:@",
    "RELATED-TO;VALUE=URI:@", "CONCEPT:@", "REFRESH-INTERVAL;VALUE=URI:@", 'ORGANIZER;DIR="@":mailto:a',
    'ATTENDEE;DIR="@";SENT-BY="@":@', "X-ALT-DESC;FMTTYPE=text/html:<img src='@'><link rel=preload href='@'>",
    "X-APPLE-STRUCTURED-LOCATION;VALUE=URI:@", "CONTACT;ALTREP=\"@\":Somebody", "COMMENT;ALTREP=\"@\":x", "TZURL:@",
    "X-WR-RELCALID:@",
)
ALARMS = ("AUDIO", "DISPLAY", "EMAIL", "PROCEDURE", "X-OPEN")


class Addresses(Attacked):
    def forms(self):
        port, secure = self.trap.port, self.secure.port
        return [f"http://127.0.0.1:{port}/a", f"https://127.0.0.1:{secure}/b", f"http://localhost:{port}/c.ics",
                f"webcal://127.0.0.1:{port}/d", f"http://[::ffff:127.0.0.1]:{port}/e", f"http://2130706433:{port}/f",
                f"caldav://127.0.0.1:{port}/g", f"http://user:x@127.0.0.1:{port}/h", f"http://0x7f.1:{port}/i",
                f"http://127.0.0.1:{port}/j?x=1"]

    def setUp(self):
        super().setUp()
        self.trap = self.serve(Trap())
        self.secure = self.serve(Trap("server"))

    def todos(self):
        """One to-do for each place and form, and one for each kind of alarm and form: 300."""
        found = []
        for address in self.forms():
            for place in PLACES:
                name = place.split(":")[0].split(";")[0]
                lines = [place.replace("@", address)]
                found.append(lines if name == "SUMMARY" else ["SUMMARY:Title", *lines])
            for action in ALARMS:
                found.append(["SUMMARY:Alarm", "BEGIN:VALARM", f"ACTION:{action}", "TRIGGER:-PT5M", f"ATTACH:{address}",
                              "DESCRIPTION:x", "SUMMARY:x", f"ATTENDEE:{address}", "END:VALARM"])
        return {f"u-{number}": ["DTSTAMP:20260101T000000Z", "DUE:20260101T000000Z", *lines]
                for number, lines in enumerate(found)}

    def test_none_is_asked(self):
        todos = self.todos()
        self.assertEqual(len(todos), 300)
        address = self.forms()[0]
        head = [f"URL:{address}", f"SOURCE;VALUE=URI:{address}", f"IMAGE;VALUE=URI:{address}", f"X-WR-CALURL:{address}",
                f"TZURL:{address}", "REFRESH-INTERVAL;VALUE=DURATION:PT1S", "X-PUBLISHED-TTL:PT1S", f"LINK;VALUE=URI:{address}"]
        path = self.write("addresses.ics", ics(*[[f"UID:{uid}", *lines] for uid, lines in todos.items()], head=head))
        server = self.serve(FakeDAV(password=CANARY))
        server.add_list("todo", todos)
        self.laptop.add_account(server.url, password=CANARY)
        self.laptop.sync()
        self.assertEqual(len(self.laptop.items()), 300)
        other = self.device("phone")
        other.run("import", path, code=None)
        self.assertEqual(len(other.items()), 300)
        for command in ("check", "format", "expand", "to-json"):
            other.run("ics", command, path, code=None)
        identifiers = [str(entry["id"]) for entry in self.laptop.json("list", "--all")]
        for device in (self.laptop, other):
            for command in (("list",), ("list", "--all", "--json"), ("export",), ("trash",), ("conflicts",), ("log",)):
                device.run(*command, code=None)
        for identifier in identifiers[::10]:
            self.laptop.run("show", identifier)
            self.laptop.run("edit", identifier, "--title", "New")
        self.laptop.run("done", *identifiers[1::10])
        self.laptop.run("delete", *identifiers[2:8], "--yes")
        self.laptop.sync("--verify")
        self.laptop.run("undo", code=None)
        self.laptop.sync()
        self.assertEqual((self.trap.requests, self.secure.requests), ([], []))


if __name__ == "__main__":
    unittest.main()

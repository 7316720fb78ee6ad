"""The other program: raw requests to the server, without our code."""

import re
import time
import xml.etree.ElementTree as ElementTree
from dataclasses import dataclass
from urllib.parse import unquote, urlsplit
from xml.sax.saxutils import escape

from scenarios import texts

DAV = "{DAV:}"
CAL = "{urn:ietf:params:xml:ns:caldav}"
XML = {"Content-Type": "application/xml; charset=utf-8"}
SPACES = 'xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav" xmlns:A="http://apple.com/ns/ical/" ' \
    'xmlns:S="http://calendarserver.org/ns/"'


@dataclass
class Held:
    """A to-do in the form of the server."""

    href: str
    etag: str
    data: bytes

    @property
    def text(self):
        return self.data.decode()

    def __getitem__(self, name):
        return texts.value(self.data, name)

    def lines(self, name):
        return texts.lines_of(self.data, name)

    @property
    def labels(self):
        return texts.labels(self.data)


class Refused(AssertionError):
    pass


class Peer:
    def __init__(self, server):
        self.server = server

    def ask(self, method, path, body=b"", headers=None, expect=None, **options):
        """One request. Accepts any successful status, or the expected ones."""
        status, answered, payload = self.server.request(method, path, body, headers, **options)
        answered = {name.lower(): value for name, value in answered.items()}
        right = status in expect if expect else 200 <= status < 300
        if not right:
            raise Refused(f"{self.server.name} answered {status} to {method} {path}: {payload[:400]!r}")
        return status, answered, payload

    # -- lists -------------------------------------------------------------------------------------------------------

    def make_list(self, segment, name, color=None, components=("VTODO",)):
        inner = f"<D:displayname>{escape(name)}</D:displayname>"
        if color:
            inner += f"<A:calendar-color>{color}</A:calendar-color>"
        inner += "<C:supported-calendar-component-set>"
        inner += "".join(f'<C:comp name="{one}"/>' for one in components) + "</C:supported-calendar-component-set>"
        body = f"<C:mkcalendar {SPACES}><D:set><D:prop>{inner}</D:prop></D:set></C:mkcalendar>"
        path = f"{self.server.home}{segment}/"
        self.ask("MKCALENDAR", path, body.encode(), XML)
        return path

    def change_list(self, path, name=None, color=None):
        inner = f"<D:displayname>{escape(name)}</D:displayname>" if name else ""
        inner += f"<A:calendar-color>{color}</A:calendar-color>" if color else ""
        body = f"<D:propertyupdate {SPACES}><D:set><D:prop>{inner}</D:prop></D:set></D:propertyupdate>"
        self.ask("PROPPATCH", path, body.encode(), XML)

    def delete_list(self, path):
        # Cyrus sometimes answers 500 to this, also twice. If it has deleted the list nevertheless, the next answer is 404.
        status, *_ = self.ask("DELETE", path, expect=(200, 204, 500))
        for wait in (0.5, 1, 2, 4):
            if status != 500:
                return
            time.sleep(wait)
            status, *_ = self.ask("DELETE", path, expect=(200, 204, 404, 500))
        if status == 500:
            raise Refused(f"{self.server.name} answers 500 to DELETE {path} again and again")

    def lists(self):
        """The calendars in the home: path to name and colour."""
        names = "<D:resourcetype/><D:displayname/><A:calendar-color/>"
        found = {}
        for response in self.propfind(self.server.home, names, "1"):
            if response.find(f".//{DAV}resourcetype/{CAL}calendar") is not None:
                path = self.path_of(response)
                color = response.findtext(".//{http://apple.com/ns/ical/}calendar-color")
                found[path] = (response.findtext(f".//{DAV}displayname"), color)
        return found

    def token(self, path):
        response, *_ = self.propfind(path, "<D:sync-token/>", "0")
        return response.findtext(f".//{DAV}sync-token")

    def propfind(self, path, names, depth):
        body = f"<D:propfind {SPACES}><D:prop>{names}</D:prop></D:propfind>"
        _, _, answer = self.ask("PROPFIND", path, body.encode(), {**XML, "Depth": depth}, expect=(207,))
        return ElementTree.fromstring(repaired(answer)).findall(DAV + "response")

    @staticmethod
    def path_of(response):
        return urlsplit(response.findtext(DAV + "href").strip()).path

    # -- to-dos ------------------------------------------------------------------------------------------------------

    def members(self, path):
        """Decoded name to href and entity tag."""
        found = {}
        for response in self.propfind(path, "<D:getetag/><D:resourcetype/>", "1"):
            href = self.path_of(response)
            if unquote(href).rstrip("/") == unquote(path).rstrip("/"):
                continue
            if response.find(f".//{DAV}resourcetype/{DAV}collection") is None:
                found[unquote(href.rsplit("/", 1)[1])] = (href, response.findtext(f".//{DAV}getetag"))
        return found

    def get(self, href):
        """The stored object, or None."""
        status, headers, body = self.ask("GET", href, expect=(200, 404, 410))
        return Held(href, headers.get("etag"), body) if status == 200 else None

    def held(self, path):
        """The content of a list: UID to object. A duplicate UID is an error."""
        found = {}
        for href, _ in self.members(path).values():
            one = self.get(href)
            if one is not None:
                uid = texts.value(one.data, "UID")
                if uid in found:
                    raise AssertionError(f"{self.server.name} holds {uid} twice")
                found[uid] = one
        return found

    def put(self, path, uid, *lines, name=None):
        """Creates a to-do in a list. Returns its path."""
        return self.put_text(path, texts.todo(uid, *lines), name or f"{uid}.ics")

    def put_text(self, path, data, name, expect=None, **headers):
        href = path + name
        kind = {"Content-Type": "text/calendar; charset=utf-8"}
        self.ask("PUT", href, data, {**kind, **headers}, expect=expect)
        return href

    def edit(self, path, uid, *added, **options):
        """Replaces these properties of a to-do, and no others."""
        one = self.held(path)[uid]
        data = texts.edited(one.data, *added, **options)
        self.ask("PUT", one.href, data, {"Content-Type": "text/calendar; charset=utf-8", "If-Match": one.etag})

    def rewrite(self, path, uid, change):
        one = self.held(path)[uid]
        self.ask("PUT", one.href, change(one.data), {"Content-Type": "text/calendar; charset=utf-8"})

    def delete(self, path, uid):
        one = self.held(path)[uid]
        self.ask("DELETE", one.href, headers={"If-Match": one.etag})

    def delete_at(self, path, name):
        self.ask("DELETE", path + name)

    def edit_at(self, path, name, *added):
        one = self.get(path + name)
        self.put_text(path, texts.edited(one.data, *added), name)

    def move(self, href, target):
        host = f"http://127.0.0.1:{self.server.port}"
        self.ask("MOVE", href, headers={"Destination": host + target, "Overwrite": "F"})


def repaired(answer):
    """SOGo writes characters beyond the first plane as two references to surrogates, which is invalid XML."""
    def join(match):
        high, low = int(match[1]), int(match[2])
        return chr(0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00)).encode()

    return re.sub(rb"&#(5[56]\d{3});&#(5[67]\d{3});", join, answer)

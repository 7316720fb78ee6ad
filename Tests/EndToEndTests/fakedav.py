"""A CalDAV server in memory with adjustable faults.

It implements the needed parts of RFC 4918, 4791 and 6578 correctly. `intercept` (before the request is executed) or
`distort` (after it was executed) may replace the answer:

    server.intercept = lambda request: Answer(503)                 # refused, nothing was done
    server.distort = lambda request, answer: answer.cut(0.5)       # done, but the answer breaks off
"""

import base64
import re
import threading
import xml.etree.ElementTree as ElementTree
from dataclasses import dataclass, field
from xml.sax.saxutils import escape

from loopback import Handler, Listener

DAV = "{DAV:}"
CAL = "{urn:ietf:params:xml:ns:caldav}"
NAMESPACES = (
    'xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav" xmlns:S="http://calendarserver.org/ns/" '
    'xmlns:A="http://apple.com/ns/ical/"'
)
PREFIXES = {
    "DAV:": "D", "urn:ietf:params:xml:ns:caldav": "C", "http://calendarserver.org/ns/": "S",
    "http://apple.com/ns/ical/": "A",
}
XML = "application/xml; charset=utf-8"
PRINCIPAL = "/dav/principals/user/"
HOME = "/dav/calendars/user/"
OTHER_HOME = "/dav/calendars/group/"


@dataclass
class Request:
    method: str
    path: str
    headers: dict
    body: bytes


@dataclass
class Answer:
    status: int
    body: bytes = b""
    headers: dict = field(default_factory=dict)
    share: float = 1.0

    def cut(self, share):
        """The same answer, but the connection ends after this share of the body."""
        return Answer(self.status, self.body, self.headers, share)


@dataclass
class Collection:
    name: str
    components: tuple = ("VTODO",)
    items: dict = field(default_factory=dict)       # file name -> (etag, bytes)
    history: list = field(default_factory=list)     # file names, oldest change first; the token is its length
    home: str = HOME
    color: str = "#3366CCFF"
    read_only: bool = False

    def put(self, name, data):
        self.history.append(name)
        self.items[name] = (f'"{len(self.history)}"', data)

    def remove(self, name):
        del self.items[name]
        self.history.append(name)


def qualified(tag):
    namespace, _, local = tag[1:].partition("}")
    prefix = PREFIXES.get(namespace)
    return f"{prefix}:{local}" if prefix else None


class FakeDAV:
    """One account with any number of lists, on 127.0.0.1."""

    def __init__(self, user="user", password="correct horse"):
        self.user = user
        self.password = password
        self.collections = {}
        self.homes = [HOME]     # the addresses that the principal names
        self.requests = []
        self.authorized = 0     # requests with an Authorization header
        self.intercept = None
        self.distort = None
        self.realm = 0          # incremented to invalidate all older sync tokens
        self.lock = threading.RLock()
        self.listener = None

    # -- life ----------------------------------------------------------------------------------------------------

    def start(self):
        fake = self

        class FakeHandler(Handler):
            def handle_any(self):
                headers = {name.lower(): value for name, value in self.headers.items()}
                answer = fake.answer(Request(self.command, self.path, headers, self.body()))
                self.send_head(answer.status, None, answer.headers.items(), len(answer.body))
                if self.command != "HEAD" and answer.status not in (204, 304):
                    self.wfile.write(answer.body[: int(len(answer.body) * answer.share)])
                if answer.share < 1:
                    self.close_connection = True

        self.listener = Listener(FakeHandler)
        self.told_port = self.listener.server_address[1]
        return self

    def stop(self):
        self.listener.stop()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.listener.server_address[1]}/"

    # -- changes by tests ----------------------------------------------------------------------------------------

    def add_list(self, name, todos=()):
        """Creates a list with these to-dos: UID to lines."""
        collection = self.collections[name] = Collection(name)
        for uid, lines in dict(todos).items():
            body = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Fake//EN", "BEGIN:VTODO", f"UID:{uid}", *lines,
                    "END:VTODO", "END:VCALENDAR", ""]
            collection.put(f"{uid}.ics", "\r\n".join(body).encode())
        return collection

    def take(self):
        with self.lock:
            requests, self.requests = self.requests, []
            return requests

    def writes(self):
        return [request for request in self.take() if request.method not in ("PROPFIND", "REPORT", "OPTIONS", "GET")]

    def behave(self):
        self.intercept = None
        self.distort = None

    # -- answers -------------------------------------------------------------------------------------------------

    def answer(self, request):
        with self.lock:
            self.requests.append(request)
            self.authorized += "authorization" in request.headers
            intercepted = self.intercept(request) if self.intercept else None
            if intercepted is not None:
                return intercepted
            answer = self.serve(request)
            return self.distort(request, answer) if self.distort else answer

    def serve(self, request):
        secret = base64.b64encode(f"{self.user}:{self.password}".encode()).decode()
        if request.headers.get("authorization") != f"Basic {secret}":
            return Answer(401, b"", {"WWW-Authenticate": 'Basic realm="fake"'})
        path = request.path.split("?")[0]
        if path in ("/.well-known/caldav", "/.well-known/caldav/"):
            return Answer(301, b"", {"Location": "/dav/"})
        handler = getattr(self, "do_" + request.method.lower(), None)
        return handler(request, path) if handler else Answer(405)

    def locate(self, path):
        """The list and the file name of a path; each may be None."""
        match = re.fullmatch(r"(/dav/calendars/[^/]+/)([^/]+)(?:/([^/]*))?", path)
        collection = self.collections.get(match[2]) if match else None
        if collection is None or collection.home != match[1]:
            return None, None
        return collection, match[3] or None

    def do_options(self, request, path):
        return Answer(200, b"", {"DAV": "1, 3, calendar-access", "Allow": "OPTIONS, PROPFIND, REPORT, PUT, DELETE, MKCALENDAR"})

    def token(self, collection):
        return f"http://fake.example/ns/{self.realm}/{len(collection.history)}"

    def properties(self, path):
        """The properties of a resource, name to XML; None if it does not exist."""
        root = {
            "D:current-user-principal": f"<D:href>{PRINCIPAL}</D:href>",
            "D:resourcetype": "<D:collection/>",
        }
        if path in ("/", "/dav/", "/dav"):
            return root
        if path.rstrip("/") + "/" == PRINCIPAL:
            return {**root, "D:resourcetype": "<D:principal/>", "C:calendar-home-set": "".join(f"<D:href>{home}</D:href>" for home in self.homes),
                    "D:displayname": "User", "D:principal-URL": f"<D:href>{PRINCIPAL}</D:href>"}
        if path.rstrip("/") + "/" in (HOME, OTHER_HOME):
            return {**root, "D:displayname": "Home"}
        collection, name = self.locate(path)
        if collection is None:
            return None
        if name:
            if name not in collection.items:
                return None
            return {"D:getetag": escape(collection.items[name][0]), "D:resourcetype": "",
                    "D:getcontenttype": "text/calendar; component=VTODO"}
        reports = "".join(
            f"<D:supported-report><D:report><{name}/></D:report></D:supported-report>"
            for name in ("C:calendar-query", "C:calendar-multiget", "D:sync-collection")
        )
        privileges = ("read",) if collection.read_only else ("all", "read", "write")
        color = {"A:calendar-color": collection.color} if collection.color else {}
        return {
            **root,
            **color,
            "D:resourcetype": "<D:collection/><C:calendar/>",
            "D:displayname": escape(collection.name),
            "D:sync-token": self.token(collection),
            "S:getctag": self.token(collection),
            "D:supported-report-set": reports,
            "D:current-user-privilege-set": "".join(f"<D:privilege><D:{name}/></D:privilege>" for name in privileges),
            "C:supported-calendar-component-set": "".join(f'<C:comp name="{c}"/>' for c in collection.components),
        }

    def response(self, path, wanted, extra=None):
        found = self.properties(path)
        if found is None:
            return f"<D:response><D:href>{escape(path)}</D:href><D:status>HTTP/1.1 404 Not Found</D:status></D:response>"
        found = {**found, **(extra or {})}
        names = wanted or [name for name in found]
        good = "".join(f"<{name}>{found[name]}</{name}>" for name in names if name in found)
        bad = "".join(f"<{name}/>" for name in names if name and name not in found)
        text = f"<D:response><D:href>{escape(path)}</D:href>"
        if good or not bad:
            text += f"<D:propstat><D:prop>{good}</D:prop><D:status>HTTP/1.1 200 OK</D:status></D:propstat>"
        if bad:
            text += f"<D:propstat><D:prop>{bad}</D:prop><D:status>HTTP/1.1 404 Not Found</D:status></D:propstat>"
        return text + "</D:response>"

    def multistatus(self, responses, tail=""):
        text = f'<?xml version="1.0" encoding="utf-8"?>\n<D:multistatus {NAMESPACES}>{"".join(responses)}{tail}</D:multistatus>'
        return Answer(207, text.encode(), {"Content-Type": XML})

    @staticmethod
    def wanted(root):
        prop = root.find(DAV + "prop") if root is not None else None
        return None if prop is None else [name for name in (qualified(child.tag) for child in prop) if name]

    def do_propfind(self, request, path):
        if self.properties(path) is None:
            return Answer(404)
        root = ElementTree.fromstring(request.body) if request.body.strip() else None
        paths = [path]
        if request.headers.get("depth") != "0":
            collection, name = self.locate(path)
            base = path.rstrip("/") + "/"
            if base in (HOME, OTHER_HOME):
                paths += [f"{base}{key}/" for key, one in self.collections.items() if one.home == base]
            elif collection is not None and name is None:
                paths += [path.rstrip("/") + "/" + key for key in collection.items]
        return self.multistatus([self.response(one, self.wanted(root)) for one in paths])

    def do_report(self, request, path):
        collection, name = self.locate(path)
        if collection is None or name:
            return Answer(404)
        root = ElementTree.fromstring(request.body)
        wanted = self.wanted(root)
        base = path.rstrip("/") + "/"

        def one(href):
            entry = collection.items.get(href.rsplit("/", 1)[-1])
            data = {"C:calendar-data": escape(entry[1].decode())} if entry else None
            return self.response(href, wanted, data)

        if root.tag == CAL + "calendar-multiget":
            return self.multistatus([one(element.text.strip()) for element in root.findall(DAV + "href")])
        if root.tag == CAL + "calendar-query":
            return self.multistatus([one(base + key) for key in collection.items])
        if root.tag != DAV + "sync-collection":
            return Answer(403, f"<D:error {NAMESPACES}><D:supported-report/></D:error>".encode(), {"Content-Type": XML})
        token = (root.findtext(DAV + "sync-token") or "").strip()
        start = 0
        if token:
            prefix = f"http://fake.example/ns/{self.realm}/"
            if not token.startswith(prefix) or int(token[len(prefix):]) > len(collection.history):
                body = f"<D:error {NAMESPACES}><D:valid-sync-token/></D:error>"
                return Answer(403, body.encode(), {"Content-Type": XML})
            start = int(token[len(prefix):])
        changed = dict.fromkeys(collection.history[start:])
        names = [key for key in changed if token or key in collection.items]
        return self.multistatus(
            [one(base + key) for key in names], f"<D:sync-token>{self.token(collection)}</D:sync-token>")

    def do_get(self, request, path):
        collection, name = self.locate(path)
        if collection is None or name not in collection.items:
            return Answer(404) if collection is None or name else Answer(200, b"<html></html>", {"Content-Type": "text/html"})
        tag, data = collection.items[name]
        return Answer(200, data, {"ETag": tag, "Content-Type": "text/calendar; charset=utf-8"})

    @staticmethod
    def refused(request, existing):
        """RFC 9110 section 13.1: whether a condition of the request does not hold."""
        match, none_match = request.headers.get("if-match"), request.headers.get("if-none-match")
        if match is not None and (existing is None or (match != "*" and existing[0] not in match.split(", "))):
            return True
        return none_match == "*" and existing is not None

    def do_put(self, request, path):
        collection, name = self.locate(path)
        if collection is None or not name:
            return Answer(409)
        existing = collection.items.get(name)
        if collection.read_only:
            return Answer(403)
        if self.refused(request, existing):
            return Answer(412)
        collection.put(name, request.body)
        return Answer(204 if existing else 201, b"", {"ETag": collection.items[name][0]})

    def do_delete(self, request, path):
        collection, name = self.locate(path)
        existing = collection.items.get(name) if collection and name else None
        if collection is None or (name and existing is None):
            return Answer(404)
        if collection.read_only:
            return Answer(403)
        if self.refused(request, existing):
            return Answer(412)
        if name:
            collection.remove(name)
        else:
            del self.collections[path.rstrip("/").rsplit("/", 1)[-1]]
        return Answer(204)

    def do_mkcalendar(self, request, path):
        key = path.rstrip("/").rsplit("/", 1)[-1]
        if not path.startswith(HOME) or key in self.collections:
            return Answer(405)
        root = ElementTree.fromstring(request.body) if request.body.strip() else None
        name = root.findtext(f".//{DAV}displayname") if root is not None else None
        self.collections[key] = Collection(name or key)
        return Answer(201)

    def do_proppatch(self, request, path):
        collection, name = self.locate(path)
        if collection is None or name:
            return Answer(404)
        root = ElementTree.fromstring(request.body)
        done = []
        for instruction in root:
            for prop in instruction.find(DAV + "prop"):
                done.append(qualified(prop.tag))
                if not collection.read_only and done[-1] == "D:displayname":
                    collection.name = prop.text
                if not collection.read_only and done[-1] == "A:calendar-color":
                    collection.color = prop.text if instruction.tag == DAV + "set" else ""
        status = "403 Forbidden" if collection.read_only else "200 OK"
        props = "".join(f"<{one}/>" for one in done)
        return self.multistatus([
            f"<D:response><D:href>{escape(path)}</D:href><D:propstat><D:prop>{props}</D:prop>"
            f"<D:status>HTTP/1.1 {status}</D:status></D:propstat></D:response>"])

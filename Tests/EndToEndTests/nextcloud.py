"""A server in memory that answers like Nextcloud 32.0.1, according to recorded exchanges.

Nextcloud cannot be installed from Debian or PyPI, so this server replaces it. It differs from the RFCs in points that a
client must support: deleted objects are in a trash, keep their UIDs, and can be restored by MOVE; a delta has the highest
operation per address, so that an object that was deleted and restored is reported as removed; the answer to a token from
the future is empty; hrefs are escaped in another way; a second to-do of one UID is refused with 400; a missing member is
left out of a multiget; the cookies of a session replace the password.
"""

import base64
import itertools
import re
import secrets
import threading
import time
import xml.etree.ElementTree as ElementTree
from dataclasses import dataclass, field
from urllib.parse import unquote, urlsplit
from xml.sax.saxutils import escape

from loopback import Handler, Listener
from realservers.base import PASSWORD, USER

DAV, CAL = "{DAV:}", "{urn:ietf:params:xml:ns:caldav}"
PREFIXES = {
    "DAV:": "d", "urn:ietf:params:xml:ns:caldav": "cal", "http://calendarserver.org/ns/": "cs",
    "http://apple.com/ns/ical/": "x1", "http://sabredav.org/ns": "s", "http://nextcloud.com/ns": "nc",
    "http://owncloud.org/ns": "oc",
}
SPACES = " ".join(f'xmlns:{prefix}="{space}"' for space, prefix in PREFIXES.items())
XML = {"Content-Type": "application/xml; charset=utf-8"}
ROOT = "/remote.php/dav/"
OLD_ROOT = "/remote.php/caldav/"
PRINCIPAL = f"{ROOT}principals/users/{USER}/"
HOME = f"{ROOT}calendars/{USER}/"
PAGE = b"<!DOCTYPE html><html><head><title>Nextcloud</title></head><body>Tasks</body></html>"
TRASH = f"{HOME}trashbin/"
# Operations as the table of changes has them (CalDavBackend).
ADDED, CHANGED, DELETED = 1, 2, 3
# The limit of a request (the max-resource-size of Nextcloud).
MAXIMUM_SIZE = 10_485_760
# With SQLite, a write takes so long that others meet its lock.
WRITING_SECONDS = 0.02
# Failed logins of an address before it gets no other answer (brute force protection).
FAILED_LOGINS = 10


@dataclass
class Answer:
    status: int
    body: bytes = b""
    headers: dict = field(default_factory=dict)


@dataclass
class Trashed:
    number: int                 # names it in the trash
    name: str                   # decoded; where it goes when it is restored
    text: bytes


@dataclass
class Calendar:
    number: int
    name: str
    color: str = None
    components: tuple = ("VEVENT", "VTODO")
    is_read_only: bool = False
    items: dict = field(default_factory=dict)           # decoded name -> (etag, bytes, uid)
    trash: dict = field(default_factory=dict)           # uid -> Trashed
    # Pairs of a decoded name and an operation, oldest first; the token is its length.
    history: list = field(default_factory=list)
    dead: dict = field(default_factory=dict)

    @property
    def token(self):
        return f"http://sabre.io/ns/sync/{len(self.history) + 1}"


def refusal(status, kind, message, inner="", **headers):
    body = (
        f'<?xml version="1.0" encoding="utf-8"?>\n<d:error {SPACES}>\n'
        f"  <s:exception>{kind}</s:exception>\n  <s:message>{escape(message)}</s:message>\n{inner}</d:error>\n"
    )
    return Answer(status, body.encode(), {**XML, **headers})


def shown(name):
    """A name in an href of sabre/dav: it escapes other characters than other servers, with lower-case hex digits."""
    return "".join(
        chr(byte) if chr(byte) in "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.~@()!*':,;&="
        else f"%{byte:02x}" for byte in name.encode())


def qualified(tag):
    space, _, local = tag[1:].partition("}")
    prefix = PREFIXES.get(space)
    return f"{prefix}:{local}" if prefix else f"?{tag}"


class Nextcloud:
    name = "nextcloud"
    title = "Nextcloud (transcript)"
    path = "/remote.php/dav/"
    home = HOME

    def __init__(self):
        self.user, self.password = USER, PASSWORD
        self.lock = threading.RLock()
        self.numbers = itertools.count(1)
        self.calendars = {"personal": Calendar(0, "Personal", "#0082c9", ("VEVENT",))}
        self.trashed_calendars = {}
        self.sessions = set()
        self.signed_in = 0              # requests with a password, which cost a real server 200 ms each
        self.in_maintenance = False
        # Whether its database is one file that one request at a time can write (SQLite): others fail at once.
        self.is_locking = False
        self.under_way = 0
        self.locked_out = 0             # requests that met the lock
        # Whether too many wrong passwords lock an address out.
        self.is_throttling = False
        self.failed_logins = 0
        self.locked_puts = 0            # so many PUTs are answered as SQLite does while another request writes
        self.restores = True            # whether objects in the trash can be restored

    def version(self):
        return "32.0.1"

    # -- life, and requests of our own -------------------------------------------------------------------------------

    def start(self):
        cloud = self

        class CloudHandler(Handler):
            def handle_any(self):
                headers = {name.lower(): value for name, value in self.headers.items()}
                body = self.body()
                answer = cloud.answer_beside_others(self.command, self.path, headers, body)
                self.send_head(answer.status, None, list(pairs(answer.headers)), len(answer.body))
                if self.command != "HEAD" and answer.status not in (204, 304):
                    self.wfile.write(answer.body)

        self.listener = Listener(CloudHandler)
        self.port = self.listener.server_address[1]
        return self

    def stop(self):
        self.listener.stop()

    __enter__ = start

    def __exit__(self, *_):
        self.stop()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}/"

    def request(self, method, path, body=b"", headers=None, user=None):
        """Like a request over the network by the account's owner, for the other program of a scenario."""
        secret = base64.b64encode(f"{user or self.user}:{self.password}".encode()).decode()
        lower = {name.lower(): value for name, value in (headers or {}).items()}
        with self.lock:
            answer = self.answer(method, path, {"authorization": f"Basic {secret}", **lower}, body)
        return answer.status, dict(answer.headers), answer.body

    def fill(self, peer, path, texts):
        for uid, text in texts.items():
            peer.put_text(path, text, uid + ".ics")

    def read_only_list(self, peer, name, text):
        path = peer.make_list("shown", name)
        peer.put_text(path, text, "one.ics")
        shown_list = self.calendars["shown"]
        shown_list.is_read_only = True
        return path, lambda: setattr(shown_list, "is_read_only", False)

    # -- signing in --------------------------------------------------------------------------------------------------

    def answer_beside_others(self, method, path, headers, body):
        """The answer of a server that works on several requests at once."""
        with self.lock:
            self.under_way += 1
            meets_lock = self.is_locking and self.under_way > 1 and method in ("PUT", "DELETE", "REPORT", "MOVE")
            self.locked_out += meets_lock
            answer = self.locked(method) if meets_lock else self.answer(method, path, headers, body)
        if self.is_locking and not meets_lock:
            time.sleep(WRITING_SECONDS)
        with self.lock:
            self.under_way -= 1
        return answer

    def locked(self, method):
        """Every request of a session writes, so that a report meets the lock as well."""
        words = "An exception occurred while executing a query: SQLSTATE[HY000]: General error: 5 database is locked"
        if method == "REPORT" or self.locked_out % 4 == 0:
            return refusal(503, "OC\\DB\\Exceptions\\DbalException", words)
        return refusal(500, "Doctrine\\DBAL\\Exception\\LockWaitTimeoutException", words)

    def answer(self, method, path, headers, body):
        path = path.split("?")[0]
        if self.in_maintenance and not path.startswith("/remote.php/"):
            return Answer(503, PAGE, {"Content-Type": "text/html; charset=UTF-8", "Retry-After": "120"})
        if self.in_maintenance:
            return refusal(503, "Sabre\\DAV\\Exception\\ServiceUnavailable", "System is in maintenance mode.")
        if path.startswith("/.well-known/"):
            return Answer(404, PAGE, {"Content-Type": "text/html; charset=UTF-8"})
        if self.is_throttling and self.failed_logins >= FAILED_LOGINS:
            return refusal(429, "OCP\\Security\\Bruteforce\\MaxDelayReached", "Reached maximum delay")
        if not path.startswith("/remote.php/"):
            if "authorization" in headers and self.sign_in(headers) is None:
                self.failed_logins += 1
                # It does not say how to sign in.
                return Answer(401, b'{"message":""}', {"Content-Type": "application/json; charset=utf-8"})
            return Answer(200 if method in ("GET", "HEAD") else 405, PAGE, {"Content-Type": "text/html; charset=UTF-8"})
        cookies = self.sign_in(headers)
        if cookies is None:
            self.failed_logins += "authorization" in headers
            return refusal(
                401, "Sabre\\DAV\\Exception\\NotAuthenticated", "No public access to this resource., Username or "
                "password was incorrect", **{"WWW-Authenticate": 'Basic realm="Nextcloud", charset="UTF-8"'})
        if path.startswith(OLD_ROOT):
            path = ROOT + path[len(OLD_ROOT):]
        handler = getattr(self, "do_" + method.lower(), None)
        if handler is None:
            answer = refusal(501, "Sabre\\DAV\\Exception\\NotImplemented", f"There was no handler found for {method}")
        else:
            answer = handler(path, headers, body)
        answer.headers = {**answer.headers, "X-Request-Id": secrets.token_hex(10), "Set-Cookie": cookies}
        return answer

    def sign_in(self, headers):
        """The cookies to send; None without a user."""
        sent = dict(re.findall(r"([^=; ]+)=([^;]*)", headers.get("cookie", "")))
        if sent.get("nc_session_id") in self.sessions:
            return []
        secret = base64.b64encode(f"{self.user}:{self.password}".encode()).decode()
        if headers.get("authorization") != f"Basic {secret}":
            return None
        self.signed_in += 1
        session = secrets.token_hex(13)
        self.sessions.add(session)
        return [
            f"oc_sessionPassphrase={secrets.token_urlsafe(24)}; path=/; HttpOnly; SameSite=Lax",
            f"nc_session_id={session}; path=/; HttpOnly; SameSite=Lax", "nc_sameSiteCookielax=true; path=/; SameSite=lax",
        ]

    # -- resources ---------------------------------------------------------------------------------------------------

    def locate(self, path):
        """The calendar and the decoded name that a path means, either of them None."""
        if not path.startswith(HOME):
            return None, None
        first, _, rest = path[len(HOME):].partition("/")
        return self.calendars.get(unquote(first)), unquote(rest) or None

    def segment(self, path):
        return unquote(path[len(HOME):].strip("/")) if path.startswith(HOME) else ""

    def properties(self, path):
        """The properties of a resource, name to XML; None if it does not exist."""
        root = {
            "d:resourcetype": "<d:collection/>",
            "d:current-user-principal": f"<d:href>{PRINCIPAL}</d:href>",
        }
        slashed = path.rstrip("/") + "/"
        if slashed in (ROOT, f"{ROOT}principals/", f"{ROOT}calendars/"):
            return root
        if slashed == PRINCIPAL:
            return {
                **root, "d:resourcetype": "<d:collection/><d:principal/>", "d:displayname": "User",
                "cal:calendar-home-set": f"<d:href>{HOME}</d:href>",
                "cal:calendar-user-address-set": f"<d:href>mailto:user@example.net</d:href><d:href>{PRINCIPAL}</d:href>",
                "d:principal-URL": f"<d:href>{PRINCIPAL}</d:href>",
            }
        if slashed == HOME:
            return {**root, "d:displayname": "user"}
        kind = {
            f"{HOME}inbox/": "<cal:schedule-inbox/>", f"{HOME}outbox/": "<cal:schedule-outbox/>",
            f"{HOME}trashbin/": "<nc:trash-bin/>", f"{HOME}holidays/": "<cs:subscribed/>",
        }.get(slashed)
        if kind:
            return {**root, "d:resourcetype": "<d:collection/>" + kind, "cal:supported-calendar-component-set":
                    '<cal:comp name="VEVENT"/><cal:comp name="VTODO"/>'}
        calendar, name = self.locate(path)
        if calendar is None:
            return None
        return self.of_item(calendar, name) if name else {**root, **self.of_calendar(calendar)}

    @staticmethod
    def of_item(calendar, name):
        entry = calendar.items.get(name)
        if entry is None:
            return None
        etag, data, _ = entry
        return {
            "d:getetag": escape(etag, {'"': "&quot;"}), "d:resourcetype": "",
            "d:getcontenttype": "text/calendar; charset=utf-8; component=vtodo",
            "d:getcontentlength": str(len(data)), "cal:calendar-data": escape(data.decode("utf-8", "replace")),
        }

    @staticmethod
    def of_calendar(calendar):
        reports = ("d:sync-collection", "cal:calendar-multiget", "cal:calendar-query")
        privileges = ["d:read", "d:read-acl", "cal:read-free-busy", "d:read-current-user-privilege-set"]
        if not calendar.is_read_only:
            privileges += ["d:write", "d:write-properties", "d:write-content", "d:bind", "d:unbind", "d:unlock"]
        found = {
            "d:resourcetype": "<d:collection/><cal:calendar/>", "d:displayname": escape(calendar.name),
            "d:sync-token": calendar.token, "cs:getctag": calendar.token,
            "d:supported-report-set": "".join(
                f"<d:supported-report><d:report><{one}/></d:report></d:supported-report>" for one in reports),
            "d:current-user-privilege-set": "".join(f"<d:privilege><{one}/></d:privilege>" for one in privileges),
            "cal:supported-calendar-component-set": "".join(f'<cal:comp name="{one}"/>' for one in calendar.components),
            "cal:supported-calendar-data": '<cal:calendar-data content-type="text/calendar" version="2.0"/>'
                                           '<cal:calendar-data content-type="application/calendar+json"/>',
            "cal:max-resource-size": str(MAXIMUM_SIZE), **calendar.dead,
        }
        if calendar.color:
            found["x1:calendar-color"] = escape(calendar.color)
        return found

    # -- multistatus -------------------------------------------------------------------------------------------------

    def response(self, path, wanted, minimal=False):
        found = self.properties(path)
        if wanted is None:
            wanted = [name for name in found if name != "cal:calendar-data"]
        good = "".join(f"<{name}>{found[name]}</{name}>" for name in wanted if name in found)
        bad = "".join(f"<{name}/>" for name in wanted if name not in found and not name.startswith("?"))
        text = f"<d:response><d:href>{escape(self.escaped(path))}</d:href>"
        if good or not bad:
            text += f"<d:propstat><d:prop>{good}</d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat>"
        if bad and not minimal:
            text += f"<d:propstat><d:prop>{bad}</d:prop><d:status>HTTP/1.1 404 Not Found</d:status></d:propstat>"
        return text + "</d:response>"

    @staticmethod
    def escaped(path):
        return "/".join(shown(unquote(part)) for part in path.split("/"))

    @staticmethod
    def multistatus(responses, tail=""):
        text = f'<?xml version="1.0"?>\n<d:multistatus {SPACES}>{"".join(responses)}{tail}</d:multistatus>\n'
        return Answer(207, text.encode(), dict(XML))

    @staticmethod
    def wanted(root):
        prop = root.find(DAV + "prop") if root is not None else None
        return None if prop is None else [qualified(child.tag) for child in prop]

    # -- methods -----------------------------------------------------------------------------------------------------

    def do_options(self, path, headers, body):
        return Answer(200, b"", {
            "DAV": "1, 3, extended-mkcol, access-control, calendarserver-principal-property-search, oc-resource-sharing, "
                   "calendar-access, calendar-proxy, calendarserver-subscribed, nextcloud-checksum-update",
            "Allow": "OPTIONS, GET, HEAD, DELETE, PROPFIND, PUT, PROPPATCH, COPY, MOVE, REPORT"})

    def not_found(self, path):
        return refusal(404, "Sabre\\DAV\\Exception\\NotFound", f"Node with name '{self.segment(path)}' could not be found")

    def do_propfind(self, path, headers, body):
        if path == f"{TRASH}objects":
            return refusal(501, "Sabre\\DAV\\Exception\\NotImplemented", "")
        if self.properties(path) is None:
            return self.not_found(path)
        wanted = self.wanted(ElementTree.fromstring(body)) if body.strip() else None
        minimal = "return=minimal" in headers.get("prefer", "")
        paths = [path.rstrip("/") + "/" if self.locate(path)[1] is None else path]
        if headers.get("depth", "1") != "0":
            calendar, name = self.locate(path)
            if path.rstrip("/") + "/" == HOME:
                paths += [f"{HOME}{shown(key)}/" for key in [*self.calendars, "holidays", "inbox", "outbox", "trashbin"]]
            elif calendar is not None and name is None:
                paths += [paths[0] + shown(key) for key in calendar.items]
        return self.multistatus([self.response(one, wanted, minimal) for one in paths])

    def do_report(self, path, headers, body):
        calendar, name = self.locate(path)
        root = ElementTree.fromstring(body)
        wanted = self.wanted(root)
        if path == f"{TRASH}objects" and root.tag == CAL + "calendar-query":
            return self.multistatus(self.trashed(wanted))
        if calendar is None or name:
            return self.not_found(path)
        base = path.rstrip("/") + "/"
        if root.tag == CAL + "calendar-multiget":
            asked = [urlsplit(element.text.strip()).path for element in root.findall(DAV + "href")]
            # Missing members are left out of the answer.
            there = [href for href in asked if self.locate(href)[0] is calendar and self.properties(href)]
            return self.multistatus([self.response(href, wanted) for href in dict.fromkeys(there)])
        if root.tag == CAL + "calendar-query":
            if headers.get("depth", "0") == "0":
                return self.multistatus([])
            return self.multistatus([self.response(base + shown(key), wanted) for key in calendar.items])
        if root.tag != DAV + "sync-collection":
            return refusal(415, "Sabre\\DAV\\Exception\\ReportNotSupported", "The report is not supported")
        return self.changes(calendar, base, root, wanted)

    def trashed(self, wanted):
        for key, calendar in self.calendars.items():
            for one in calendar.trash.values():
                found = {"nc:calendar-uri": escape(key), "cal:calendar-data": escape(one.text.decode("utf-8", "replace"))}
                good = "".join(f"<{name}>{found[name]}</{name}>" for name in wanted or () if name in found)
                yield (f"<d:response><d:href>{TRASH}objects/{one.number}.ics</d:href><d:propstat><d:prop>{good}</d:prop>"
                       "<d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response>")

    def in_trash(self, path):
        """The calendar and the UID of the object with this address in the trash; (None, None) without one."""
        match = re.fullmatch(re.escape(TRASH) + r"objects/(\d+)\.ics", path)
        for calendar in self.calendars.values():
            for uid, one in calendar.trash.items():
                if match and one.number == int(match[1]):
                    return calendar, uid
        return None, None

    def restore(self, path, destination):
        calendar, uid = self.in_trash(path)
        if calendar is None or not destination.startswith(f"{TRASH}restore/"):
            return self.not_found(path)
        one = calendar.trash[uid]
        if one.name in calendar.items or not self.restores:
            return refusal(403, "Sabre\\DAV\\Exception\\Forbidden", f"Can not restore calendar object {one.number}")
        del calendar.trash[uid]
        calendar.items[one.name] = (f'"{secrets.token_hex(16)}"', one.text, uid)
        calendar.history.append((one.name, ADDED))
        return Answer(201)

    def changes(self, calendar, base, root, wanted):
        token = (root.findtext(DAV + "sync-token") or "").strip()
        tail = f"<d:sync-token>{calendar.token}</d:sync-token>"
        if not token:
            if root.find(DAV + "limit") is not None:
                return refusal(507, "Sabre\\DAV\\Exception\\InsufficientStorage", "The limit is not supported here",
                               "<d:number-of-matches-within-limits/>\n")
            return self.multistatus([self.response(base + shown(key), wanted) for key in calendar.items], tail)
        match = re.fullmatch(r"http://sabre\.io/ns/sync/(\d+)", token)
        if not match:
            return refusal(403, "Sabre\\DAV\\Exception\\InvalidSyncToken", "Invalid or unknown sync token",
                           "<d:valid-sync-token/>\n")
        # A token from the future, as after a restore from a backup, is no error: nothing has happened since.
        responses = []
        # SELECT uri, MAX(operation) ... GROUP BY uri
        highest = {}
        for key, operation in calendar.history[int(match[1]) - 1:]:
            highest[key] = max(operation, highest.get(key, 0))
        for key, operation in highest.items():
            if not key:
                continue            # the calendar's own name or colour
            href = base + shown(key)
            if operation != DELETED:
                responses.append(self.response(href, wanted))
            else:
                responses.append(
                    f"<d:response><d:href>{escape(href)}</d:href><d:status>HTTP/1.1 404 Not Found</d:status></d:response>")
        return self.multistatus(responses, tail)

    def do_get(self, path, headers, body):
        calendar, name = self.locate(path)
        entry = calendar.items.get(name) if calendar and name else None
        if entry is None:
            return self.not_found(path)
        return Answer(200, entry[1], {
            "ETag": entry[0], "Content-Type": "text/calendar; charset=utf-8; component=vtodo"})

    def do_put(self, path, headers, body):
        calendar, name = self.locate(path)
        if calendar is None:
            return refusal(409, "Sabre\\DAV\\Exception\\Conflict", "Files can only be created as children of collections")
        if not name:
            return refusal(405, "Sabre\\DAV\\Exception\\MethodNotAllowed", "PUT is not allowed on non-files.")
        if self.locked_puts:
            self.locked_puts -= 1
            return refusal(500, "Doctrine\\DBAL\\Exception\\LockWaitTimeoutException", "An exception occurred while "
                           "executing a query: SQLSTATE[HY000]: General error: 5 database is locked")
        existing = calendar.items.get(name)
        refused = self.forbidden(calendar) or self.condition(headers, existing) or self.invalid(calendar, body)
        if refused:
            return refused
        text, was_changed = self.completed(body)
        uid = re.search(r"^UID:(.*?)\r?$", text.decode("utf-8", "replace"), re.MULTILINE)[1]
        for key, (_, _, other) in calendar.items.items():
            if other == uid and key != name:
                return refusal(400, "Sabre\\DAV\\Exception\\BadRequest",
                               "Calendar object with uid already exists in this calendar collection.")
        if existing is None and uid in calendar.trash:
            return refusal(500, "Doctrine\\DBAL\\Exception\\UniqueConstraintViolationException",
                           "An exception occurred while executing a query: SQLSTATE[23000]: Integrity constraint "
                           "violation: 19 UNIQUE constraint failed: oc_calendarobjects.calendarid, "
                           "oc_calendarobjects.calendartype, oc_calendarobjects.uid")
        calendar.history.append((name, CHANGED if existing else ADDED))
        etag = f'"{secrets.token_hex(16)}"'
        calendar.items[name] = (etag, text, uid)
        # A body that was changed is not vouched for.
        return Answer(204 if existing else 201, b"", {} if was_changed else {"ETag": etag})

    @staticmethod
    def forbidden(calendar):
        if calendar.is_read_only:
            return refusal(403, "Sabre\\DAVACL\\Exception\\NeedPrivileges",
                           "User did not have the required privileges ({DAV:}write) for path",
                           "<d:need-privileges><d:resource><d:privilege><d:write/></d:privilege></d:resource>"
                           "</d:need-privileges>\n")
        return None

    @staticmethod
    def condition(headers, existing):
        """RFC 9110 section 13.1; a stale If-Match learns the current tag."""
        match, none_match = headers.get("if-match"), headers.get("if-none-match")
        if none_match == "*" and existing is not None:
            return refusal(412, "Sabre\\DAV\\Exception\\PreconditionFailed", "An If-None-Match header was specified, but "
                           "the ETag matched (or * was specified).", "<s:header>If-None-Match</s:header>\n")
        if match is not None and (existing is None or match != "*" and existing[0] not in match.split(", ")):
            now = {"ETag": existing[0]} if existing else {}
            return refusal(412, "Sabre\\DAV\\Exception\\PreconditionFailed", "An If-Match header was specified, but none "
                           "of the specified ETags matched.", "<s:header>If-Match</s:header>\n", **now)
        return None

    @staticmethod
    def invalid(calendar, body):
        text = body.decode("utf-8", "replace")
        wrong = None
        if len(body) > MAXIMUM_SIZE:
            return refusal(403, "OCA\\DAV\\CalDAV\\Validation\\CalDavValidatePlugin",
                           f"VEVENT or VTODO object exceeds {MAXIMUM_SIZE} bytes")
        if not text.lstrip("\ufeff").startswith("BEGIN:VCALENDAR") or "END:VCALENDAR" not in text:
            wrong = "This resource only supports valid iCalendar 2.0 data. Parse error: This parser only supports VCARD " \
                    "and VCALENDAR files"
        start, due = (re.search(rf"^{name}[^:]*:(\S+)", text, re.MULTILINE) for name in ("DTSTART", "DUE"))
        if start and due and len(start[1]) == len(due[1]) and due[1] < start[1]:
            wrong = "Validation error in iCalendar: DUE must occur after DTSTART"
        if wrong:
            return refusal(415, "Sabre\\DAV\\Exception\\UnsupportedMediaType", wrong)
        kinds = set(re.findall(r"^BEGIN:(VTODO|VEVENT|VJOURNAL)", text, re.MULTILINE))
        if not kinds <= set(calendar.components):
            return refusal(403, "Sabre\\CalDAV\\Exception\\InvalidComponentType",
                           f"This calendar only supports {', '.join(calendar.components)}. We found a {kinds}",
                           "<cal:supported-calendar-component/>\n")
        return None

    @staticmethod
    def completed(body):
        """The body with a UID, and whether it lacked one."""
        if re.search(rb"^UID:", body, re.MULTILINE):
            return body, False
        return re.sub(rb"(BEGIN:VTODO\r?\n)", rb"\1UID:" + secrets.token_hex(16).encode() + rb"\r\n", body), True

    def do_delete(self, path, headers, body):
        calendar, uid = self.in_trash(path)
        if calendar is not None:
            del calendar.trash[uid]
            return Answer(204)
        calendar, name = self.locate(path)
        if calendar is None:
            return self.not_found(path)
        if not name:
            # A calendar goes to the trash and keeps its address.
            key = self.segment(path)
            self.trashed_calendars[key] = self.calendars.pop(key)
            return Answer(204)
        existing = calendar.items.get(name)
        if existing is None:
            return self.not_found(path)
        refused = self.forbidden(calendar) or self.condition(headers, existing)
        if refused:
            return refused
        calendar.trash[existing[2]] = Trashed(next(self.numbers), name, existing[1])
        self.take_away(calendar, name)
        return Answer(204)

    @staticmethod
    def take_away(calendar, name):
        del calendar.items[name]
        calendar.history.append((name, DELETED))

    def do_move(self, path, headers, body):
        if path.startswith(TRASH):
            return self.restore(path, urlsplit(headers.get("destination", "")).path)
        calendar, name = self.locate(path)
        there, new = self.locate(urlsplit(headers.get("destination", "")).path)
        entry = calendar.items.get(name) if calendar and name else None
        if entry is None or there is None or not new:
            return self.not_found(path)
        if there is calendar:
            return refusal(403, "Sabre\\DAV\\Exception\\Forbidden", "Permission denied to rename file")
        refused = self.forbidden(calendar) or self.forbidden(there) or self.condition(headers, entry)
        if refused:
            return refused
        if new in there.items:
            return refusal(412, "Sabre\\DAV\\Exception\\PreconditionFailed", "The destination node already exists, and the "
                           "overwrite header is set to false")
        if any(uid == entry[2] for _, _, uid in there.items.values()):
            return refusal(400, "Sabre\\DAV\\Exception\\BadRequest",
                           "Calendar object with uid already exists in this calendar collection.")
        self.take_away(calendar, name)
        there.items[new] = entry
        there.history.append((new, ADDED))
        return Answer(201, b"", {"ETag": entry[0]})

    def do_mkcalendar(self, path, headers, body):
        key = self.segment(path)
        if not key or key in self.calendars or key in self.trashed_calendars:
            return refusal(405, "Sabre\\DAV\\Exception\\MethodNotAllowed",
                           "The resource you tried to create already exists")
        root = ElementTree.fromstring(body) if body.strip() else ElementTree.Element("none")
        components = tuple(one.get("name") for one in root.iter(CAL + "comp")) or ("VEVENT", "VTODO")
        name = root.findtext(f".//{DAV}displayname") or key
        color = root.findtext(".//{http://apple.com/ns/ical/}calendar-color")
        self.calendars[key] = Calendar(next(self.numbers), name, color, components)
        return Answer(201)

    def do_proppatch(self, path, headers, body):
        calendar, name = self.locate(path)
        if calendar is None or name:
            return self.not_found(path)
        refused = self.forbidden(calendar)
        if refused:
            return refused
        names = []
        for element in ElementTree.fromstring(body).findall(f".//{DAV}prop/*"):
            names.append(qualified(element.tag))
            if names[-1] == "d:displayname":
                calendar.name = element.text or ""
            elif names[-1] == "x1:calendar-color":
                calendar.color = element.text
            elif not names[-1].startswith("?"):
                calendar.dead[names[-1]] = escape(element.text or "")
        calendar.history.append(("", CHANGED))
        empty = "".join(f"<{one}/>" for one in names if not one.startswith("?"))
        # The address comes back without the slash at its end.
        return self.multistatus([
            f"<d:response><d:href>{escape(self.escaped(path.rstrip('/')))}</d:href><d:propstat><d:prop>{empty}</d:prop>"
            "<d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response>"])


def pairs(headers):
    for name, value in headers.items():
        for one in value if isinstance(value, list) else [value]:
            yield name, one

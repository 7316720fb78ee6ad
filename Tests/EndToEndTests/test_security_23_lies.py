"""A server with false answers: nothing is deleted or doubled on either side, and the edits of both sides arrive as soon as
its answers are correct.

test_safety also tests that a failing server, an empty listing and half a listing delete nothing.
"""

import re
import unittest

from fakedav import HOME, XML, Answer
from harness import OK, PARTIAL, ics
from security import LIST, RESPONSE, Attacked, hrefs

PAGE = b"<!DOCTYPE html><html><head><title>Sign in</title></head><body>Hello</body></html>"


def replaced(*pairs):
    def lie(server, request, answer):
        for old, new in pairs:
            answer.body = re.sub(old, new, answer.body, flags=re.S)
        return answer

    return lie


def instead(status, body=b"", headers=None):
    return lambda server, request, answer: Answer(status, body, {"Content-Type": XML, **(headers or {})})


def members(change):
    """Makes a distortion of the responses, from a function of their list. The head and the tail, with the token, stay."""
    def lie(server, request, answer):
        found = RESPONSE.findall(answer.body)
        if found:
            start, end = answer.body.index(found[0]), answer.body.rindex(found[-1]) + len(found[-1])
            answer.body = answer.body[:start] + b"".join(change(found)) + answer.body[end:]
        return answer

    return lie


def shifted(found, name):
    """Gives each response the element of the response before it."""
    pattern = re.compile(rb"<%s>.*?</%s>" % (name, name), re.S)
    contents = [match[0] if (match := pattern.search(one)) else b"" for one in found]
    return [pattern.sub(lambda _: contents[index - 1], one) for index, one in enumerate(found)]


def answered(status):
    return lambda server, request, answer: server.multistatus([
        f"<D:response><D:href>{LIST}</D:href><D:status>HTTP/1.1 {status}</D:status></D:response>"])


def each(status):
    return replaced((rb"<D:propstat>.*?</D:propstat>", b"<D:status>HTTP/1.1 %s</D:status>" % status))


DATA = rb"(<C:calendar-data>).*?(</C:calendar-data>)"
ETAG = rb"<D:getetag>.*?</D:getetag>"
TOKEN = rb"<D:sync-token>.*?</D:sync-token>"

# False answers about members. Each is used twice: in the changes since a token, and in the whole listing.
ABOUT_MEMBERS = {
    "every member twice": members(lambda found: found * 2),
    "every member twice, with two ETags": members(
        lambda found: found + [re.sub(ETAG, b'<D:getetag>"other"</D:getetag>', one) for one in found]),
    "members once more under escaped names": members(
        lambda found: found + [one.replace(b"uid-", b"%75id-", 1) for one in found]),
    "members of another list": hrefs(lambda name: b"/dav/calendars/user/other/" + name),
    "members of another user": hrefs(lambda name: b"/dav/calendars/somebody/todo/" + name),
    "members of another host": hrefs(lambda name: b"http://evil.example" + LIST.encode() + name),
    "members of a name like ours": hrefs(lambda name: b"//127.0.0.1.evil.example" + LIST.encode() + name),
    "members a folder below": hrefs(lambda name: LIST.encode() + b"below/" + name),
    "members by a way around": hrefs(lambda name: LIST.encode() + b"../other/" + name),
    "members without an address": hrefs(lambda name: b""),
    "the list in the place of its members": hrefs(lambda name: LIST.encode()),
    "no address at all": replaced((rb"<D:href>.*?</D:href>", b"")),
    "a page with 200": instead(200, PAGE, {"Content-Type": "text/html"}),
    "a page with 207": instead(207, PAGE, {"Content-Type": "text/html"}),
    "nothing with 207": instead(207),
    "nothing with 200": instead(200),
    "nothing with 204": instead(204),
    "not modified": instead(304),
    "another element": instead(207, b'<?xml version="1.0"?><D:prop xmlns:D="DAV:"/>'),
    "another namespace": replaced((rb'xmlns:D="DAV:"', b'xmlns:D="dav:"')),
    "no member and no token": lambda server, request, answer: server.multistatus([]),
    "no member": members(lambda found: []),
    "half the members": members(lambda found: found[: len(found) // 2]),
    "the list itself alone, not found": answered("404 Not Found"),
    "the list itself alone, gone": answered("410 Gone"),
    "the list itself alone, full": answered("507 Insufficient Storage"),
    "all members not found": each(b"404 Not Found"),
    "all members forbidden": each(b"403 Forbidden"),
    "all members in trouble": each(b"500 Internal Server Error"),
    "a status of no sense": each(b"banana"),
    "a status beyond numbers": each(b"99999999999999999999 OK"),
    "no status": replaced((rb"<D:status>.*?</D:status>", b"")),
    "no properties": replaced((rb"<D:propstat>.*?</D:propstat>", b"")),
    "no ETag": replaced((ETAG, b"")),
    "an empty ETag": replaced((ETAG, b"<D:getetag/>")),
    "one ETag for all": replaced((ETAG, b'<D:getetag>"same"</D:getetag>')),
    "ETags of another member": members(lambda found: shifted(found, b"D:getetag")),
    "an ETag of a megabyte": replaced((ETAG, b'<D:getetag>"' + b"e" * 1_000_000 + b'"</D:getetag>')),
    "an ETag with lines in it": replaced((ETAG, b'<D:getetag>"a&#13;&#10;X-Bad: 1"</D:getetag>')),
    "no token": replaced((TOKEN, b"")),
    "an empty token": replaced((TOKEN, b"<D:sync-token/>")),
    "the first token again": replaced((TOKEN, b"<D:sync-token>http://fake.example/ns/0/0</D:sync-token>")),
    "a token from the future": replaced((TOKEN, b"<D:sync-token>http://fake.example/ns/0/99999</D:sync-token>")),
    "a token of a megabyte": replaced((TOKEN, b"<D:sync-token>" + b"t" * 1_000_000 + b"</D:sync-token>")),
    "texts of another member": members(lambda found: shifted(found, b"C:calendar-data")),
    "empty texts": replaced((DATA, rb"\1\2")),
    "half a text": replaced((rb"END:VTODO.*?(</C:calendar-data>)", rb"\1")),
    "a page for a text": replaced((DATA, rb"\1&lt;html>\2")),
    "an event for a to-do": replaced((rb"VTODO", b"VEVENT")),
    "texts without a UID": replaced((rb"UID:[^\r\n&<]*(\r\n|&#13;\n|\n)", b"")),
    "two to-dos in a text": replaced((rb"END:VTODO", b"END:VTODO\r\nBEGIN:VTODO\r\nUID:intruder\r\nEND:VTODO")),
    "broken XML": lambda server, request, answer: Answer(207, answer.body[:-20], answer.headers),
}

# False answers about the existing lists.
ABOUT_HOME = {
    "no list": lambda server, request, answer: server.multistatus([]),
    "a list less": members(lambda found: [one for one in found if LIST.encode() not in one]),
    "lists twice": members(lambda found: found * 2),
    "a list that is a plain folder": replaced((rb"<C:calendar/>", b"")),
    "a list of events": replaced((rb'name="VTODO"', b'name="VEVENT"')),
    "a list without properties": replaced((rb"<D:propstat>.*?</D:propstat>", b"")),
    "the home not found": lambda server, request, answer: server.multistatus([
        f"<D:response><D:href>{HOME}</D:href><D:status>HTTP/1.1 404 Not Found</D:status></D:response>"]),
    "lists of another host": replaced((rb"<D:href>/dav", b"<D:href>http://evil.example/dav")),
    "lists of another user": replaced((rb"<D:href>/dav/calendars/user/", b"<D:href>/dav/calendars/eve/")),
    "a page": instead(200, PAGE, {"Content-Type": "text/html"}),
}

# False answers about writes.
ABOUT_WRITES = {
    "kept, and not kept": None,
    "kept elsewhere": instead(201, b"", {"Location": "http://evil.example/x.ics"}),
    "the ETag of another": instead(204, b"", {"ETag": '"1"'}),
    "an empty ETag": instead(204, b"", {"ETag": ""}),
    "a multistatus": lambda server, request, answer: server.multistatus([]),
    "a page": instead(200, PAGE, {"Content-Type": "text/html"}),
    "kept, and says not found": instead(404),
    "kept, and says conflict": instead(409),
    "kept, and says a condition failed": instead(412),
    "kept, and says in trouble": instead(500),
    "kept, and says too many": instead(429, b"", {"Retry-After": "0"}),
    "kept, and leads elsewhere": instead(301, b"", {"Location": "http://evil.example/x.ics"}),
}


# False answers that are undetectable as long as the token reports no changes: the comparison with the
# whole listing, which a sync makes once a week, corrects them. Nothing is lost until then.
UNSEEN = {"members a folder below", "the list in the place of its members", "no member"}
# The same with an unchanged ETag: the next edit of the reminder corrects them.
BELIEVED = {"a page for a text", "half a text", "an event for a to-do", "texts without a UID"}

# By RFC 6578 this reports a deleted reminder; it returns with a correct answer.
SAID_TO_BE_DELETED = {"all members not found"}
# The list of that other user is an additional list here, and is then lost: this is reported.
ONE_MORE_LIST = {"lists of another user"}


class FalseAnswers(Attacked):
    def setUp(self):
        super().setUp()
        self.round = 0
        self.begin()

    def begin(self):
        """A new machine and server; the next false answer needs them after one that had an effect."""
        self.laptop = self.device(f"laptop-{self.round}")
        self.server = self.connect()
        self.tasks = self.server.collections["todo"]
        self.ids = {entry["uid"]: str(entry["id"]) for entry in self.laptop.json("list", "--all")}
        self.uids = sorted(self.ids)
        self.files = sorted(self.tasks.items)
        self.spoilt = False

    def edit_there(self, uid, title):
        name = f"{uid}.ics"
        self.tasks.put(name, re.sub(rb"SUMMARY:.*?\r\n", b"SUMMARY:%s\r\n" % title.encode(), self.tasks.items[name][1]))

    def assert_nothing_deleted_or_doubled(self):
        self.assertEqual(sorted(entry["uid"] for entry in self.laptop.json("list", "--all")), self.uids)
        self.assertEqual(sorted(self.tasks.items), self.files)
        for name, (_, data) in self.tasks.items.items():
            self.assertEqual(re.findall(rb"UID:(\S+)", data), [name.removesuffix(".ics").encode()])
        for request in self.server.requests:
            self.assertNotIn(request.method, ("DELETE", "MKCALENDAR", "MOVE", "PROPPATCH"))
            self.assertNotIn("x-bad", request.headers)

    def tell(self, name, prepare):
        """Runs a sync with an edit on each side and false answers, and at most two with correct answers."""
        if self.spoilt:
            self.begin()
        with self.subTest(name):
            self.spoilt = True
            self.round += 1
            here, there = f"Here {self.round}", f"There {self.round}"
            self.laptop.run("edit", self.ids["uid-1"], "--title", here)
            for uid in ("uid-2", "uid-3", "uid-4"):
                self.edit_there(uid, there)
            self.server.take()
            prepare()
            changed = []
            distort = self.server.distort

            def watched(request, answer):
                before = (answer.status, answer.body, dict(answer.headers))
                after = distort(request, answer)
                changed.append((after.status, after.body, after.headers) != before)
                return after

            if distort:
                self.server.distort = watched
            result = self.laptop.run("sync", code=None, timeout=60)
            self.assertTrue(not distort or any(changed), "the false answer was never sent")
            self.assertIn(result.code, range(10), repr(result))
            self.assert_sentence(result)
            if name not in SAID_TO_BE_DELETED:
                self.assert_nothing_deleted_or_doubled()
            self.server.behave()
            for _ in range(2):
                result = self.laptop.run("sync", code=None)
            if name in BELIEVED:
                self.edit_there("uid-2", there)
            if name in UNSEEN | BELIEVED | SAID_TO_BE_DELETED:
                result = self.laptop.run("sync", *([] if name in BELIEVED else ["--verify"]), code=None)
            if name in ONE_MORE_LIST:
                self.assertEqual(result.code, PARTIAL, repr(result))
                self.laptop.run("lists", "delete", "todo (127.0.0.1)", "--yes")
                result = self.laptop.run("sync", code=None)
            self.assertEqual(result.code, OK, repr(result))
            self.assert_nothing_deleted_or_doubled()
            titles = {entry["uid"]: entry["title"] for entry in self.laptop.json("list", "--all")}
            self.assertEqual((titles["uid-1"], titles["uid-2"]), (here, there))
            self.assertIn(f"SUMMARY:{here}\r".encode(), self.tasks.items["uid-1.ics"][1])
            self.assertIn(f"SUMMARY:{there}\r".encode(), self.tasks.items["uid-2.ics"][1])
            self.spoilt = False

    def when(self, condition, lie):
        self.server.distort = lambda request, answer: (
            lie(self.server, request, answer) if condition(request, answer) else answer)

    @staticmethod
    def of_members(request, answer):
        return request.path == LIST and request.method in ("REPORT", "PROPFIND") and answer.status == 207

    def test_about_members_in_changes(self):
        for name, lie in ABOUT_MEMBERS.items():
            self.tell(name, lambda: self.when(self.of_members, lie))

    def test_about_members_in_a_whole_listing(self):
        for name, lie in ABOUT_MEMBERS.items():
            def prepare():
                self.server.realm += 1
                self.when(self.of_members, lie)

            self.tell(name, prepare)

    def test_about_lists(self):
        for name, lie in ABOUT_HOME.items():
            self.tell(name, lambda: self.when(
                lambda request, answer: request.path == HOME and request.method == "PROPFIND", lie))

    def test_about_writes(self):
        for name, lie in ABOUT_WRITES.items():
            def prepare():
                if lie:
                    self.when(lambda request, answer: request.method == "PUT", lie)
                else:
                    self.server.intercept = lambda request: Answer(204) if request.method == "PUT" else None

            self.tell(name, prepare)

    def test_writes_that_are_dropped_for_ever(self):
        """Dropped items are sent again with each sync, and reported, until the server stores them."""
        self.laptop.run("edit", self.ids["uid-1"], "--title", "Here")
        self.laptop.run("add", "New", "--list", "todo")
        self.server.take()
        # A new item gets no entity tag: a server does not create one for an item that it drops.
        self.server.intercept = lambda request: Answer(
            204, b"", {} if "if-none-match" in request.headers else {"ETag": '"kept"'}) if request.method == "PUT" else None
        for _ in range(2):
            self.laptop.run("sync")
        for _ in range(2):
            self.server.take()
            result = self.laptop.run("sync", code=PARTIAL)
            self.assertRegex(result.err, r"^remindav: todo: 2 reminders left out: .*The server accepts the reminder "
                                         r"but does not store it\. It stays on this computer, .*\n$")
            self.assert_sentence(result)
            self.assertEqual(sum(request.method == "PUT" for request in self.server.take()), 2)
        self.server.behave()
        # The last dropped item is still reported.
        self.laptop.run("sync", code=PARTIAL)
        self.assertIn(b"SUMMARY:Here\r", self.tasks.items["uid-1.ics"][1])
        self.assertEqual(len(self.tasks.items), len(self.files) + 1)
        self.laptop.run("sync")
        self.server.take()
        self.laptop.run("sync")
        self.assertEqual([request.method for request in self.server.take()], ["PROPFIND"])

    def test_names_with_the_same_appearance(self):
        """UIDs and file names with the same letters in other octets are two reminders, also if one is edited and one deleted."""
        for name, uid in (("caf%C3%A9.ics", "caf\u00e9"), ("cafe%CC%81.ics", "cafe\u0301")):
            self.tasks.put(name, ics([f"UID:{uid}", "DTSTAMP:20260101T000000Z", f"SUMMARY:{len(uid)}"]))
        self.laptop.sync()
        here = {entry["title"]: str(entry["id"]) for entry in self.laptop.json("list", "--all")}
        self.laptop.run("edit", here["4"], "--title", "Edited")
        self.laptop.run("delete", here["5"], "--yes")
        self.laptop.sync()
        self.assertEqual(sorted(self.tasks.items), sorted([*self.files, "caf%C3%A9.ics"]))
        self.assertIn(b"SUMMARY:Edited\r", self.tasks.items["caf%C3%A9.ics"][1])

    def test_about_everything_in_turn(self):
        """ETags that differ in each answer, as on some servers."""
        numbers = iter(range(1_000_000))

        def flap(server, request, answer):
            answer.body = re.sub(ETAG, lambda _: b'<D:getetag>"%d"</D:getetag>' % next(numbers), answer.body)
            return answer

        self.tell("ETags that flap", lambda: self.when(self.of_members, flap))


if __name__ == "__main__":
    unittest.main()

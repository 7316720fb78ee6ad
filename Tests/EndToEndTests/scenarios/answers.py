"""Faulty and unusual answers. A proxy before the server produces those that the server does not send itself."""

import re
import time

from harness import NETWORK, OK, PARTIAL, SAFETY, changes
from proxy import LOST, Answer
from scenarios import scenario, texts

UNWELL = (PARTIAL, NETWORK)
ERROR = [("Content-Type", "application/xml; charset=utf-8")]


def once(method, act, count=1):
    """Calls `act` for the first requests of this method; its answer takes the place of the server's."""
    left = [count]

    def before(request):
        if request.method == method and left[0] > 0:
            left[0] -= 1
            return act(request)
        return None

    return before


def todos(count):
    return {f"todo-{number}": [f"SUMMARY:To-do {number}"] for number in range(count)}


def without_queries(request):
    """A first sync may ask for everything by a query; here the server has no such thing."""
    return Answer(501) if is_report(request, "calendar-query") else None


def without_texts(request):
    """The server may send texts along with the changes; here it is not asked to, so that they are fetched afterwards."""
    if is_report(request, "sync-collection"):
        request.body = re.sub(rb"<(?:\w+:)?calendar-data[^>]*/>", b"", request.body)
    return without_queries(request)


def is_report(request, kind):
    return request.method == "REPORT" and kind.encode() in request.body


# -- another client is faster ----------------------------------------------------------------------------------------


@scenario("Edited there between our listing and our PUT: both edits are kept")
def stale_put(stage):
    path, laptop = stage.one("SUMMARY:Bread")
    stage.edit_here(laptop, "one", "--title", "Rye bread")
    stage.proxy.before = once("PUT", lambda request: stage.peer.edit(path, "one", "DESCRIPTION:Faster"))
    laptop.sync()
    stage.proxy.behave()
    laptop.sync_until_quiet()
    held = stage.peer.held(path)["one"]
    stage.equal((held["SUMMARY"], held["DESCRIPTION"]), ("Rye bread", "Faster"))


@scenario("Edited there between our listing and our DELETE: the edit stays", "a DELETE under a condition")
def stale_delete(stage):
    path, laptop = stage.one("SUMMARY:Bread")
    stage.peer.put(path, "two")
    laptop.sync()
    stage.delete_here(laptop, "one")
    stage.proxy.before = once("DELETE", lambda request: stage.peer.edit(path, "one", "DESCRIPTION:Faster"))
    stage.sync(laptop, None)
    stage.proxy.behave()
    laptop.sync_until_quiet()
    held = stage.peer.held(path)
    if stage.can("a DELETE under a condition"):
        stage.equal(held["one"]["DESCRIPTION"], "Faster")
        stage.equal(laptop.by_uid("one")["notes"], "Faster")
    else:
        stage.equal(set(held), {"two"})


@scenario("Edited there between our listing and the request for its text: the latest text arrives")
def edited_before_multiget(stage):
    path, laptop = stage.one("SUMMARY:Bread")
    for uid in ("two", "three"):
        stage.peer.put(path, uid)
    done = []

    def before(request):
        instead = without_texts(request)
        if is_report(request, "calendar-multiget") and not done:
            done.append(1)
            stage.peer.edit(path, "two", "SUMMARY:Newest")
        return instead

    stage.proxy.before = before
    laptop.sync()
    stage.proxy.behave()
    stage.check.assertTrue(done)
    laptop.sync()
    stage.equal(laptop.by_uid("two")["title"], "Newest")
    stage.quiet(laptop)


@scenario("Added, edited and deleted there during a first sync: the next sync matches the server")
def changed_during_first_sync(stage):
    path = stage.list(todos=todos(4))
    laptop = stage.device()

    def is_everything(request):
        # Another list of the account may be asked at the same time.
        if request.path != path:
            return False
        is_listing = request.method == "PROPFIND" and request.headers.get("depth") == "1"
        return is_listing or is_report(request, "calendar-query") or is_report(request, "sync-collection")

    def before(request):
        if is_everything(request) and not stage.peer.held(path).get("early"):
            stage.peer.put(path, "early")
            stage.peer.delete(path, "todo-1")

    def after(request, answer):
        if is_everything(request) and not stage.peer.held(path).get("late"):
            stage.peer.put(path, "late")
            stage.peer.edit(path, "todo-2", "SUMMARY:Newest")
            stage.peer.delete(path, "todo-3")
        return answer

    stage.proxy.before, stage.proxy.after = before, after
    laptop.sync()
    stage.proxy.behave()
    laptop.sync()
    stage.equal(stage.uids(laptop), {"todo-0", "todo-2", "early", "late"})
    stage.equal(laptop.by_uid("todo-2")["title"], "Newest")
    stage.quiet(laptop)


@scenario("Deleted there between our listing and the request for its text: the rest arrives")
def deleted_before_multiget(stage):
    path, laptop = stage.one("SUMMARY:Bread")
    for uid in ("two", "three", "four"):
        stage.peer.put(path, uid)
    done = []

    def before(request):
        instead = without_texts(request)
        if is_report(request, "calendar-multiget") and not done:
            done.append(1)
            stage.peer.delete(path, "two")
        return instead

    stage.proxy.before = before
    laptop.sync()
    stage.proxy.behave()
    stage.check.assertTrue(done)
    stage.equal(stage.uids(laptop), {"one", "three", "four"})
    stage.quiet(laptop)


@scenario(
    "The same UID is added there between our listing and our PUT: it exists once, with the text of both sides",
    "refuses a doubled UID")
def created_between(stage):
    path, laptop = stage.one("SUMMARY:Bread")
    laptop.run("import", "-", "--list", "Tasks", stdin=texts.todo("new", "SUMMARY:New", "PRIORITY:1"))
    stage.proxy.before = once("PUT", lambda request: stage.peer.put(
        path, "new", "SUMMARY:New", "DESCRIPTION:Faster", name="faster.ics") and None)
    stage.sync(laptop, None)
    stage.proxy.behave()
    for _ in range(3):
        stage.sync(laptop, None)
    members = stage.peer.members(path)
    if stage.can("refuses a doubled UID"):
        held = stage.peer.held(path)["new"]
        stage.equal((held["SUMMARY"], held["DESCRIPTION"], held["PRIORITY"]), ("New", "Faster", "1"))
        stage.equal(len(members), 2)
    else:
        # Two resources of one UID: neither is deleted, one of them is the reminder.
        stage.equal(len(members), 3)
    stage.equal(stage.uids(laptop), {"one", "new"})


# -- tokens ----------------------------------------------------------------------------------------------------------


def behind_the_token(stage, change):
    """The other program edits and deletes; then the store's token is another. Everything has to be found all the same."""
    path, laptop = stage.one("SUMMARY:Bread")
    for uid in ("two", "three", "four", "five"):
        stage.peer.put(path, uid)
    laptop.sync()
    stage.peer.edit(path, "one", "SUMMARY:Rye bread")
    stage.peer.delete(path, "two")
    stage.edit_here(laptop, "three", "--title", "Edited here")
    # Without tokens it is the list's ctag that both sides compare.
    stage.check.assertTrue(stage.tamper(laptop, change) or stage.tamper(laptop, change, column="ctag"))
    laptop.sync()
    laptop.sync_until_quiet()
    stage.equal(stage.uids(laptop), {"one", "three", "four", "five"})
    stage.equal(laptop.by_uid("one")["title"], "Rye bread")
    stage.equal(stage.peer.held(path)["three"]["SUMMARY"], "Edited here")


@scenario("The sync token is lost: both sides are compared again and nothing is lost")
def lost_token(stage):
    behind_the_token(stage, lambda token: None)


@scenario("The sync token is unknown to the server: deletions there are still detected")
def invalid_token(stage):
    behind_the_token(stage, lambda token: "bogus")


@scenario("The sync token is from the future, as after a server was restored from a backup: nothing is missed")
def token_from_the_future(stage):
    def later(token):
        match = re.search(r"(?<![0-9a-zA-Z])\d+$", token)
        if match:
            return token[: match.start()] + str(int(match[0]) + 1000)
        # No number: one that the server gives to a state that it has not reached.
        return token[:-4] + ("0000" if token[-4:] != "0000" else "1111")

    behind_the_token(stage, later)


@scenario(
    "The server forgets its tokens (403 valid-sync-token, through the proxy): one full comparison, nothing lost",
    "sync-collection")
def forgotten_token(stage):
    path, laptop = stage.one("SUMMARY:Bread")
    stage.peer.put(path, "two")
    laptop.sync()
    stage.peer.delete(path, "two")
    stage.peer.put(path, "three")
    body = b'<D:error xmlns:D="DAV:"><D:valid-sync-token/></D:error>'
    refused = []

    def before(request):
        if is_report(request, "sync-collection") and not re.search(rb"sync-token\s*/>|sync-token></", request.body):
            refused.append(request.path)
            return Answer(403, body, ERROR)
        return None

    stage.proxy.before = before
    laptop.sync()
    stage.proxy.behave()
    stage.equal(path in refused, stage.can("sync-collection"))
    stage.equal(stage.uids(laptop), {"one", "three"})
    stage.quiet(laptop)


@scenario("A server without sync-collection (refused by the proxy): entity tags are compared instead")
def without_sync_collection(stage):
    stage.proxy.before = lambda request: Answer(
        403, b'<D:error xmlns:D="DAV:"><D:supported-report/></D:error>', ERROR) \
        if is_report(request, "sync-collection") else None
    path, laptop, desk = stage.pair({"one": ["SUMMARY:Bread"], "two": []})
    stage.peer.edit(path, "one", "SUMMARY:Rye bread")
    stage.delete_here(laptop, "two")
    stage.settle(laptop, desk)
    stage.equal(stage.titles(desk), ["Rye bread"])
    stage.equal(set(stage.peer.held(path)), {"one"})


@scenario(
    "Changes are requested by token if the server has tokens, else by entity tags; both find them",
    "sync-collection")
def by_token(stage):
    path, laptop = stage.one("SUMMARY:Bread")
    stage.peer.put(path, "two")
    laptop.sync()
    stage.peer.put(path, "three")
    stage.peer.delete(path, "two")
    asked = []

    def before(request):
        if is_report(request, "sync-collection"):
            asked.append("token")
        elif request.method == "PROPFIND" and request.path == path and request.headers.get("depth") == "1":
            asked.append("tags")

    stage.proxy.before = before
    laptop.sync()
    stage.equal(stage.uids(laptop), {"one", "three"})
    stage.equal(set(asked), {"token" if stage.can("sync-collection") else "tags"})


@scenario(
    "Changes that come in pages (507 and a token in the middle, made by the proxy): all of them arrive", "sync-collection")
def pages(stage):
    path = stage.list(todos=todos(7))
    laptop = stage.device()
    split = re.compile(rb"(?=<(?:\w+:)?response[ >])")
    halved = []

    def before(request):
        if is_report(request, "sync-collection"):
            request.is_second = b"second-page" in request.body
            request.body = request.body.replace(b"second-page", b"")
        return without_queries(request)

    def after(request, answer):
        if not is_report(request, "sync-collection") or answer.status != 207:
            return answer
        head, *responses = split.split(answer.body)
        if len(responses) < 2:
            return answer
        end = responses[-1].rindex(b"response>") + len(b"response>")
        responses[-1], tail = responses[-1][:end], responses[-1][end:]
        half = len(responses) // 2
        halved.append(request.is_second)
        if request.is_second:
            answer.body = head + b"".join(responses[half:]) + tail
            return answer
        token = b'<x:sync-token xmlns:x="DAV:">second-page</x:sync-token>'
        full = b'<x:response xmlns:x="DAV:"><x:href>' + path.encode() + b"</x:href><x:status>HTTP/1.1 507 Insufficient " \
            b"Storage</x:status><x:error><x:number-of-matches-within-limits/></x:error></x:response>"
        without = re.sub(rb"<((?:\w+:)?sync-token)[^>]*>[^<]*</\1>", b"", head), \
            re.sub(rb"<((?:\w+:)?sync-token)[^>]*>[^<]*</\1>", b"", tail)
        answer.body = without[0] + b"".join(responses[:half]) + full + token + without[1]
        return answer

    stage.proxy.before, stage.proxy.after = before, after
    laptop.sync()
    stage.equal(stage.uids(laptop), set(todos(7)))
    stage.equal(halved, [False, True] if stage.can("sync-collection") else [])
    stage.proxy.behave()
    laptop.sync()
    stage.equal(stage.uids(laptop), set(todos(7)))
    stage.peer.delete(path, "todo-3")
    laptop.sync()
    stage.equal(len(laptop.items()), 6)


@scenario("The server sets a cookie (the proxy does): Remindav returns it during the run and does not store it")
def cookies(stage):
    path, laptop = stage.one("SUMMARY:Bread")
    stage.peer.put(path, "two")
    sent = []

    def after(request, answer):
        sent.append("session=canary-1234567" in request.headers.get("cookie", ""))
        answer.headers.append(("Set-Cookie", "session=canary-1234567; path=/; HttpOnly"))
        return answer

    stage.proxy.after = after
    laptop.sync()
    stage.check.assertGreater(len(sent), 1)
    stage.equal(sent, [False] + [True] * (len(sent) - 1))
    for file in laptop.folder.rglob("*"):
        stage.check.assertFalse(file.is_file() and b"canary-1234567" in file.read_bytes(), file.name)


# -- entity tags and bodies ------------------------------------------------------------------------------------------


@scenario(
    "No entity tag comes back from a PUT (removed by the proxy): the item is read again, no edit war")
def no_etag(stage):
    def after(request, answer):
        return answer.without("ETag") if request.method == "PUT" else answer

    stage.proxy.after = after
    path, laptop, desk = stage.pair({"one": ["SUMMARY:Bread"]})
    laptop.run("add", "New", "--list", "Tasks")
    stage.edit_here(laptop, "one", "--title", "Rye bread")
    stage.settle(laptop, desk)
    stage.edit_here(desk, "one", "--title", "White bread")
    stage.settle(laptop, desk)
    stage.equal(stage.titles(laptop), ["New", "White bread"])
    stage.quiet(laptop, desk)
    stage.equal(len(stage.peer.held(path)), 2)


@scenario("Entity tags are weak (made so by the proxy): edits of both sides still arrive")
def weak_etags(stage):
    weakened = []

    def after(request, answer):
        answer.headers = [(name, "W/" + value if name.lower() == "etag" and not value.startswith("W/") else value)
                          for name, value in answer.headers]
        if answer.status == 207:
            answer.body, count = re.subn(rb"(getetag[^>]*>\s*)(&quot;|\"|&#34;)", rb"\1W/\2", answer.body)
            weakened.append(count)
        return answer

    stage.proxy.after = after
    path, laptop, desk = stage.pair({"one": ["SUMMARY:Bread"]})
    stage.edit_here(laptop, "one", "--title", "Rye bread")
    stage.peer.edit(path, "one", "DESCRIPTION:There")
    stage.settle(laptop, desk)
    held = stage.peer.held(path)["one"]
    stage.equal((held["SUMMARY"], held["DESCRIPTION"]), ("Rye bread", "There"))
    stage.check.assertTrue(any(weakened))
    stage.quiet(laptop, desk)


@scenario("The server rewrites the body (done by the proxy: sorted, a property added): no edit war")
def rewritten(stage):
    def before(request):
        if request.method == "PUT":
            lines = texts.unfolded(texts.edited(request.body, "X-SERVER-NOTE:rewritten", modified=texts.value(request.body, "LAST-MODIFIED")))
            inside = texts.own(lines)
            for index, line in zip(inside, sorted(lines[index] for index in inside)):
                lines[index] = line
            request.body = texts.folded(lines)

    stage.proxy.before = before
    path, laptop, desk = stage.pair({"one": ["SUMMARY:Bread"]})
    laptop.run("add", "New", "--list", "Tasks")
    stage.edit_here(laptop, "one", "--title", "Rye bread")
    stage.settle(laptop, desk)
    stage.edit_here(desk, "one", "--notes", "From the baker")
    stage.settle(laptop, desk)
    stage.quiet(laptop, desk)
    held = stage.peer.held(path)["one"]
    stage.equal((held["SUMMARY"], held["DESCRIPTION"]), ("Rye bread", "From the baker"))
    stage.equal(held["X-SERVER-NOTE"], "rewritten")


@scenario("A member is missing in the response to a multiget (by the proxy): it is requested separately")
def missing_member(stage):
    path = stage.list(todos=todos(6))
    laptop = stage.device()

    left_out = []

    def after(request, answer):
        if is_report(request, "calendar-multiget"):
            parts = re.split(rb"(?=<(?:\w+:)?response[ >])", answer.body)
            if len(parts) > 3:
                answer.body = b"".join(parts[:2] + parts[3:])
                left_out.append(parts[2])
        return answer

    stage.proxy.before, stage.proxy.after = without_texts, after
    laptop.sync()
    stage.check.assertTrue(left_out)
    stage.equal(stage.uids(laptop), set(todos(6)))
    stage.proxy.behave()
    stage.quiet(laptop)


# -- objects that are no to-dos --------------------------------------------------------------------------------------


@scenario(
    "An object in the list is not a to-do: the rest is synced, and the object stays unchanged", "keeps events out of a to-do list")
def an_event(stage):
    path, laptop = stage.one("SUMMARY:Bread")
    event = texts.calendar(texts.component(
        "event", "SUMMARY:Meeting", "DTSTART:20350301T090000Z", "DTEND:20350301T100000Z", kind="VEVENT"))
    expect = (403,) if stage.can("keeps events out of a to-do list") else (201, 204)
    stage.peer.put_text(path, event, "event.ics", expect=expect)
    stage.edit_here(laptop, "one", "--title", "Rye bread")
    laptop.sync()
    stage.equal(stage.uids(laptop), {"one"})
    stage.equal(stage.peer.held(path)["one"]["SUMMARY"], "Rye bread")
    members = stage.peer.members(path)
    stage.equal("event.ics" in members, expect != (403,))
    stage.quiet(laptop)


@scenario("The same UID at two addresses of one list: shown once here, and neither is deleted", "refuses a doubled UID")
def doubled(stage):
    path, laptop = stage.one("SUMMARY:Bread")
    expect = (400, 403, 409, 412) if stage.can("refuses a doubled UID") else (201, 204)
    stage.peer.put_text(path, texts.todo("one", "SUMMARY:Second"), "second.ics", expect=expect)
    stage.peer.put(path, "two")
    stage.sync(laptop, (OK, PARTIAL))
    stage.equal(stage.uids(laptop), {"one", "two"})
    stage.edit_here(laptop, "one", "--notes", "Edited")
    stage.sync(laptop, (OK, PARTIAL))
    stage.equal(len(stage.peer.members(path)), 2 if stage.can("refuses a doubled UID") else 3)
    texts_there = [stage.peer.get(href).data for href, _ in stage.peer.members(path).values()]
    stage.equal(sum(b"Edited" in data for data in texts_there), 1)


@scenario("Unusual names: spaces, percent signs, umlauts, @ and + in the address of a to-do are supported")
def odd_names(stage):
    path = stage.list()
    names = {
        "space": "a%20b.ics", "percent": "100%25.ics", "umlaut": "%C3%BCber.ics", "at": "c%40d.ics", "plus": "e+f.ics",
        "decomposed": "u%CC%88ber.ics",
    }
    for uid, name in names.items():
        stage.peer.put(path, uid, name=name)
    laptop, desk = stage.device("laptop"), stage.device("desk")
    laptop.sync()
    desk.sync()
    stage.equal(stage.uids(laptop), set(names))
    for uid in names:
        stage.edit_here(laptop, uid, "--title", f"Edited {uid}")
    stage.settle(laptop, desk)
    held = stage.peer.held(path)
    stage.equal({uid: one["SUMMARY"] for uid, one in held.items()}, {uid: f"Edited {uid}" for uid in names})
    stage.quiet(laptop, desk)
    stage.delete_here(desk, *names)
    stage.settle(laptop, desk)
    stage.equal(stage.peer.held(path), {})


@scenario(
    "The server writes an address with upper-case or lower-case hex digits (by the proxy): it is the same to-do",
    "escapes what it lists")
def hex_digits(stage):
    turns, spelled = [], set()

    def after(request, answer):
        if answer.status == 207:
            turns.append(1)
            change = bytes.upper if len(turns) % 2 else bytes.lower
            spelled.update(re.findall(rb"%[cC]3%[bB][cC]", answer.body))
            answer.body = re.sub(
                rb"(href>)([^<]*)(</)",
                lambda match: match[1] + re.sub(rb"%[0-9A-Fa-f]{2}", lambda one: change(one[0]), match[2]) + match[3],
                answer.body)
        return answer

    path = stage.list()
    stage.peer.put(path, "one", name="%C3%BCber%20alles.ics")
    stage.peer.put(path, "two", name="ma%C3%9F.ics")
    stage.proxy.after = after
    laptop = stage.device()
    for turn in range(3):
        laptop.sync()
        stage.edit_here(laptop, "one", "--title", f"Turn {turn}")
        stage.peer.edit(path, "two", f"SUMMARY:Turn {turn}")
        laptop.sync()
    stage.equal(stage.uids(laptop), {"one", "two"})
    stage.equal(stage.titles(laptop), ["Turn 2", "Turn 2"])
    stage.equal(len(stage.peer.members(path)), 2)
    stage.equal(bool(spelled), stage.can("escapes what it lists"))


# -- refusals --------------------------------------------------------------------------------------------------------


@scenario(
    "No space is left (507 through the proxy): the rest is synced, nothing is lost, and it is sent when there is space")
def quota(stage):
    path, laptop = stage.one("SUMMARY:Bread")
    body = b'<D:error xmlns:D="DAV:"><D:quota-not-exceeded/></D:error>'
    stage.proxy.before = lambda request: Answer(507, body, ERROR) if request.method == "PUT" else None
    laptop.run("add", "New", "--list", "Tasks")
    stage.peer.put(path, "two")
    stage.complaint(stage.sync(laptop, None), UNWELL, "space|quota|full|507")
    stage.equal(len(laptop.items()), 3)
    stage.proxy.behave()
    laptop.sync()
    stage.equal(len(stage.peer.held(path)), 3)
    stage.quiet(laptop)


@scenario("One to-do is too big for the server (413 through the proxy): it is named and waits, the others arrive")
def too_big(stage):
    path, laptop = stage.one("SUMMARY:Bread")
    stage.proxy.before = lambda request: Answer(413) if request.method == "PUT" and b"Big" in request.body else None
    laptop.run("add", "Big", "--list", "Tasks")
    laptop.run("add", "Small", "--list", "Tasks")
    stage.complaint(stage.sync(laptop, None), PARTIAL, "large|big|413|refused")
    stage.equal(sorted(one["SUMMARY"] for one in stage.peer.held(path).values()), ["Bread", "Small"])
    stage.proxy.behave()
    # A refused text is sent again after an edit, after a week, or by request.
    laptop.sync("--now")
    stage.equal(len(stage.peer.held(path)), 3)


@scenario("Maintenance (503 without Retry-After, through the proxy): nothing is lost, and the next sync completes it")
def maintenance(stage):
    path, laptop = stage.one("SUMMARY:Bread")
    stage.edit_here(laptop, "one", "--title", "Rye bread")
    body = b'<D:error xmlns:D="DAV:" xmlns:s="http://sabredav.org/ns"><s:message>System is in maintenance mode.' \
           b"</s:message></D:error>"
    stage.proxy.before = lambda request: Answer(503, body, ERROR)
    started = time.monotonic()
    stage.complaint(stage.sync(laptop, None), UNWELL, "later|busy|maintenance")
    stage.check.assertLess(time.monotonic() - started, 60)
    stage.equal(laptop.by_uid("one")["title"], "Rye bread")
    stage.proxy.behave()
    laptop.sync()
    stage.equal(stage.peer.held(path)["one"]["SUMMARY"], "Rye bread")


@scenario("Maintenance begins in the middle of a sync (503 from the first PUT on): nothing is lost, nothing is stored twice")
def maintenance_in_the_middle(stage):
    path, laptop = stage.one("SUMMARY:Bread")
    laptop.run("import", "-", "--list", "Tasks", stdin=texts.calendar(*[texts.component(f"n-{n}", "SUMMARY:N") for n in range(5)]))
    seen = []

    def before(request):
        seen.extend([1] if request.method == "PUT" else [])
        return Answer(503) if len(seen) > 2 else None

    stage.proxy.before = before
    stage.complaint(stage.sync(laptop, None), UNWELL)
    stage.proxy.behave()
    laptop.sync()
    laptop.sync_until_quiet()
    stage.equal(set(stage.peer.held(path)), {"one", *[f"n-{n}" for n in range(5)]})


@scenario("Too many requests (429 with Retry-After: 1, through the proxy): it waits and then completes everything")
def rate_limit(stage):
    path, laptop = stage.one("SUMMARY:Bread")
    stage.edit_here(laptop, "one", "--title", "Rye bread")
    stage.proxy.before = once("PUT", lambda request: Answer(429, b"", [("Retry-After", "1")]))
    result = stage.sync(laptop, None)
    stage.proxy.behave()
    stage.equal(result.code, OK, repr(result))
    stage.equal(stage.peer.held(path)["one"]["SUMMARY"], "Rye bread")
    stage.equal(len(stage.peer.held(path)), 1)


@scenario(
    "Too many requests for an hour (429 with Retry-After: 3600, through the proxy): it does not wait, and says so")
def long_rate_limit(stage):
    path, laptop = stage.one("SUMMARY:Bread")
    stage.edit_here(laptop, "one", "--title", "Rye bread")
    stage.proxy.before = lambda request: Answer(429, b"", [("Retry-After", "3600")])
    started = time.monotonic()
    stage.complaint(stage.sync(laptop, None), UNWELL, "later|busy|wait|minutes|hour")
    stage.check.assertLess(time.monotonic() - started, 60)
    stage.equal(laptop.by_uid("one")["title"], "Rye bread")
    stage.equal(stage.peer.held(path)["one"]["SUMMARY"], "Bread")


@scenario("The resource is locked for a moment (423 through the proxy): the request is repeated")
def locked(stage):
    path, laptop = stage.one("SUMMARY:Bread")
    stage.edit_here(laptop, "one", "--title", "Rye bread")
    stage.proxy.before = once("PUT", lambda request: Answer(423))
    laptop.sync()
    stage.equal(stage.peer.held(path)["one"]["SUMMARY"], "Rye bread")


# -- breaking off ----------------------------------------------------------------------------------------------------


@scenario("The response to an executed PUT is lost (by the proxy): the item exists once")
def lost_answer(stage):
    path, laptop = stage.one("SUMMARY:Bread")
    laptop.run("add", "New", "--list", "Tasks")
    stage.edit_here(laptop, "one", "--title", "Rye bread")
    stage.proxy.after = lambda request, answer: LOST if request.method == "PUT" else answer
    stage.sync(laptop, None)
    stage.proxy.behave()
    laptop.sync()
    laptop.sync_until_quiet()
    stage.equal(sorted(one["SUMMARY"] for one in stage.peer.held(path).values()), ["New", "Rye bread"])
    stage.equal(stage.titles(laptop), ["New", "Rye bread"])
    stage.equal(laptop.json("conflicts"), [])


@scenario("The connection breaks before a PUT is executed (by the proxy): the next sync sends it")
def lost_request(stage):
    path, laptop = stage.one("SUMMARY:Bread")
    laptop.run("add", "New", "--list", "Tasks")
    stage.proxy.before = lambda request: LOST if request.method == "PUT" else None
    stage.complaint(stage.sync(laptop, None), UNWELL)
    stage.proxy.behave()
    laptop.sync()
    stage.equal(len(stage.peer.held(path)), 2)
    stage.quiet(laptop)


@scenario("The server answers 500 to a PUT that it has executed (by the proxy): the item exists once")
def failed_but_done(stage):
    path, laptop = stage.one("SUMMARY:Bread")
    laptop.run("add", "New", "--list", "Tasks")
    stage.proxy.after = lambda request, answer: Answer(500) if request.method == "PUT" else answer
    stage.sync(laptop, None)
    stage.proxy.behave()
    laptop.sync()
    laptop.sync_until_quiet()
    stage.equal(sorted(one["SUMMARY"] for one in stage.peer.held(path).values()), ["Bread", "New"])


@scenario("The response to an executed DELETE is lost (by the proxy): the item does not come back")
def lost_deletion(stage):
    path, laptop = stage.one("SUMMARY:Bread")
    stage.peer.put(path, "two")
    laptop.sync()
    stage.delete_here(laptop, "one")
    stage.proxy.after = lambda request, answer: LOST if request.method == "DELETE" else answer
    stage.sync(laptop, None)
    stage.proxy.behave()
    laptop.sync()
    laptop.sync_until_quiet()
    stage.equal(set(stage.peer.held(path)), {"two"})
    stage.equal(stage.uids(laptop), {"two"})


@scenario("A listing is truncated (by the proxy): nothing counts as deleted")
def cut_listing(stage):
    path = stage.list(todos=todos(12))
    laptop = stage.device()
    laptop.sync()
    stage.peer.put(path, "new")
    stage.proxy.after = lambda request, answer: answer.cut(0.5) if answer.status == 207 else answer
    result = stage.sync(laptop, None)
    stage.complaint(result, UNWELL)
    stage.equal(stage.uids(laptop), set(todos(12)))
    stage.proxy.behave()
    laptop.sync()
    stage.equal(len(laptop.items()), 13)


@scenario("The texts are truncated (by the proxy): the received part is kept, the rest arrives with the next sync")
def cut_texts(stage):
    path = stage.list(todos=todos(12))
    laptop = stage.device()
    stage.proxy.before = without_texts
    stage.proxy.after = lambda request, answer: answer.cut(0.5) if is_report(request, "multiget") else answer
    stage.complaint(stage.sync(laptop, None), UNWELL)
    stage.proxy.behave()
    laptop.sync()
    stage.equal(stage.uids(laptop), set(todos(12)))
    stage.quiet(laptop)


@scenario("A web page instead of a response (200 HTML, through the proxy, as in a hotel): nothing changes")
def captive_portal(stage):
    path, laptop = stage.one("SUMMARY:Bread")
    stage.edit_here(laptop, "one", "--title", "Rye bread")
    page = b"<!DOCTYPE html><html><body>Please accept our terms</body></html>"
    stage.proxy.before = lambda request: Answer(200, page, [("Content-Type", "text/html")])
    stage.complaint(stage.sync(laptop, None), (1, PARTIAL, NETWORK))
    stage.equal(laptop.by_uid("one")["title"], "Rye bread")
    stage.proxy.behave()
    laptop.sync()
    stage.equal(stage.peer.held(path)["one"]["SUMMARY"], "Rye bread")


@scenario("A listing of the calendar home that is empty once (by the proxy) removes no list")
def empty_home(stage):
    path, laptop = stage.one("SUMMARY:Bread")
    taken = []

    def after(request, answer):
        if request.method == "PROPFIND" and request.path.rstrip("/") == stage.server.home.rstrip("/"):
            parts = re.split(rb"(?=<(?:\w+:)?response[ >])", answer.body)
            taken.extend(part for part in parts if path.encode() in part)
            answer.body = b"".join(part for part in parts if path.encode() not in part)
            if not re.search(rb"</(?:\w+:)?multistatus>", answer.body):
                answer.body += re.search(rb"</(?:\w+:)?multistatus>", parts[-1])[0]
        return answer

    stage.proxy.after = after
    stage.sync(laptop, None)
    stage.check.assertTrue(taken)
    stage.equal(laptop.by_uid("one")["title"], "Bread")
    stage.proxy.behave()
    stage.edit_here(laptop, "one", "--title", "Rye bread")
    laptop.sync()
    stage.equal(stage.peer.held(path)["one"]["SUMMARY"], "Rye bread")


@scenario("A sync that is killed during its uploads: the next one completes it")
def killed(stage):
    path, laptop = stage.one("SUMMARY:Bread")
    count = 12
    laptop.run("import", "-", "--list", "Tasks", stdin=texts.calendar(
        *[texts.component(f"n-{n}", f"SUMMARY:N {n}") for n in range(count)]))
    seen = []
    process = None

    def after(request, answer):
        if request.method == "PUT":
            seen.append(1)
            if len(seen) == 3:
                process.kill()
        return answer

    stage.proxy.after = after
    process = laptop.start("sync")
    process.wait(60)
    stage.proxy.behave()
    laptop.sync()
    laptop.sync_until_quiet()
    stage.equal(set(stage.peer.held(path)), {"one", *[f"n-{n}" for n in range(count)]})
    stage.equal(len(stage.peer.members(path)), count + 1)
    stage.equal(laptop.integrity(), "ok")


# -- too much at once ------------------------------------------------------------------------------------------------


@scenario("Most of a list is deleted there: nothing is deleted here until the user confirms it")
def mass_deletion_there(stage):
    path = stage.list(todos=todos(30))
    laptop = stage.device()
    laptop.sync()
    for number in range(20):
        stage.peer.delete_at(path, f"todo-{number}.ics")
    stage.complaint(stage.sync(laptop, None), SAFETY, "--allow-mass-delete")
    stage.equal(len(laptop.items()), 30)
    laptop.sync("--allow-mass-delete")
    stage.equal(len(laptop.items()), 10)
    stage.quiet(laptop)


@scenario("Most of a list is deleted here: nothing is deleted there until the user confirms it")
def mass_deletion_here(stage):
    path = stage.list(todos=todos(30))
    laptop = stage.device()
    laptop.sync()
    stage.delete_here(laptop, *[f"todo-{number}" for number in range(20)])
    stage.complaint(stage.sync(laptop, None), SAFETY, "--allow-mass-delete")
    stage.equal(len(stage.peer.members(path)), 30)
    laptop.sync("--allow-mass-delete")
    stage.equal(len(stage.peer.members(path)), 10)


@scenario("A listing that is suddenly empty (by the proxy) deletes nothing here")
def emptied(stage):
    path = stage.list(todos=todos(12))
    laptop = stage.device()
    laptop.sync()
    before = laptop.items()
    taken = []

    def after(request, answer):
        is_listing = is_report(request, "sync-collection") or \
            request.method == "PROPFIND" and request.path.rstrip("/") == path.rstrip("/")
        if is_listing and answer.status == 207:
            parts = re.split(rb"(?=<(?:\w+:)?response[ >])", answer.body)
            taken.extend(part for part in parts if b".ics" in part)
            answer.body = b"".join(part for part in parts if b".ics" not in part)
            tail = parts[-1][parts[-1].rindex(b"response>") + 9:]
            if not re.search(rb"</(?:\w+:)?multistatus>", answer.body):
                answer.body += tail
        return answer

    stage.proxy.after = after
    stage.tamper(laptop, lambda token: None)
    stage.tamper(laptop, lambda ctag: None, column="ctag")
    stage.sync(laptop, None)
    stage.check.assertTrue(taken)
    stage.equal(laptop.items(), before)
    stage.proxy.behave()
    stage.sync(laptop, None)
    laptop.sync()
    stage.equal(laptop.items(), before)
    stage.equal(len(stage.peer.members(path)), 12)
    stage.equal(changes(laptop.sync()), 0)

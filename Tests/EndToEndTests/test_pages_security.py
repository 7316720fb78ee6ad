"""Attacks on the web pages: forged requests, hostile text, other users, guesses and floods."""

import http.client
import http.server
import itertools
import os
import re
import subprocess
import sys
import threading
import unittest
from urllib.parse import quote, urlencode

from fakedav import FakeDAV
from harness import EndToEnd, ics
from screens import PageTest, fill_store, web
from test_pages import Browser, Page
from test_pages_audit import TAKES_TURNS

POLICY = {
    "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self'", "connect-src 'self'", "form-action 'self'",
    "base-uri 'none'", "frame-ancestors 'none'", "require-trusted-types-for 'script'", "trusted-types 'none'",
}
HEADERS = {
    "X-Content-Type-Options": "nosniff", "X-Robots-Tag": "noindex", "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Resource-Policy": "same-origin",
}
# A body has at most 1 MiB.
MOST_BODY = 1 << 20
# Wrong tickets in a minute.
MOST_GUESSES = 10
REQUESTS, CONNECTIONS = 10_000, 64

# Texts that end the text around a payload, and payloads that a browser would run. `{port}` is a server that must get no
# request.
ENDINGS = ["", '"', "'", "`", ">", '">', "'>", "</title>", "</textarea>", "</script>", "</style>", "-->", "<!--", "]]>",
           "</option></select>", "</svg>", "</bdi></a></li>", "&quot;&gt;", "\\", "\u2028"]
PAYLOADS = [
    "<script>alert(1)</script>", "<img src=x onerror=alert(1)>", "<svg onload=alert(1)>", "<svg><script>alert(1)</script></svg>",
    "<iframe src=javascript:alert(1)>", "<iframe srcdoc='<script>parent.alert(1)</script>'>", "<input autofocus onfocus=alert(1)>",
    "<details open ontoggle=alert(1)>", " onfocus=alert(1) autofocus tabindex=1 x=", "<video><source onerror=alert(1)></video>",
    "<img src=//127.0.0.1:{port}/a>", "<link rel=stylesheet href=//127.0.0.1:{port}/b>", "<style>@import'//127.0.0.1:{port}/c'</style>",
    "<meta http-equiv=refresh content='0;url=http://127.0.0.1:{port}/d'>", "<base href=//127.0.0.1:{port}/>",
    "<object data=//127.0.0.1:{port}/e></object>", "<p style=background:url(//127.0.0.1:{port}/f)>", "javascript:alert(1)//",
    "{{{{constructor.constructor('alert(1)')()}}}}", "<math><mtext><table><mglyph><style><!--</style><img src onerror=alert(1)>",
]


def payloads(port):
    return [ending + payload.format(port=port) for ending in ENDINGS for payload in PAYLOADS]


# Every so many-th text is opened in the browsers. A step without a common factor with the numbers of endings and of
# payloads reaches each of them.
TEXT_STEP = int(os.environ.get("REMINDAV_TEXT_STEP") or 1)

# The addresses that show a text of their query.
SHOWING = ("/?q=", "/?label=", "/?list=", "/label?name=", "/label/delete?name=")


def tags(page):
    """The names of the elements of a page."""
    return set(re.findall(r"<([a-z0-9]+)", page))


def serving(test, handler):
    """Starts a server of another program on this computer; returns it. It records the paths of its requests."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.asked = []
    test.addCleanup(server.server_close)
    test.addCleanup(server.shutdown)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server


class Other(http.server.BaseHTTPRequestHandler):
    """A web page on another port, which sends requests to the pages of the server at the port in its query."""

    SCRIPT = """
        const own = 'http://127.0.0.1:' + location.search.slice(1), note = text => { document.title += text + ' '; };
        const form = new URLSearchParams({text: 'Forged by fetch', token: '0'});
        (async () => {
            for (const credentials of ['include', 'omit']) for (const mode of ['no-cors', 'cors']) {
                for (const method of mode === 'cors' ? ['POST', 'PUT', 'DELETE', 'PATCH'] : ['POST']) {
                    await fetch(own + '/quick', {method, mode, credentials, body: form}).then(() => note('sent'), () => note('refused'));
                    await fetch(own + '/', {mode, credentials}).then(async a => note('read' + (await a.text()).length), () => note('refused'));
                }
            }
            navigator.sendBeacon(own + '/quick', form);
            for (const kind of ['img', 'script', 'iframe', 'link']) {
                const e = document.createElement(kind);
                if (kind === 'link') { e.rel = 'stylesheet'; e.href = own + '/'; } else e.src = own + '/';
                await new Promise(done => { e.onload = e.onerror = done; document.body.append(e); setTimeout(done, 1000); });
            }
            const frame = document.querySelector('iframe');
            let text = ''; try { text = frame.contentDocument?.body.innerText ?? ''; } catch {}
            note(text.includes('Reminders') ? 'framed' : 'unframed');
            note('end');
        })();"""

    def do_GET(self):
        self.server.asked.append(self.path)
        path, _, port = self.path.partition("?")
        kind = path.removeprefix("/form/")
        body = {
            "/scripts": f"<script>{self.SCRIPT}</script>",
            f"/form/{kind}": f"<form method=post action='http://127.0.0.1:{port}/quick' enctype='{kind}'>"
                             "<input name=text value='Forged by form'><input name=token value=0><button>Send</button></form>",
            "/link": f"<a href='http://127.0.0.1:{port}/'>Your reminders</a>",
        }.get(path)
        self.send_response(200 if body else 404)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.end_headers()
        self.wfile.write(f"<!doctype html><title></title><body>{body or ''}</body>".encode())

    def log_message(self, *_):
        pass


class Forged(PageTest):
    def test_no_page_on_another_port_reads_or_changes_anything(self):
        other = serving(self, Other)
        for kind in self.kinds:
            with self.subTest(kind):
                laptop = self.device(kind)
                laptop.run("add", "Secret plan")
                self.processes.clear()
                tab = self.signed_in(kind, laptop)
                port = self.origin.split(":")[-1]
                tab.open(f"http://127.0.0.1:{other.server_port}/scripts?{port}")
                title = tab.wait("document.title.includes('end') && document.title", 40)
                self.assertIn("refused", title)
                self.assertIn("unframed", title)
                self.assertNotRegex(title, r"read[1-9]")
                for encoding in ("application/x-www-form-urlencoded", "text/plain", "multipart/form-data"):
                    tab.open(f"http://127.0.0.1:{other.server_port}/form/{encoding}?{port}")
                    tab.click("Send")
                    tab.wait(f"location.port === '{port}'")
                    self.assertNotIn("Secret plan", tab.text)
                self.assertEqual([one["title"] for one in laptop.json("list")], ["Secret plan"])
                # A link of another page is no attack, and the sign-in has not ended.
                tab.open(self.origin + "/")
                tab.wait_text("Secret plan")


class Matrix(EndToEnd):
    """Requests as no browser sends them."""

    def begin(self, *, fill=False):
        self.laptop = self.device("laptop")
        if fill:
            fill_store(self.laptop)
        self.process, self.port, ticket = web(self.laptop)
        self.addCleanup(self.process.stdout.close)
        self.addCleanup(self.process.wait)
        self.addCleanup(self.process.kill)
        self.browser = Browser(self.port)
        self.assertEqual(self.browser.ask("GET", "/in/" + ticket.rpartition("/")[2])[0].status, 303)
        self.browser.ask("GET", "/")
        return self.browser

    def send(self, method, path, body=None, headers=None, port=None):
        connection = http.client.HTTPConnection("127.0.0.1", port or self.port, timeout=20)
        try:
            try:
                connection.request(method, path, body, headers or {})
            except BrokenPipeError:
                # The server has refused a long body before its end.
                pass
            answer = connection.getresponse()
            return answer, answer.read()
        finally:
            connection.close()

    def test_only_a_form_of_an_own_page_changes_something(self):
        browser = self.begin()
        other = Browser(self.port)
        other.ask("GET", "/in/" + self.laptop.run("web", "--no-open", "--port", self.port).out.strip().rpartition("/")[2])
        other.ask("GET", "/")
        own = f"http://127.0.0.1:{self.port}"
        origins = [own, None, "null", "http://127.0.0.1:1", f"https://127.0.0.1:{self.port}", f"http://localhost:{self.port}",
                   f"{own}.example.org", f"{own}/", ""]
        sites = ["same-origin", None, "same-site", "cross-site", "none", "Same-Origin", ""]
        tokens = [browser.token, None, "", "0", other.token, browser.token[:-1]]
        expected, wrong = 0, []
        for origin, site, token, method in itertools.product(origins, sites, tokens, ["POST", "GET", "HEAD", "PUT", "DELETE"]):
            headers = {"Cookie": browser.cookie, "Content-Type": "application/x-www-form-urlencoded"}
            headers |= {"Origin": origin} if origin is not None else {}
            headers |= {"Sec-Fetch-Site": site} if site is not None else {}
            fields = {"text": f"Reminder {expected}"} | ({"token": token} if token is not None else {})
            status = self.send(method, "/quick", urlencode(fields), headers)[0].status
            is_meant = (method == "POST" and token == browser.token and (site, origin) in [
                ("same-origin", own), ("same-origin", None), (None, own)])
            expected += is_meant
            if (status == 303) != is_meant or status >= 500:
                wrong.append((origin, site, token, method, status))
        self.assertEqual(wrong, [])
        self.assertEqual((len(self.laptop.json("list")), expected), (3, 3))

    def test_a_ticket_works_once_and_guesses_are_limited(self):
        browser = self.begin()
        ticket = self.laptop.run("web", "--no-open", "--port", self.port).out.strip().rpartition("/")[2]
        # Opened by several at the same time, it works for one of them.
        found = []
        threads = [threading.Thread(target=lambda: found.append(self.send("GET", f"/in/{ticket}")[0].status)) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(sorted(found), [303] + [403] * 7)
        guesses = [self.send("GET", f"/in/{number:032}")[0].status for number in range(MOST_GUESSES)]
        self.assertEqual(set(guesses), {403, 429})
        self.assertEqual(guesses.count(403), MOST_GUESSES - 7)
        ticket = self.laptop.run("web", "--no-open", "--port", self.port).out.strip().rpartition("/")[2]
        # Otherwise another site could prevent sign-ins by wrong tickets.
        self.assertEqual(self.send("GET", f"/in/{ticket}")[0].status, 303)
        self.assertEqual(browser.ask("GET", "/")[0].status, 200, "a signed-in browser is stopped by guesses of others")

    @unittest.skipIf(os.geteuid() != 0, "only root can start a process of another user")
    def test_four_other_users_get_nothing_even_with_the_cookie(self):
        browser = self.begin()
        self.laptop.run("add", "Secret plan")
        program = (
            "import http.client, os, sys\n"
            "os.setgid(int(sys.argv[1])); os.setuid(int(sys.argv[1]))\n"
            "for method in ('GET', 'POST'):\n"
            f"    connection = http.client.HTTPConnection('127.0.0.1', {self.port}, timeout=20)\n"
            "    connection.request(method, '/', headers={'Cookie': sys.argv[2]})\n"
            "    answer = connection.getresponse()\n"
            "    print(answer.status, b'Secret' in answer.read())\n"
        )
        for uid in (1, 33, 1000, 65534):
            found = subprocess.run([sys.executable, "-c", program, str(uid), browser.cookie], capture_output=True, text=True)
            self.assertEqual(found.stdout, "403 False\n403 False\n", f"uid {uid}: {found.stderr}")
        self.assertEqual(browser.ask("GET", "/")[0].status, 200)

    def test_each_answer_has_the_headers_of_a_closed_site(self):
        browser = self.begin(fill=True)
        page = browser.ask("GET", "/")[1]
        style = page.split('rel="stylesheet"')[1].split('href="')[1].split('"')[0]
        targets = ["/", "/add", "/r/1", "/r/1/actions", "/r/1/delete", "/r/99", "/labels", "/labels/add", "/label?name=home",
                   "/label/delete?name=home", "/log", "/trash", "/nothing", "/in/0", "/out", "/act", "/quick", "/undo", style,
                   "/a/0/page.css", "/lists", "/lists/add", "/alarms", "/sync", "/conflicts", "/feeds", "/export", "/import",
                   "/settings", "/doctor", "/help", "/favicon.ico", "/..%2f"]
        for signed_in in (True, False):
            for method, target in itertools.product(("GET", "HEAD", "POST", "PUT"), targets):
                with self.subTest(f"{method} {target}, signed in: {signed_in}"):
                    headers = {"Cookie": browser.cookie} if signed_in else {}
                    answer, body = self.send(method, target, "" if method in ("POST", "PUT") else None, headers)
                    self.assertLess(answer.status, 500)
                    policy = {one.strip() for one in (answer.headers["Content-Security-Policy"] or "").split(";")}
                    self.assertEqual(policy, POLICY)
                    for name, value in HEADERS.items():
                        self.assertEqual(answer.headers.get_all(name), [value], name)
                    self.assertFalse([name for name in answer.headers if name.lower().startswith("access-control-")])
                    cache = answer.headers["Cache-Control"]
                    if target == style and method != "PUT":
                        self.assertEqual(cache, "public, max-age=31536000, immutable")
                    else:
                        self.assertIn(cache, ("private, no-cache", "no-store"))
                    if not signed_in and target != style:
                        self.assertNotIn(b"Pay rent", body)

    def test_a_body_above_the_limit_gets_413_and_the_server_continues(self):
        browser = self.begin()
        headers = {"Cookie": browser.cookie, "Origin": browser.origin, "Content-Type": "application/x-www-form-urlencoded"}
        body = urlencode({"token": browser.token, "title": "x", "notes": ""})
        self.assertEqual(self.send("POST", "/add", body + "n" * (MOST_BODY - len(body) + 1), headers)[0].status, 413)
        fields = urlencode([("token", browser.token)] + [("label", "x")] * 250)
        self.assertEqual(self.send("POST", "/add", fields, headers)[0].status, 400)
        self.assertEqual(self.laptop.json("list"), [])
        self.assertEqual(browser.ask("GET", "/")[0].status, 200)

    def test_ten_thousand_requests_from_64_connections_get_the_right_answers(self):
        browser = self.begin()
        self.laptop.run("add", "Buy milk")
        wrong, each = [], REQUESTS // CONNECTIONS + 1
        form = {"Cookie": browser.cookie, "Origin": browser.origin, "Content-Type": "application/x-www-form-urlencoded"}

        def work(number):
            connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
            for count in range(each):
                try:
                    if count % 50 == 7:
                        body = urlencode({"token": browser.token, "text": f"Added {number}-{count} #flood"})
                        connection.request("POST", "/quick", body, form)
                        answer = connection.getresponse()
                        answer.read()
                        is_right = answer.status == 303
                    else:
                        # The search shows one reminder, so the answers stay small.
                        connection.request("GET", "/?q=Buy+milk" if count % 2 else "/add", headers={"Cookie": browser.cookie})
                        answer = connection.getresponse()
                        body = answer.read()
                        is_right = answer.status == 200 and (b"Buy milk" in body if count % 2 else b"New Reminder" in body)
                    if not is_right:
                        wrong.append((number, count, answer.status))
                except (OSError, http.client.HTTPException) as error:
                    wrong.append((number, count, repr(error)))
                    connection.close()
            connection.close()

        threads = [threading.Thread(target=work, args=(number,)) for number in range(CONNECTIONS)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(wrong, [])
        titles = sorted(one["title"] for one in self.laptop.json("list", "--label", "flood"))
        wanted = sorted(f"Added {number}-{count}" for number in range(CONNECTIONS) for count in range(each) if count % 50 == 7)
        self.assertEqual(titles, wanted)
        self.assertIsNone(self.process.poll())


class LongText(PageTest):
    def test_a_text_above_the_limit_is_refused_and_stays_in_the_form(self):
        for kind in self.kinds:
            with self.subTest(kind):
                laptop = self.device(kind)
                self.processes.clear()
                tab = self.signed_in(kind, laptop)
                tab.open(self.origin + "/add")
                tab.fill(css="[name=title]", value="Long notes")
                tab.evaluate(f"(document.querySelector('[name=notes]').value = 'n'.repeat({MOST_BODY}), 0)")
                tab.click("Save")
                tab.wait_text("too long")
                self.assertEqual(tab.evaluate("document.querySelector('[name=notes]').value.length"), MOST_BODY)
                self.assertEqual(laptop.json("list"), [])
                tab.evaluate("(document.querySelector('[name=notes]').value = 'short', 0)")
                tab.loading(tab.click, "Save")
                tab.wait_text("Long notes")
                self.assertEqual([one["notes"] for one in laptop.json("list")], ["short"])


class HostileText(PageTest):
    """400 payloads in every field and on every page are text: no dialog, no foreign request, no report of the policy."""

    @staticmethod
    def todos(port):
        escape = str.maketrans({"\\": "\\\\", ";": "\\;", ",": "\\,"})
        for number, text in enumerate(payloads(port)):
            wire = text.translate(escape)
            yield [f"UID:hostile-{number}", "DTSTAMP:20260101T000000Z", f"SUMMARY:{number} {wire}", f"DESCRIPTION:{wire}",
                   f"LOCATION:{wire}", f"CATEGORIES:{wire}", f"COMMENT:{wire}", f"CONTACT:{wire}", f"X-OTHER:{wire}",
                   "DUE:20310301T090000Z"]

    def check(self, tab, *addresses):
        for address in addresses:
            tab.open(self.origin + address)
        # A text may not change the address, and the page must be one of ours.
        self.assertTrue(tab.evaluate("location.origin") == self.origin and tab.evaluate("!!document.querySelector('main')"))
        self.assertEqual((tab.dialogs, tab.errors), ([], []), addresses)

    def test_hostile_text_is_shown_as_text(self):
        target = serving(self, Other)
        texts = payloads(target.server_port)
        self.assertEqual(len(set(texts)), 400)
        for kind in self.kinds:
            with self.subTest(kind):
                laptop = self.device(kind)
                self.processes.clear()
                laptop.run("import", self.write("hostile.ics", ics(*self.todos(target.server_port))))
                for text in PAYLOADS:
                    laptop.run("lists", "add", '">' + text.format(port=target.server_port))
                laptop.run("delete", "400", "--yes")
                tab = self.signed_in(kind, laptop)
                ids = [one["id"] for one in laptop.json("list", "--all")]
                self.assertGreater(len(ids), 390)
                self.check(tab, "/", "/?all", "/?upcoming=400", "/labels", "/lists", "/add", "/log", "/log/1", "/trash")
                # Another test reads each page with each text, without a browser.
                for number, text in list(enumerate(texts))[self.kinds.index(kind) % TEXT_STEP::TEXT_STEP]:
                    id = ids[number % len(ids)]
                    addresses = [f"/r/{id}/actions", f"/r/{id}/delete", *(name + quote(text) for name in SHOWING)]
                    self.check(tab, f"/r/{id}", addresses[number % len(addresses)])
                # The symbols in the fields for dates are data addresses of the browser itself.
                foreign = {one for one in tab.requests if not one.startswith((self.origin + "/", "data:image/svg+xml;"))}
                self.assertEqual(foreign, set())
                self.assertEqual(target.asked, [])

                # The reports of the policy would have been seen, and so would a request.
                tab.evaluate(f"(document.body.append(Object.assign(new Image(), {{src: 'http://127.0.0.1:{target.server_port}/a'}})), 0)")
                tab.browser.channel.pump(lambda: tab.errors, what="the report of a planted fault")
                tab.errors.clear()

    def test_the_name_of_an_account_is_text(self):
        target = serving(self, Other)
        # Names with a line break are refused.
        texts = [text for text in payloads(target.server_port)[::21] if "\u2028" not in text]
        for kind in self.kinds:
            with self.subTest(kind):
                laptop = self.device(kind)
                self.processes.clear()
                for number, text in enumerate(texts):
                    server = self.serve(FakeDAV())
                    server.add_list(f"list-{number}").name = f"{number} {text}"
                    laptop.run("account", "add", server.url, "--user", "user", "--name", text, "--password-stdin",
                               stdin="correct horse\n")
                self.assertEqual({account["name"] for account in laptop.json("account", "list")}, set(texts))
                laptop.sync()
                tab = self.signed_in(kind, laptop)
                self.check(tab, "/", "/sync", "/lists", "/lists/add", "/log", "/settings", "/import")
                for text in texts:
                    self.check(tab, f"/account?name={quote(text, safe='')}")
                    self.assertEqual(tab.evaluate("document.querySelector('h1').textContent"), text)
                    self.check(tab, f"/account/remove?name={quote(text, safe='')}")
                self.assertEqual(target.asked, [])

    def test_each_page_with_each_text_has_no_markup_of_the_text(self):
        """Without a browser, so each page is read with each text."""
        laptop = self.device("laptop")
        laptop.run("import", self.write("hostile.ics", ics(*self.todos(1))))
        process, port, ticket = web(laptop)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        browser = Browser(port)
        browser.ask("GET", "/in/" + ticket.rpartition("/")[2])
        own = {tag for name in ("/", "/add", "/r/1", "/labels", "/labels/add", "/lists", "/nothing") for tag in tags(browser.ask("GET", name)[1])}
        for number, text in enumerate(payloads(1)):
            id = number + 1
            for address in (f"/r/{id}", f"/r/{id}/actions", f"/r/{id}/delete", *(name + quote(text) for name in SHOWING)):
                page = browser.ask("GET", address)[1]
                self.assertEqual(Page(page).wrong, [], address)
                self.assertEqual(tags(page) - own - {"p", "small", "ul", "li", "h3"}, set(), address)

    def test_a_refused_form_shows_hostile_text_as_text(self):
        target = serving(self, Other)
        for kind in self.kinds:
            with self.subTest(kind):
                laptop = self.device(kind)
                self.processes.clear()
                tab = self.signed_in(kind, laptop)
                step = 16 if TAKES_TURNS else 8
                for text in payloads(target.server_port)[8 * self.kinds.index(kind) % step::step]:
                    tab.open(self.origin + "/add")
                    tab.fill(css="textarea", value=text)
                    tab.click("Save")
                    tab.wait_text("Title is required")
                    self.assertEqual(tab.value(css="textarea"), text)
                    self.assertEqual((tab.dialogs, tab.errors, target.asked), ([], [], []))

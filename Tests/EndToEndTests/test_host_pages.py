"""The web pages of a host: a reverse proxy names the person, who sees and changes the reminders of one tenant only."""

import http.client
import http.server
import os
import re
import secrets
import shutil
import socket
import socketserver
import threading
import time
import unittest
from urllib.parse import urlencode

from harness import NOT_FOUND, OK, USAGE, wait_for
from hosts import CANARY, HostTest
from servers import Radicale
from webservers import NginxOfHost

SITE = "https://todo.example.org/reminders"
HOST = "todo.example.org"
OTHER = {"ada": "ben", "ben": "ada"}


class UnixConnection(http.client.HTTPConnection):
    def __init__(self, path):
        super().__init__("localhost", timeout=30)
        self.path = path

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(self.timeout)
        self.sock.connect(self.path)


class Proxy(socketserver.ThreadingMixIn, http.server.HTTPServer):
    """A reverse proxy that signs in by the header `X-User` of the browser, and replaces the headers of persons."""

    daemon_threads = True

    def __init__(self, path):
        super().__init__(("127.0.0.1", 0), ProxyHandler)
        self.path = path
        threading.Thread(target=self.serve_forever, daemon=True).start()


class ProxyHandler(http.server.BaseHTTPRequestHandler):
    def answer(self):
        connection = UnixConnection(self.server.path)
        person = self.headers.get("X-User")
        headers = {name: value for name, value in self.headers.items() if name.lower() not in ("remote-user", "x-user", "connection")}
        headers["Host"] = HOST
        if person:
            headers["Remote-User"] = person
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        connection.request(self.command, self.path, body, headers)
        answer = connection.getresponse()
        self.send_response_only(answer.status)
        for name, value in answer.getheaders():
            self.send_header(name, value)
        self.end_headers()
        if answer.getheader("Content-Type") == "text/event-stream":
            while line := answer.fp.readline():
                self.wfile.write(line)
                self.wfile.flush()
        else:
            self.wfile.write(answer.read())
        self.close_connection = True
        connection.close()

    do_GET = do_POST = do_HEAD = answer

    def log_message(self, *_):
        """Prints nothing."""


class Person:
    """A browser of a person: it keeps the cookie and the token of the last page."""

    def __init__(self, port, name):
        self.port, self.name = port, name
        self.cookie = self.token = ""

    def ask(self, method, target, fields=None, headers=None, body=None):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        if fields is not None:
            body = urlencode({"token": self.token, **fields})
        sent = {"X-User": self.name} if self.name else {}
        sent |= {"Cookie": self.cookie} if self.cookie else {}
        if method == "POST":
            sent |= {"Origin": "https://" + HOST, "Sec-Fetch-Site": "same-origin"}
        connection.request(method, "/reminders" + target, body, sent | (headers or {}))
        answer = connection.getresponse()
        text = answer.read().decode(errors="replace")
        connection.close()
        if cookie := answer.getheader("Set-Cookie"):
            self.cookie = cookie.split(";")[0]
        if token := re.search(r'name="token" value="(\w+)"', text):
            self.token = token[1]
        return answer, text

    def get(self, target):
        answer, text = self.ask("GET", target)
        assert answer.status == 200, (target, answer.status, text)
        return text

    def post(self, target, fields):
        """Sends a form, and returns the page that follows."""
        answer, text = self.ask("POST", target, fields)
        assert answer.status == 303, (answer.status, text)
        return self.get(answer.getheader("Location").removeprefix("/reminders"))

    def upload(self, fields, name, content):
        boundary = secrets.token_hex(16)
        parts = [f'--{boundary}\r\nContent-Disposition: form-data; name="{key}"\r\n\r\n{value}\r\n'.encode()
                 for key, value in {"token": self.token, **fields}.items()]
        parts.append(f'--{boundary}\r\nContent-Disposition: form-data; name="files"; filename="{name}"\r\n'
                     "Content-Type: text/calendar\r\n\r\n".encode() + content + b"\r\n")
        body = b"".join(parts) + f"--{boundary}--\r\n".encode()
        return self.ask("POST", "/import", headers={"Content-Type": f"multipart/form-data; boundary={boundary}"}, body=body)


class HostPages(HostTest):
    def prepare_pages(self, *options, role="remindav_web", secret=None, user=None, prepare=None):
        (prepare or self.prepare)()
        self.socket = str(self.admin.folder / "proxy.sock")
        for name in CANARY:
            self.admin.run("host", "tenant", "allow", name, "--subject", f"{name}@example.org")
            self.admin.run("--tenant", name, "add", CANARY[name], "--due", "2027-01-04 09:00", "--label", f"label of {name}",
                           "--notes", f"notes of {CANARY[name]}")
            self.admin.run("--tenant", name, "lists", "add", f"list of {CANARY[name]}")
            self.admin.run("--tenant", name, "add", f"completed {CANARY[name]}")
            self.admin.run("--tenant", name, "done", "2")
            self.admin.run("--tenant", name, "add", f"deleted {CANARY[name]}")
            self.admin.run("--tenant", name, "delete", "3", "--yes")
            self.admin.run("--tenant", name, "feed", "create", "--name", f"feed of {CANARY[name]}")
        settings = {"web-address": SITE, "web-socket": self.socket, "host-subject-header": "Remote-User"}
        if secret:
            path = self.admin.folder / "proxy.secret"
            path.write_text(secret + "\n")
            path.chmod(0o600)
            settings["host-proxy-secret"] = path
        if user is not None:
            settings["host-proxy-user"] = user
        for key, value in settings.items():
            self.admin.run("config", "set", key, value)
        self.use_role(role)
        self.web = self.run_host("--roles", "web", *options)
        self.web.port("Serving feeds")
        self.use_role("remindav_worker")
        self.proxy = Proxy(self.socket)
        self.addCleanup(self.proxy.server_close)
        self.addCleanup(self.proxy.shutdown)
        return [self.person(name) for name in CANARY]

    def person(self, name):
        return Person(self.proxy.server_port, name and f"{name}@example.org")

    def by_port(self, method="GET", target="/", headers=None):
        """A request to the port of the process, without the proxy."""
        connection = http.client.HTTPConnection("127.0.0.1", int(self.web.port("Serving feeds")), timeout=30)
        connection.request(method, target, headers=headers or {})
        answer = connection.getresponse()
        return answer.status, answer.read().decode()

    # The addresses of all pages, which Sources/Pages/Site/Routes.swift and Addresses.swift list.
    PAGES = ["/", "/?section=completed", "/?did=1", "/add", "/alarms", "/alarms?all=", "/log", "/log/1", "/trash", "/labels", "/labels/add",
             "/label?{label}", "/label/delete?{label}", "/lists", "/lists/add", "/list?{list}", "/list/delete?{list}", "/list/discard?{list}", "/sync",
             "/accounts/add", "/conflicts", "/conflicts?all=", "/feeds", "/feeds/1", "/feeds/1/file", "/feeds/1/revoke",
             "/settings", "/help", "/export", "/export/file?format=ics", "/import", "/r/1", "/r/1/snooze", "/r/1/actions", "/r/1/delete"]
    # They exist only with an account or an import, or belong to the machine.
    MISSING = ["/account?name=x", "/account/certificate?name=x", "/account/remove?name=x", "/import/x", "/doctor",
               "/in/0123456789abcdef0123456789abcdef"]

    def test_each_page_shows_the_reminders_of_its_person_only(self):
        ada, ben = self.prepare_pages()
        shown = {ada: set(), ben: set()}
        for person, name in ((ada, "ada"), (ben, "ben")):
            names = {key: urlencode({"name": f"{key} of {value}"}) for key, value in
                     {"label": name, "list": CANARY[name]}.items()}
            for target in self.PAGES:
                target = target.format(**names)
                with self.subTest(target, name=name):
                    text = person.get(target)
                    self.assertNotIn(CANARY[OTHER[name]], text)
                    self.assertNotIn(f"of {OTHER[name]}", text)
                    self.assertNotIn("Sign out", text)
                    if CANARY[name] in text:
                        shown[person].add(target)
            for target in self.MISSING:
                with self.subTest(target, name=name):
                    self.assertIn(person.ask("GET", target.format(**names))[0].status, (404, 422))
            # The names of the other tenant exist in no store of this one.
            for part in ("label", "list"):
                other = urlencode({"name": f"{part} of {OTHER[name] if part == 'label' else CANARY[OTHER[name]]}"})
                self.assertEqual(person.ask("GET", f"/{part}?{other}")[0].status, 404)
        for person in shown:
            self.assertGreater(len(shown[person]), 12)

    def test_a_person_adds_completes_edits_and_imports(self):
        ada, ben = self.prepare_pages()
        page = ada.get("/")
        page = ada.post("/quick", {"text": "Milk tomorrow #home"})
        self.assertIn("Milk", page)
        milk, = [item for item in self.titles("ada") if item["title"] == "Milk"]
        text = ada.get(f"/r/{milk['id']}")
        fields = dict(re.findall(r'<input[^>]*name="([^"]+)"[^>]*value="([^"]*)"', text))
        fields = {key: value for key, value in fields.items() if key != "token"}
        self.assertIn("title", fields)
        ada.post(f"/r/{milk['id']}?save=", {**fields, "title": "Oat milk"})
        self.assertIn("Oat milk", [item["title"] for item in self.titles("ada")])
        ada.post("/act", {"do": f"complete {milk['id']}"})
        self.assertNotIn("Oat milk", [item["title"] for item in self.titles("ada")])
        # The file is longer than a body in memory may be.
        todos = "".join(f"BEGIN:VTODO\r\nUID:{number}\r\nSUMMARY:Imported {number}\r\nDESCRIPTION:{'x' * 1000}\r\nEND:VTODO\r\n"
                        for number in range(2000))
        content = f"BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:x\r\n{todos}END:VCALENDAR\r\n".encode()
        self.assertGreater(len(content), 1 << 21)
        ada.get("/import")
        answer, text = ada.upload({}, "todos.ics", content)
        self.assertEqual(answer.status, 303, text)
        preview = answer.getheader("Location").removeprefix("/reminders")
        ada.get(preview)
        # The key of the preview is not valid for another person.
        self.assertEqual(ben.ask("GET", preview)[0].status, 404)
        ada.post(preview, {})
        self.assertIn("Imported 1999", [item["title"] for item in self.titles("ada")])
        self.assertEqual([item["title"] for item in self.titles("ben")], [CANARY["ben"]])

    def titles(self, tenant):
        return self.admin.json("--tenant", tenant, "list")

    def test_nothing_is_believed_without_the_socket_or_the_secret(self):
        secret = secrets.token_hex(32)
        ada, _ = self.prepare_pages(secret=secret)
        self.assertIn(CANARY["ada"], ada.get("/"))
        person = {"Host": HOST, "Remote-User": "ada@example.org"}
        status, text = self.by_port(headers={**person, "Remindav-Proxy-Secret": secret})
        self.assertEqual(status, 200)
        self.assertIn(CANARY["ada"], text)
        for headers in [person, {"Remote-User": "ada@example.org"}, {**person, "Remindav-Proxy-Secret": secret[:-1]},
                        {**person, "Remindav-Proxy-Secret": secret + "0"}, {**person, "Remindav-Proxy-Secret": ""}, {"Host": HOST}]:
            for method in ("GET", "POST", "HEAD"):
                with self.subTest(headers=headers, method=method):
                    status, text = self.by_port(method, headers=headers)
                    self.assertEqual(status, 403)
                    self.assertNotIn("canary", text)
        # A proxy that does not forward the host.
        self.assertEqual(self.by_port(headers={"Remote-User": "ada@example.org", "Remindav-Proxy-Secret": secret})[0], 421)
        for name, sentence in [(None, "has not named the signed-in person"), ("eve", "no reminders for the signed-in person")]:
            answer, text = self.person(name).ask("GET", "/")
            self.assertEqual((answer.status, answer.getheader("Content-Type")), (403, "text/plain; charset=utf-8"))
            self.assertIn(sentence, text)
        # Names are compared exactly.
        for name in ["Ada@example.org", "ada@example.org.", "ada"]:
            self.assertEqual(Person(self.proxy.server_port, name).ask("GET", "/")[0].status, 403)
        log = "\n".join(self.web.log)
        for word in ("ada@", "canary", secret):
            self.assertNotIn(word, log)

    def test_without_a_secret_the_port_has_no_pages(self):
        ada, _ = self.prepare_pages()
        self.assertIn(CANARY["ada"], ada.get("/"))
        for headers in [{"Remote-User": "ada@example.org"}, {"Remote-User": "ada@example.org", "Remindav-Proxy-Secret": ""}]:
            self.assertEqual(self.by_port(headers=headers)[0], 403)
        self.assertEqual(os.stat(self.socket).st_mode & 0o777, 0o660)
        self.assertEqual(self.web.stop(), OK)
        self.assertFalse(os.path.exists(self.socket))

    def test_a_socket_is_only_for_the_user_of_the_setting(self):
        ada, _ = self.prepare_pages(user=os.getuid() + 1)
        answer, text = ada.ask("GET", "/")
        self.assertEqual(answer.status, 403)
        self.assertIn("only for the reverse proxy", text)
        self.web.stop()
        self.admin.run("config", "set", "host-proxy-user", os.getuid())
        self.web = self.run_host("--roles", "web")
        self.web.port("Serving feeds")
        self.assertIn(CANARY["ada"], ada.get("/"))

    def test_a_form_of_another_person_or_site_is_refused(self):
        ada, ben = self.prepare_pages()
        ada.get("/")
        ben.get("/")
        tokens = {ada.token, ben.token}
        self.assertEqual(len(tokens), 2)
        own = ada.token
        # Another person, also with the cookie of the browser that both use.
        for cookie, token in [(ada.cookie, ben.token), (ben.cookie, ben.token), (ben.cookie, own), (ada.cookie, ""), ("", own)]:
            ada.cookie, ada.token = cookie, token
            answer, text = ada.ask("POST", "/quick", {"text": "Forged"})
            self.assertEqual(answer.status, 403)
            ada.cookie = ""
            ada.get("/")
            own = ada.token
        for headers in [{"Origin": "https://evil.example.org"}, {"Sec-Fetch-Site": "cross-site"}, {"Origin": "null"}]:
            self.assertEqual(ada.ask("POST", "/quick", {"text": "Forged"}, headers)[0].status, 403)
        self.assertEqual([item["title"] for item in self.titles("ada")], [CANARY["ada"]])
        answer, _ = ada.ask("POST", "/quick", {"text": "Real"})
        self.assertEqual(answer.status, 303)
        answer, _ = self.person("ada").ask("GET", "/")
        cookie = answer.getheader("Set-Cookie")
        self.assertRegex(cookie, r"^__Secure-remindav=[0-9a-f]{64}; Path=/reminders/; HttpOnly; SameSite=Strict; Max-Age=\d+; Secure$")

    def test_the_pages_of_a_suspended_user_can_be_read_only(self):
        ada, ben = self.prepare_pages()
        ada.get("/")
        self.admin.run("host", "tenant", "suspend", "ada")
        self.assertIn(CANARY["ada"], ada.get("/"))
        for target, fields in [("/quick", {"text": "Milk"}), ("/act", {"do": "complete 1"}), ("/labels/add", {"label": "new", "color": "#F44336"})]:
            answer, text = ada.ask("POST", target, fields)
            self.assertEqual(answer.status, 403)
            self.assertIn("suspended", text)
        self.assertEqual([item["title"] for item in self.titles("ada")], [CANARY["ada"]])
        ben.get("/")
        ben.post("/quick", {"text": "Bread"})
        self.admin.run("host", "tenant", "resume", "ada")
        ada.post("/quick", {"text": "Milk"})

    def prepare_account(self, role):
        server = self.borrow(Radicale)
        server.request("MKCALENDAR", f"{server.home}shared/")

        def prepare():
            self.prepare_key()
            self.allow(server)
        ada, _ = self.prepare_pages(role=role, prepare=prepare)
        self.add_account(server)
        return ada

    def test_sync_now_syncs_the_account_of_the_person(self):
        ada = self.prepare_account("remindav_worker")
        ada.get("/sync")
        ada.post("/sync", {"account": ""})
        wait_for(lambda: "Synced just now" in ada.get("/sync"), 20, "the sync")
        requested = "SELECT count(*) FROM work WHERE kind = 'sync' AND requested_at < never()"
        self.sql("UPDATE work SET requested_at = never()")
        # An edit of a page requests a sync, as one of a command does.
        ada.post("/quick", {"text": "After the sync"})
        self.assertEqual(self.sql(requested).strip(), "1")

    def test_without_a_right_to_the_passwords_a_page_asks_the_workers_to_sync(self):
        ada = self.prepare_account("remindav_web")
        account = self.admin.json("--tenant", "ada", "account", "list")[0]["name"]
        synced = "SELECT count(succeeded) FROM work WHERE kind = 'sync'"
        for target, fields in [("/sync", {"account": ""}), ("/sync", {"account": account, "do": "sync"}), ("/", {"account": "", "from": "list"})]:
            with self.subTest(target, fields=fields):
                self.sql("UPDATE work SET next_at = never(), requested_at = never(), started = 0, succeeded = NULL WHERE kind = 'sync'")
                page = ada.get(target)
                self.assertNotIn("Dry run", page)
                page = ada.post("/sync", fields)
                self.assertIn("The sync begins in a few seconds.", page)
                self.assertIn("<h1>Sync</h1>" if target == "/sync" else 'for="quick"', page)
                self.use_role("remindav_worker")
                worker = self.run_host("--roles", "sync")
                wait_for(lambda: self.sql(synced).strip() == "1", 20, "the sync of a worker")
                worker.stop()
                self.assertIn("synced just now", ada.get("/sync").lower())
        self.sql("UPDATE work SET stop_reason = 'authentication', requested_at = never() WHERE kind = 'sync'")
        self.assertIn("No sync begins", ada.post("/sync", {"account": ""}))
        # A page cannot make a dry run.
        self.assertIn("sealed passwords cannot be read", ada.post("/sync", {"account": "", "do": "dry"}))
        self.assertEqual(ada.ask("POST", "/sync", {"account": "unknown"})[0].status, 404)
        self.assertIn(CANARY["ada"], ada.get("/"))

    def test_pages_show_and_change_nothing_of_the_machine(self):
        ada, _ = self.prepare_pages()
        text = "".join(ada.get(target) for target in ("/", "/settings", "/alarms", "/help", "/sync"))
        for word in ["host-", "web-socket", str(self.admin.folder), "Diagnostics", "Signed-in browsers", "Enable Notifications", "/doctor"]:
            self.assertNotIn(word, text)
        self.assertIn("ada@example.org", text)
        for target, fields in [("/settings", {"sign-out": "all"}), ("/settings", {"add-browser": "1"}), ("/doctor", {}),
                               ("/alarms/enable", {}), ("/out", {})]:
            with self.subTest(target, fields=fields):
                self.assertEqual(ada.ask("POST", target, fields)[0].status, 404)

    @unittest.skipUnless(shutil.which("nginx"), "nginx is not installed")
    def test_nginx_with_the_documented_configuration(self):
        ada, _ = self.prepare_pages()
        self.web.stop()
        self.admin.run("config", "set", "web-address", f"https://{HOST}")
        feed = self.admin.json("--tenant", "ada", "feed", "create", "--name", "for nginx")["url"]
        self.use_role("remindav_web")
        self.web = self.run_host("--roles", "web")
        self.web.port("Serving feeds")
        self.use_role("remindav_worker")
        service = SignInService()
        self.addCleanup(service.server_close)
        self.addCleanup(service.shutdown)
        nginx = NginxOfHost(self.admin.folder, self.socket, service.server_port)
        self.addCleanup(nginx.stop)
        nginx.start()
        status, headers, text = nginx.send("GET", "/", {"Cookie": "session=ada"})
        self.assertEqual(status, 200, text)
        self.assertIn(CANARY["ada"], text)
        cookie = headers["Set-Cookie"].split(";")[0]
        self.assertTrue(cookie.startswith("__Host-remindav="))
        token = re.search(r'name="token" value="(\w+)"', text)[1]
        sent = {"Cookie": f"session=ada; {cookie}", "Origin": f"https://{HOST}", "Content-Type": "application/x-www-form-urlencoded"}
        status, headers, text = nginx.send("POST", "/quick", sent, urlencode({"token": token, "text": "Through nginx"}))
        self.assertEqual(status, 303, text)
        self.assertEqual(headers["Location"].split("?")[0], "/")
        self.assertIn("Through nginx", [item["title"] for item in self.titles("ada")])
        # The header of a browser is replaced, also if the service names no person.
        forged = {"Remote-User": "ben@example.org"}
        self.assertNotIn(CANARY["ben"], nginx.send("GET", "/", {"Cookie": "session=ada", **forged})[2])
        status, _, text = nginx.send("GET", "/", {"Cookie": "session=", **forged})
        self.assertEqual(status, 403)
        self.assertIn("has not named", text)
        self.assertEqual(nginx.send("GET", "/", {"Cookie": "session=eve"})[0], 403)
        status, _, text = nginx.send("GET", "/", forged)
        self.assertIn("Please sign in", text)
        # A feed needs no sign-in.
        status, _, text = nginx.send("GET", "/feed/" + feed.split("/feed/")[1])
        self.assertEqual(status, 200)
        self.assertIn("BEGIN:VCALENDAR", text)

    def test_people_are_allowed_and_denied(self):
        ada, _ = self.prepare_pages()
        tenant, = [item for item in self.admin.json("host", "tenant", "list") if item["name"] == "ada"]
        self.assertEqual(tenant["people"], [{"issuer": "", "subject": "ada@example.org"}])
        self.assertIn("ada@example.org", self.admin.run("host", "tenant", "list").out)
        self.assertIn("Another tenant", self.admin.run("host", "tenant", "allow", "ben", "--subject", "ada@example.org", code=1).err)
        self.admin.run("host", "tenant", "allow", "ada", "--subject", "ada@example.org")
        self.admin.run("host", "tenant", "deny", "ben", "--subject", "ada@example.org", code=NOT_FOUND)
        self.admin.run("host", "tenant", "allow", "nobody", "--subject", "x", code=NOT_FOUND)
        self.admin.run("host", "tenant", "allow", "ada", code=USAGE)
        self.admin.run("host", "tenant", "allow", "ada", "--subject", "x" * 501, code=USAGE)
        self.admin.run("host", "tenant", "suspend", "ada", "--subject", "x", code=USAGE)
        ada.get("/")
        self.admin.run("host", "tenant", "deny", "ada", "--subject", "ada@example.org")
        self.assertEqual(ada.ask("GET", "/")[0].status, 403)
        self.admin.run("host", "tenant", "allow", "ben", "--subject", "ada@example.org")
        self.assertIn(CANARY["ben"], ada.get("/"))

    def test_an_open_page_learns_of_changes_by_other_processes(self):
        ada, ben = self.prepare_pages()
        events = {}
        for person in (ada, ben):
            person.get("/")
            events[person] = Events(person)
            self.addCleanup(events[person].close)
        time.sleep(1.5)
        self.admin.run("--tenant", "ada", "add", "By a command")
        wait_for(lambda: "event: changed" in events[ada].lines, 5, "the event")
        self.assertNotIn("event: changed", events[ben].lines)

    def test_pages_need_an_address_and_a_way_to_trust_the_proxy(self):
        self.prepare()
        self.admin.run("config", "set", "host-subject-header", "Remote-User")
        self.assertIn("web-address", self.admin.run("host", "run", "--roles", "web", "--port", "0", code=USAGE).err)
        self.admin.run("config", "set", "web-address", SITE)
        self.assertIn("host-proxy-secret", self.admin.run("host", "run", "--roles", "web", "--port", "0", code=USAGE).err)
        path = self.admin.folder / "short"
        path.write_text("x" * 31)
        path.chmod(0o600)
        self.admin.run("config", "set", "host-proxy-secret", path)
        self.assertIn("at least 32", self.admin.run("host", "run", "--roles", "web", "--port", "0", code=USAGE).err)
        path.write_text("x" * 32)
        path.chmod(0o640)
        self.assertIn("chmod 600", self.admin.run("host", "run", "--roles", "web", "--port", "0", code=USAGE).err)
        self.assertIn("header", self.admin.run("config", "set", "host-subject-header", "Remote_User", code=USAGE).err)


class SignInService(socketserver.ThreadingMixIn, http.server.HTTPServer):
    """Answers as oauth2-proxy does: the cookie `session` has the name of the person."""

    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), SignInHandler)
        threading.Thread(target=self.serve_forever, daemon=True).start()


class SignInHandler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        person = re.search(r"session=(\w*)", self.headers.get("Cookie", ""))
        is_check = self.path == "/oauth2/auth"
        self.send_response_only(401 if is_check and not person else 202 if is_check else 200)
        if is_check and person and person[1]:
            self.send_header("X-Auth-Request-Email", f"{person[1]}@example.org")
        body = b"" if is_check else b"Please sign in"
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        """Prints nothing."""


class Events:
    """The stream of events of an open page."""

    def __init__(self, person):
        self.connection = http.client.HTTPConnection("127.0.0.1", person.port, timeout=60)
        self.connection.request("GET", "/reminders/events", headers={"X-User": person.name, "Cookie": person.cookie})
        # The connection forgets its socket, because the proxy ends it with the answer.
        self.socket = self.connection.sock
        self.answer = self.connection.getresponse()
        assert self.answer.status == 200
        self.lines = []
        self.thread = threading.Thread(target=self.read, daemon=True)
        self.thread.start()

    def read(self):
        try:
            while line := self.answer.fp.readline():
                self.lines.append(line.decode().strip())
        except (OSError, ValueError, AttributeError):
            pass

    def close(self):
        self.socket.shutdown(socket.SHUT_RDWR)
        self.thread.join(5)
        self.answer.close()
        self.connection.close()


if __name__ == "__main__":
    unittest.main()

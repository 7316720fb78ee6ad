"""The web pages for alarms, feeds, files, settings and browsers."""

import http.client
import re
import shutil
import socket
import subprocess
import tempfile
from pathlib import Path
from urllib.parse import urlencode

from harness import NOT_FOUND, OK, USAGE, EndToEnd, smoke, wait_for
from servers import free_port
from test_pages import Browser, Page, Pages
from test_service import SYSTEMCTL
from webservers import HOME, CaddyOfPages, NginxOfPages

CALENDAR = """BEGIN:VCALENDAR\r
VERSION:2.0\r
PRODID:-//test//EN\r
{}END:VCALENDAR\r
"""
TODO = "BEGIN:VTODO\r\nUID:{0}\r\nDTSTAMP:20260101T000000Z\r\nSUMMARY:Task {0}\r\nDESCRIPTION:{1}\r\nEND:VTODO\r\n"
BOUNDARY = "----FormBoundary7MA4"


def calendar(count, notes=""):
    return CALENDAR.format("".join(TODO.format(number, notes) for number in range(count)))


class Uploads(Browser):
    def upload(self, content, name="tasks.ics", **fields):
        """Sends the form of an import, and returns the answer and its text."""
        self.ask("GET", "/import")
        parts = [f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="{key}"\r\n\r\n{value}\r\n'
                 for key, value in {"token": self.token, **fields}.items()]
        head = f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\n\r\n'
        body = "".join(parts).encode() + head.encode() + content + f"\r\n--{BOUNDARY}--\r\n".encode()
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        connection.request("POST", "/import", body, {
            "Cookie": self.cookie, "Origin": self.origin, "Sec-Fetch-Site": "same-origin",
            "Content-Type": f"multipart/form-data; boundary={BOUNDARY}"})
        answer = connection.getresponse()
        text = answer.read().decode()
        connection.close()
        return answer, text


class Alarms(EndToEnd):
    opened = Pages.opened

    def signed_in(self, laptop, kind=Browser):
        port, ticket = self.opened(laptop)
        browser = kind(port)
        browser.ask("GET", ticket)
        return browser

    def overdue(self, laptop, count):
        """Adds reminders whose alarms have fired."""
        past = "".join(
            f"BEGIN:VTODO\r\nUID:o{number}\r\nDTSTAMP:20260101T000000Z\r\nSUMMARY:Overdue {number}\r\n"
            f"DUE:20260301T0{number}0000Z\r\nEND:VTODO\r\n" for number in range(count))
        laptop.run("import", "-", stdin=CALENDAR.format(past))

    @smoke
    def test_three_unacknowledged_alarms_are_in_the_title_and_can_be_cleared(self):
        laptop = self.device("laptop")
        self.overdue(laptop, 3)
        browser = self.signed_in(laptop)
        self.assertIn("<title>(3) Reminders</title>", browser.ask("GET", "/")[1])
        page = browser.ask("GET", "/alarms")[1]
        self.assertIn("Unacknowledged alarms (3)", page)
        page = browser.post("/alarms", {"clear": str(laptop.id_of("o1"))})
        self.assertIn("Cleared the alarms of", page)
        self.assertEqual(laptop.json("status")["count"], 2)
        # A command is on the next page.
        laptop.run("alarms", "clear", "--yes")
        self.assertIn("<title>Reminders</title>", browser.ask("GET", "/")[1])
        self.assertIn("Unacknowledged alarms (0)", browser.ask("GET", "/alarms")[1])

    def test_alarms_are_enabled_by_the_button(self):
        laptop = self.device("laptop")
        folder = laptop.folder / "bin"
        folder.mkdir()
        (folder / "systemctl").write_text(SYSTEMCTL)
        (folder / "systemctl").chmod(0o755)
        unit = laptop.home / ".config" / "systemd" / "user" / "remindav.service"
        laptop.environment |= {"PATH": f"{folder}:{laptop.environment['PATH']}", "UNIT": str(unit),
                               "WANTS": str(unit.parent / "default.target.wants")}
        browser = self.signed_in(laptop)
        self.assertIn("Enable Notifications", browser.ask("GET", "/")[1])
        self.assertFalse(unit.exists())
        answer, page = browser.ask("POST", "/alarms/enable", {})
        # The service is installed as by `setup`; this computer of the test has no desktop for the test notification.
        self.assertEqual(answer.status, 422, page)
        self.assertIn("The service runs and delivers alarms while you are signed in", page)
        self.assertIn("No notification can be shown.", page)
        self.assertEqual((folder / "active").read_text(), "active\n")
        self.assertIn("ExecStart=", unit.read_text())
        self.assertIn("Alarms are on: the service runs, and is up to date.", browser.ask("GET", "/alarms")[1])

    @smoke
    def test_each_page_is_sound(self):
        laptop = self.device("laptop")
        hostile = "'\"><img src=x onerror=alert(1)>"
        laptop.run("import", "-", stdin=calendar(2))
        self.overdue(laptop, 2)
        laptop.run("add", "--literal", hostile, "--due", "2099-03-01")
        laptop.run("feed", "create", "--name", hostile)
        browser = self.signed_in(laptop)
        targets = ["/alarms", "/feeds", "/feeds/1", "/feeds/1/revoke", "/export", "/export?check=1&format=todotxt", "/import",
                   "/settings", "/doctor", "/help"]
        for target in targets:
            with self.subTest(target):
                answer, text = browser.ask("GET", target)
                self.assertEqual(answer.status, 200)
                self.assertEqual(Page(text).wrong, [])
                self.assertNotIn("<img", text)

    def test_a_feed_of_the_page_can_be_read_until_it_is_revoked(self):
        laptop = self.device("laptop")
        laptop.run("add", "Milk", "--due", "2099-03-01")
        browser = self.signed_in(laptop)
        browser.ask("GET", "/feeds")
        answer, page = browser.ask("POST", "/feeds", {"name": "Family"})
        self.assertEqual((answer.status, answer.getheader("Cache-Control")), (200, "no-store"))
        self.assertEqual(Page(page).wrong, [])
        path = re.search(r"/feed/[0-9a-f]{32}\.ics", page)[0]
        self.assertIn("Milk", Browser(browser.port).ask("GET", path)[1])
        self.assertIn("revoke &#39;<bdi>Family</bdi>&#39;?", browser.ask("GET", "/feeds/1/revoke")[1])
        self.assertEqual(browser.ask("POST", "/feeds/1/revoke", {})[0].status, 303)
        self.assertEqual(Browser(browser.port).ask("GET", path)[0].status, 404)
        self.assertEqual(laptop.json("feed", "list"), [])

    # Files

    @smoke
    def test_a_file_of_some_megabytes_is_previewed_and_imported(self):
        laptop = self.device("laptop")
        browser = self.signed_in(laptop, Uploads)
        content = calendar(300, "x" * 9000).encode()
        self.assertGreater(len(content), 2_500_000)
        answer, text = browser.upload(content, **{"new-list": "Work"})
        self.assertEqual(answer.status, 303, text)
        preview = answer.getheader("Location")
        page = browser.ask("GET", preview)[1]
        self.assertIn("300 added, 0 updated, 0 unchanged, 0 left out (list Work)", page)
        self.assertEqual(Page(page).wrong, [])
        self.assertEqual(laptop.json("list"), [])
        self.assertIn("<h1>Imported</h1>", browser.post(preview, {}))
        self.assertEqual(len(laptop.json("list", "--list", "Work")), 300)
        self.assertEqual([path.name for path in laptop.store.iterdir() if "upload" in path.name or "body" in path.name], [])

    def test_a_file_that_is_too_long_or_of_another_kind_is_refused(self):
        laptop = self.device("laptop")
        browser = self.signed_in(laptop, Uploads)
        answer, text = browser.upload(b"x" * (33 << 20))
        self.assertEqual(answer.status, 413)
        self.assertIn("more than 32 MiB", text)
        answer, text = browser.upload(b"%PDF-1.7\n" + bytes(range(256)) * 40, "a.pdf", text="", format="")
        self.assertEqual(answer.status, 422)
        self.assertIn("<title>Error: Import</title>", text)
        self.assertEqual(Page(text).wrong, [])
        self.assertEqual(laptop.json("list"), [])
        # Without a sign-in, a long body is not read to its end.
        stranger = Uploads(browser.port)
        try:
            self.assertIn(stranger.upload(b"x" * (2 << 20))[0].status, (403, 413))
        except (ConnectionError, http.client.HTTPException):
            pass
        self.assertEqual(browser.ask("GET", "/")[0].status, 200)

    def test_an_export_of_the_page_is_that_of_the_command(self):
        laptop = self.device("laptop")
        laptop.run("import", "-", stdin=calendar(3))
        laptop.run("done", "1")
        browser = self.signed_in(laptop)
        for format, options in [("ics", []), ("json", ["--format", "json"]), ("events", ["--style", "event"]),
                                ("csv&state=open", ["--format", "csv", "--open"])]:
            with self.subTest(format):
                answer, text = browser.ask("GET", f"/export/file?format={format}")
                self.assertIn("attachment; filename=", answer.getheader("Content-Disposition"))
                self.assertEqual(text, laptop.run("export", *options).out)

    # Browsers

    @smoke
    def test_browsers_are_listed_and_signed_out(self):
        laptop = self.device("laptop")
        port, ticket = self.opened(laptop)
        browser = Browser(port)
        browser.ask("GET", ticket, headers={"User-Agent": "Mozilla/5.0 (X11; Linux x86_64) Gecko/20100101 Firefox/153.0"})
        link = laptop.run("web", "--link", "--port", str(port)).out
        other = Browser(port)
        self.assertEqual(other.ask("GET", re.fullmatch(r"http://127\.0\.0\.1:\d+(/in/\w{32})\n", link)[1])[0].status, 303)
        browsers = laptop.json("web", "devices")
        self.assertEqual([browser["id"] for browser in browsers], [1, 2])
        self.assertEqual(browsers[0]["browser"], "Firefox on Linux")
        self.assertEqual(set(browsers[0]), {"id", "browser", "agent", "createdAt", "lastUsedAt"})
        self.assertIn("Firefox on Linux", laptop.run("web", "devices").out)
        other_store = self.device("desk").run("web", "--link", "--port", str(port), code=USAGE)
        self.assertIn("serves the reminders of another store", other_store.err)
        laptop.run("web", "sign-out", "9", code=NOT_FOUND)
        laptop.run("web", "sign-out", "2")
        self.assertEqual((browser.ask("GET", "/")[0].status, other.ask("GET", "/")[0].status), (200, 403))
        laptop.run("web", "sign-out", "--yes")
        self.assertEqual(browser.ask("GET", "/")[0].status, 403)
        self.assertEqual(laptop.json("web", "devices"), [])


class Risks(EndToEnd):
    """The five risks of the requirements (E36), each on the pages."""

    opened = Pages.opened
    signed_in = Alarms.signed_in

    def test_a_deleted_reminder_leaves_no_alarm(self):
        laptop = self.device("laptop")
        browser = self.signed_in(laptop)
        browser.ask("GET", "/")
        browser.post("/quick", {"text": "Milk tomorrow 9am"})
        self.assertEqual(len(laptop.json("alarms")), 1)
        page = browser.post("/act", {"do": "delete 1"})
        self.assertEqual(laptop.json("alarms"), [])
        browser.post("/undo", {"run": re.search(r'name="run" value="(\d+)"', page)[1]})
        self.assertEqual(len(laptop.json("alarms")), 1)

    def test_a_form_saved_twice_leaves_one_alarm(self):
        laptop = self.device("laptop")
        browser = self.signed_in(laptop)
        laptop.run("add", "Milk", "--due", "2099-03-01 10:00")
        page = browser.ask("GET", "/r/1")[1]
        hidden = dict(re.findall(r'type="hidden" name="([\w-]+)" value="([^"]*)"', page))
        list_name = re.search(r'<option value="([^"]*)" selected="">', page.split('name="list"')[1])[1]
        fields = {**hidden, "title": "Milk", "date": "2099-03-01", "time": "11:00", "priority": "none", "list": list_name}
        for _ in range(2):
            browser.ask("POST", "/r/1", fields)
        self.assertEqual([alarm["fires"] for alarm in laptop.json("alarms")], ["2099-03-01T10:00:00Z"])

    def test_nothing_is_deleted_without_a_question_and_a_deletion_can_be_undone(self):
        laptop = self.device("laptop")
        laptop.run("add", "Milk")
        browser = self.signed_in(laptop)
        for target in ("/", "/r/1", "/r/1/actions", "/r/1/delete"):
            browser.ask("GET", target)
        self.assertEqual(len(laptop.json("list")), 1)
        self.assertIn("delete 'Milk'?".replace("'", "&#39;").replace("Milk", "<bdi>Milk</bdi>"), browser.ask("GET", "/r/1/delete")[1])
        page = browser.post("/act", {"do": "delete 1"})
        browser.post("/undo", {"run": re.search(r'name="run" value="(\d+)"', page)[1]})
        self.assertEqual([item["title"] for item in laptop.json("list")], ["Milk"])

    def test_the_round_button_and_the_row_do_different_things(self):
        laptop = self.device("laptop")
        laptop.run("add", "Milk")
        browser = self.signed_in(laptop)
        row = re.search(r"<li .*?</li>", browser.ask("GET", "/")[1], re.S)[0]
        self.assertIn('href="/r/1"', row)
        browser.ask("GET", "/r/1")
        self.assertEqual(laptop.json("list")[0]["status"], "pending")
        operation = re.search(r'<button class="box"[^>]*value="(complete [^"]*)"', row)[1]
        browser.post("/act", {"do": operation})
        self.assertEqual(laptop.json("list"), [])

    def test_a_form_shows_and_changes_its_own_reminder(self):
        laptop = self.device("laptop")
        laptop.run("add", "Milk", "--notes", "two")
        laptop.run("add", "Bread", "--notes", "dark")
        browser = self.signed_in(laptop)
        for number, title, notes in (("1", "Milk", "two"), ("2", "Bread", "dark")):
            page = browser.ask("GET", f"/r/{number}")[1]
            self.assertIn(f'value="{title}"', page)
            self.assertIn(f">\n{notes}</textarea>", page)
        page = browser.ask("GET", "/r/2")[1]
        hidden = dict(re.findall(r'type="hidden" name="([\w-]+)" value="([^"]*)"', page))
        list_name = re.search(r'<option value="([^"]*)" selected="">', page.split('name="list"')[1])[1]
        inputs = {name: re.search(rf'<input [^>]*name="{name}"[^>]*>', page)[0] for name in ("date", "time")}
        due = {name: re.search(r' value="([^"]*)"', tag)[1] for name, tag in inputs.items()}
        browser.ask("POST", "/r/2", {**hidden, **due, "title": "Rolls", "notes": "dark", "priority": "none", "list": list_name})
        titles = sorted((item["id"], item["title"], item["notes"]) for item in laptop.json("list"))
        self.assertEqual(titles, [(1, "Milk", "two"), (2, "Rolls", "dark")])


class OtherDevices(EndToEnd):
    """The pages behind a web server with TLS: the settings and configurations of the manual."""

    def story(self, kind):
        if not shutil.which(kind.program):
            self.skipTest(f"{kind.program} is not installed")
        laptop = self.device("laptop")
        laptop.run("add", "Milk")
        # The path of a socket has at most 107 bytes.
        folder = Path(tempfile.mkdtemp(prefix="remindav-", dir="/tmp"))
        self.addCleanup(shutil.rmtree, folder, ignore_errors=True)
        socket_path = folder / "web.sock"
        config = laptop.home / ".config" / "remindav"
        config.mkdir(parents=True)
        (config / "config").write_text(f"web-address = https://{HOME}/reminders\nweb-socket = {socket_path}\n")
        port = free_port()
        process = laptop.start("serve", "--port", port, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL)
        self.addCleanup(process.wait)
        self.addCleanup(process.terminate)
        wait_for(socket_path.exists, what="the socket")
        self.assertEqual(socket_path.stat().st_mode & 0o777, 0o660)
        server = kind(self.folder, socket_path)
        self.addCleanup(server.stop)
        server.start()

        link = laptop.run("web", "--link", "--port", port).out.strip()
        self.assertRegex(link, rf"^https://{re.escape(HOME)}/reminders/in/\w{{32}}$")
        status, headers, _ = server.send("GET", link.removeprefix(f"https://{HOME}"))
        cookie = headers["Set-Cookie"]
        self.assertEqual((status, headers["Location"]), (303, "/reminders/"))
        self.assertRegex(cookie, "^__Secure-remindav=\\w+; Path=/reminders/; HttpOnly; SameSite=Strict; Max-Age=\\d+; Secure$")
        sent = {"Cookie": cookie.split(";")[0]}
        status, _, page = server.send("GET", "/reminders/", sent)
        self.assertEqual(status, 200)
        self.assertIn("<bdi>Milk</bdi>", page)
        token = re.search(r'name="token" value="(\w+)"', page)[1]
        body = urlencode({"token": token, "text": "Bread"})
        kind_of_form = {"Content-Type": "application/x-www-form-urlencoded"}
        foreign = {**sent, **kind_of_form, "Origin": "https://other.example.org"}
        self.assertEqual(server.send("POST", "/reminders/quick", foreign, body)[0], 403)
        own = {**sent, **kind_of_form, "Origin": f"https://{HOME}"}
        self.assertEqual(server.send("POST", "/reminders/quick", own, body)[0], 303)
        self.assertEqual(sorted(item["title"] for item in laptop.json("list")), ["Bread", "Milk"])
        # A file is passed on as a whole.
        boundary = f"multipart/form-data; boundary={BOUNDARY}"
        parts = (f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="token"\r\n\r\n{token}\r\n--{BOUNDARY}\r\n'
                 f'Content-Disposition: form-data; name="file"; filename="a.ics"\r\n\r\n{calendar(300, "x" * 9000)}\r\n'
                 f"--{BOUNDARY}--\r\n")
        status, headers, page = server.send("POST", "/reminders/import", {**own, "Content-Type": boundary}, parts)
        self.assertEqual(status, 303, page)
        self.assertIn("300 added", server.send("GET", headers["Location"], sent)[2])
        # Without a sign-in there is nothing, and no page for another name.
        self.assertEqual(server.send("GET", "/reminders/")[0], 403)
        self.assertNotIn("Milk", Browser(port).ask("GET", "/", headers={"Host": HOME})[1])
        # At the end, the socket is removed.
        process.terminate()
        process.wait()
        self.assertFalse(socket_path.exists())

    def test_the_pages_behind_nginx(self):
        self.story(NginxOfPages)

    def test_the_pages_behind_caddy(self):
        self.story(CaddyOfPages)

    def test_one_setting_without_the_other_is_refused_and_a_left_socket_is_replaced(self):
        laptop = self.device("laptop")
        laptop.run("add", "Milk")
        config = laptop.home / ".config" / "remindav"
        config.mkdir(parents=True)
        folder = Path(tempfile.mkdtemp(prefix="remindav-", dir="/tmp"))
        self.addCleanup(shutil.rmtree, folder, ignore_errors=True)
        path = folder / "web.sock"
        for line, other in ((f"web-address = https://{HOME}", "web-socket"), (f"web-socket = {path}", "web-address")):
            (config / "config").write_text(f"{line}\n")
            self.assertIn(f"needs the setting '{other}'", laptop.run("serve", "--port", "0", code=USAGE).err)
        (config / "config").write_text(f"web-address = https://{HOME}\nweb-socket = {path}\n")
        path.write_text("a file of the user")
        self.assertNotEqual(laptop.run("serve", "--port", "0", code=None, timeout=20).code, OK)
        self.assertEqual(path.read_text(), "a file of the user")
        path.unlink()
        with socket.socket(socket.AF_UNIX) as left:
            left.bind(str(path))
        process = laptop.start("serve", "--port", "0", stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.addCleanup(process.wait)
        self.addCleanup(process.terminate)
        with socket.socket(socket.AF_UNIX) as client:
            def answers():
                try:
                    client.connect(str(path))
                    return True
                except OSError:
                    return False
            wait_for(answers, what="the new socket")
            client.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
            self.assertRegex(client.recv(100), rb"^HTTP/1.1 421 ")
        self.assertNotEqual(laptop.run("serve", "--port", "0", code=None, timeout=20).code, OK)

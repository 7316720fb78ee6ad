"""The web pages of the built program: sign-in, changes, and other users of the computer."""

import http.client
import os
import re
import select
import subprocess
import sys
import unittest
from html.parser import HTMLParser
from urllib.parse import urlencode

from harness import EndToEnd, smoke

NOBODY = 65534


class Browser:
    """A client that keeps the cookie and the token of the last page, as a browser does."""

    def __init__(self, port):
        self.port = port
        self.origin = f"http://127.0.0.1:{port}"
        self.cookie = self.token = ""

    def ask(self, method, target, fields=None, headers=None):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
        body = urlencode({"token": self.token, **fields}) if fields is not None else None
        sent = {"Cookie": self.cookie} if self.cookie else {}
        if fields is not None:
            sent |= {"Origin": self.origin, "Sec-Fetch-Site": "same-origin"}
        connection.request(method, target, body, sent | (headers or {}))
        answer = connection.getresponse()
        text = answer.read().decode()
        connection.close()
        if cookie := answer.getheader("Set-Cookie"):
            self.cookie = cookie.split(";")[0]
        if token := re.search(r'name="token" value="(\w+)"', text):
            self.token = token[1]
        return answer, text

    def post(self, target, fields):
        """Sends a form, and returns the page that follows."""
        answer, _ = self.ask("POST", target, fields)
        assert answer.status == 303, answer.status
        return self.ask("GET", answer.getheader("Location"))[1]


class Page(HTMLParser):
    """Collects the faults of a page; a browser would repair them silently."""

    VOID = {"input", "link", "meta"}

    def __init__(self, text):
        super().__init__()
        self.open, self.wrong, self.ids, self.named, self.controls = [], [], [], set(), []
        self.feed(text)
        self.wrong += [f"<{tag}> is open at the end" for tag in self.open]
        self.wrong += [f"id {name} is used twice" for name in set(self.ids) if self.ids.count(name) > 1]
        self.wrong += [f"nothing has the id {name}" for name in self.named if name not in self.ids]
        self.wrong += [f"{text} has no name" for text, has_name in self.controls if not has_name]

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        self.wrong += [f"{tag} has {name}" for name in values if name == "style" or name.startswith("on")]
        if "id" in values:
            self.ids.append(values["id"])
        self.named |= {values[name] for name in ("for", "aria-describedby", "aria-labelledby") if name in values}
        if tag == "a" and values["href"].startswith("#"):
            self.named.add(values["href"][1:])
        if tag in ("input", "select", "textarea") and values.get("type") != "hidden":
            is_inside = "label" in self.open
            self.controls.append((self.get_starttag_text(), is_inside or "aria-label" in values or "id" in values))
        # The script of the pages is a file.
        if tag in ("style", "iframe", "object") or tag == "script" and not re.fullmatch(r"/a/\w+/page\.js", values.get("src", "")):
            self.wrong.append(f"the page contains <{tag}>")
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        if not self.open or self.open[-1] != tag:
            self.wrong.append(f"</{tag}> ends <{self.open[-1:]}>")
        else:
            self.open.pop()


@smoke
class Pages(EndToEnd):
    def test_each_page_is_sound_and_shows_hostile_text_as_text(self):
        laptop = self.device("laptop")
        port, ticket = self.opened(laptop)
        browser = Browser(port)
        browser.ask("GET", ticket)
        hostile = "\"'><img src=x onerror=alert(1)></title><script>alert(2)</script>&lt;"
        laptop.run("add", "--literal", hostile, "--notes", f"</textarea>{hostile}", "--label", "'><script>")
        laptop.run("add", "Milk", "--due", "2027-03-01")
        laptop.run("done", "2")
        laptop.run("add", "Bread")
        laptop.run("delete", "3", "--yes")
        label = urlencode({"name": laptop.json("list")[0]["labels"][0]})
        targets = ["/", "/?did=1", "/?q=x", "/?section=completed", "/add", "/r/1", "/r/1/actions", "/r/1/delete", "/labels",
                   "/labels/add", f"/label?{label}", f"/label/delete?{label}", "/log", "/trash", "/nothing"]
        for target in targets:
            with self.subTest(target):
                answer, text = browser.ask("GET", target)
                self.assertEqual(answer.status, 404 if target == "/nothing" else 200)
                self.assertEqual(Page(text).wrong, [])
                self.assertNotIn("<img", text)

    def opened(self, laptop):
        """Starts `remindav web`, and returns its address."""
        process = laptop.start("web", "--no-open", "--port", "0", stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.addCleanup(process.wait)
        self.addCleanup(process.terminate)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.stderr.close)
        self.assertTrue(select.select([process.stdout], [], [], 30)[0], "no address was printed")
        address = re.fullmatch(r"http://127\.0\.0\.1:(\d+)(/in/\w{32})\n", os.read(process.stdout.fileno(), 200).decode())
        self.assertIsNotNone(address)
        return int(address[1]), address[2]

    def test_a_reminder_is_added_completed_and_restored_on_the_page(self):
        laptop = self.device("laptop")
        port, ticket = self.opened(laptop)
        browser = Browser(port)
        self.assertEqual(browser.ask("GET", "/")[0].status, 403)
        self.assertEqual(browser.ask("GET", ticket)[0].status, 303)
        self.assertEqual(Browser(port).ask("GET", ticket)[0].status, 403, "a ticket works twice")
        self.assertIn("No reminders yet", browser.ask("GET", "/")[1])
        page = browser.post("/quick", {"text": "Fish & Chips tomorrow 9am #home"})
        self.assertIn("<bdi>Fish &amp; Chips</bdi>", page)
        [reminder] = laptop.json("list")
        self.assertEqual((reminder["title"], reminder["labels"]), ("Fish & Chips", ["home"]))
        page = browser.post("/act", {"do": f"complete {reminder['id']}"})
        self.assertIn("Completed", page)
        self.assertEqual(laptop.json("list"), [])
        run = re.search(r'name="run" value="(\d+)"', page)[1]
        self.assertIn("Tomorrow 09:00", browser.post("/undo", {"run": run}))
        self.assertEqual(laptop.json("list")[0]["status"], "pending")

    def test_a_form_saves_one_field_and_keeps_the_edit_of_a_command(self):
        laptop = self.device("laptop")
        port, ticket = self.opened(laptop)
        browser = Browser(port)
        browser.ask("GET", ticket)
        laptop.run("add", "Buy milk", "--due", "2027-03-01 10:00", "--notes", "from the shop")
        page = browser.ask("GET", "/r/1")[1]
        fields = {"title": "Buy groceries", "notes": "from the shop", "date": "2027-03-01", "time": "10:00", "priority": "none"}
        fields["was"] = re.search(r'name="was" value="([^"]*)"', page)[1]
        fields["list"] = re.search(r'<option value="([^"]*)" selected="">', page.split('name="list"')[1])[1]
        laptop.run("edit", "1", "--priority", "high")
        self.assertIn("Buy groceries", browser.post("/r/1", fields))
        [reminder] = laptop.json("list")
        self.assertEqual((reminder["title"], reminder["priority"]), ("Buy groceries", "high"))
        # The same form again would overwrite the title of a command.
        laptop.run("edit", "1", "--title", "Buy bread")
        answer, page = browser.ask("POST", "/r/1", {**fields, "title": "Buy cheese"})
        self.assertEqual(answer.status, 409)
        self.assertIn("It is now: <bdi>Buy bread</bdi>", page)
        self.assertIn('value="Buy cheese"', page)
        self.assertEqual(laptop.json("list")[0]["title"], "Buy bread")

    def test_a_public_host_name_gets_feeds_and_no_pages(self):
        laptop = self.device("laptop")
        laptop.run("add", "Milk", "--due", "2027-03-01")
        feed = laptop.json("feed", "create", "--feed-address", "https://cal.example.org")["url"]
        config = laptop.home / ".config" / "remindav"
        config.mkdir(parents=True)
        (config / "config").write_text("feed-address = https://cal.example.org\n")
        port, ticket = self.opened(laptop)
        browser = Browser(port)
        browser.ask("GET", ticket)
        public = {"Host": "cal.example.org"}
        self.assertEqual(browser.ask("GET", feed.removeprefix("https://cal.example.org"), headers=public)[0].status, 200)
        answer, text = browser.ask("GET", "/", headers=public)
        self.assertEqual((answer.status, text), (404, "Not found\n"))
        self.assertEqual(browser.ask("GET", "/")[0].status, 200)

    def test_a_change_by_a_command_is_on_the_next_page(self):
        laptop = self.device("laptop")
        port, ticket = self.opened(laptop)
        browser = Browser(port)
        browser.ask("GET", ticket)
        laptop.run("add", "Buy milk")
        self.assertIn("Buy milk", browser.ask("GET", "/")[1])

    def test_another_site_or_an_old_token_changes_nothing(self):
        laptop = self.device("laptop")
        port, ticket = self.opened(laptop)
        browser = Browser(port)
        browser.ask("GET", ticket)
        browser.ask("GET", "/")
        for headers in ({"Origin": "http://127.0.0.1:9"}, {"Sec-Fetch-Site": "same-site"}, {"Origin": "null"}):
            self.assertEqual(browser.ask("POST", "/quick", {"text": "Milk"}, headers)[0].status, 403, headers)
        self.assertEqual(browser.ask("POST", "/quick", {"text": "Milk", "token": "0"})[0].status, 403)
        self.assertEqual(laptop.json("list"), [])

    @unittest.skipIf(os.getuid() != 0, "only root can start a process of another user")
    def test_another_user_gets_nothing_even_with_the_cookie(self):
        laptop = self.device("laptop")
        port, ticket = self.opened(laptop)
        browser = Browser(port)
        browser.ask("GET", ticket)
        program = (
            "import http.client, os, sys\n"
            f"os.setuid({NOBODY})\n"
            f"connection = http.client.HTTPConnection('127.0.0.1', {port}, timeout=20)\n"
            "connection.request('GET', '/', headers={'Cookie': sys.stdin.read()})\n"
            "print(connection.getresponse().status)\n"
        )
        found = subprocess.run([sys.executable, "-c", program], input=browser.cookie, capture_output=True, text=True)
        self.assertEqual(found.stdout, "403\n", found.stderr)
        self.assertEqual(browser.ask("GET", "/")[0].status, 200)


if __name__ == "__main__":
    unittest.main()

"""The web pages of the built program: sign-in, changes, and other users of the computer."""

import http.client
import os
import re
import select
import subprocess
import sys
import unittest
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


@smoke
class Pages(EndToEnd):
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

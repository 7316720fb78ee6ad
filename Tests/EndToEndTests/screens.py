"""The base of tests of the web pages in browsers: a signed-in tab, and the table of all screens."""

import os
import re
import select
import subprocess
import unittest
from urllib.parse import parse_qsl, urlsplit

import browsers
from harness import EndToEnd

# Text that would end an element, an attribute or a script, if a page did not escape it.
HOSTILE = "\"'><img src=x onerror=alert(1)></title><script>alert(2)</script>&lt;"

# A screen is an address without its numbers and names; `*` stands for one of them. `PageTest.screens` follows all links,
# so it finds screens that are not here. Those here must be found: a screen that no link leads to is an error.
SCREENS = {
    "/", "/add", "/r/*", "/r/*/actions", "/r/*/delete", "/r/*/snooze", "/labels", "/labels/add", "/label", "/label/delete",
    "/log", "/log/*", "/trash", "/lists", "/lists/add", "/list", "/list/delete", "/sync", "/accounts/add", "/conflicts",
    "/conflicts?all",
}
# Links that are files or that lead out.
NO_SCREENS = ("/a/", "/feed/", "/events")


def screen(address):
    """The row of the table for an address."""
    parts = urlsplit(address)
    path = re.sub(r"/\d+(?=/|$)", "/*", parts.path)
    # Names of lists and accounts are parts of addresses.
    path = re.sub(r"^/(lists|accounts|sync|feeds)/(?!add$)[^/]+", r"/\1/*", path)
    names = sorted({name for name, _ in parse_qsl(parts.query, keep_blank_values=True)} - {"name"})
    return path + ("?" + "&".join(names) if names else "")


def web(laptop, *arguments, environment=None, port=0):
    """Starts `remindav web`. Returns the process, its port and the address that signs in."""
    process = laptop.start("web", "--no-open", "--port", port, *arguments, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                           stdin=subprocess.DEVNULL, environment=environment)
    if not select.select([process.stdout], [], [], 30)[0]:
        process.kill()
        raise AssertionError("remindav web printed no address")
    address = os.read(process.stdout.fileno(), 200).decode().strip()
    return process, urlsplit(address).port, address


def fill_store(laptop):
    """Reminders, labels and a trash with at least one example of each state."""
    laptop.run("labels", "add", "office")
    laptop.run("add", "Pay rent", "--due", "2026-01-02 09:00", "--label", "home", "--notes", "to the landlord\nby transfer")
    laptop.run("add", "Water plants", "--due", "2031-03-01 10:00", "--repeat", "weekly", "--label", "garden", "--label", "home")
    laptop.run("add", "Call the bank", "--due", "today", "--priority", "high")
    laptop.run("add", "--literal", HOSTILE, "--notes", f"</textarea>{HOSTILE}", "--label", "'><script>", "--due", "2031-05-05")
    laptop.run("add", "Read the manual")
    laptop.run("add", "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft" * 2)
    laptop.run("add", "Buy milk", "--due", "2026-03-01")
    laptop.run("done", "7")
    laptop.run("add", "Old newspapers")
    laptop.run("delete", "8", "--yes")


class PageTest(EndToEnd):
    """A test in browsers. It runs once for each browser of `kinds`, as a subtest."""

    kinds = tuple(browsers.KINDS)

    @classmethod
    def setUpClass(cls):
        missing = [name for name in cls.kinds if browsers.KINDS[name].program is None]
        if missing:
            raise unittest.SkipTest(f"not installed: {', '.join(missing)}; run sh Tests/packages.sh browsers")

    def setUp(self):
        super().setUp()
        self.processes = []

    @classmethod
    def tearDownClass(cls):
        browsers.close_all()

    def start(self, laptop, *arguments, environment=None):
        """Starts `remindav web` and ends it with the test. Returns its origin and the address that signs in."""
        process, port, ticket = web(laptop, *arguments, environment=environment)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        self.processes.append(process)
        self.ticket = ticket
        return f"http://127.0.0.1:{port}", ticket

    def tab(self, kind):
        tab = browsers.browser(kind).tab()
        self.addCleanup(tab.close)
        tab.resize(1280)
        return tab

    def signed_in(self, kind, laptop):
        """A tab on the list. Several tabs use one server."""
        if not self.processes:
            self.origin, ticket = self.start(laptop)
        else:
            ticket = self.another_ticket(laptop)
        tab = self.tab(kind)
        tab.open(ticket)
        tab.wait_text("Reminders")
        return tab

    def in_each_browser(self, action, *titles):
        """Calls `action` with a tab of each browser, whose store has reminders with these titles."""
        for kind in self.kinds:
            with self.subTest(kind):
                self.processes.clear()
                self.laptop = self.device(kind)
                for day, title in enumerate(titles, 1):
                    self.laptop.run("add", title, "--due", f"2031-01-0{day} 09:00")
                tab = self.signed_in(kind, self.laptop)
                action(tab)
                self.assertEqual(tab.errors, [])

    def another_ticket(self, laptop):
        """A ticket for the running server: `web` finds it at its port and makes one."""
        port = str(urlsplit(self.origin).port)
        return laptop.run("web", "--no-open", "--port", port).out.strip()

    def found_screens(self, tab, origin, limit=120):
        """One address of each screen: by following all links from the list."""
        found, waiting = {}, ["/"]
        while waiting and len(found) < limit:
            address = waiting.pop(0)
            name = screen(address)
            if name in found or name.startswith(NO_SCREENS):
                continue
            found[name] = address
            tab.open(origin + address)
            links = tab.evaluate(
                "[...document.querySelectorAll('a[href]')].filter(e => e.origin === location.origin)"
                ".map(e => e.pathname + e.search)")
            waiting += [link for link in dict.fromkeys(links) if screen(link) not in found]
        missing = SCREENS - set(found)
        self.assertEqual(missing, set(), "no link leads to these screens")
        return found

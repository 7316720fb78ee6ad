"""The web pages of lists, accounts, syncs and conflicts, against real and pretended servers."""

import random
import re
import threading
import time
import unittest
from urllib.parse import quote, urlencode

import test_pages
from fakedav import Answer, FakeDAV
from harness import EndToEnd, smoke, wait_for
from peers import PythonCaldav
from realservers.base import PASSWORD, USER
from servers import Radicale
from signin import Nextcloud, SecureDAV
from test_pages import Browser, Page
from test_pages_reminders import Form

CANARY = "canary-7f3a correct horse"
HOSTILE = "\"'><img src=x onerror=alert(1)></title>"
# A page answers in this time, also while a sync waits for a server; the server of the test waits for a minute.
QUICK_SECONDS = 20


class SyncPages(EndToEnd):
    def setUp(self):
        super().setUp()
        self.laptop = self.device("laptop")

    def open_pages(self):
        port, ticket = test_pages.Pages.opened(self, self.laptop)
        self.browser = Browser(port)
        self.browser.ask("GET", ticket)
        self.get("/")

    def get(self, target):
        answer, text = self.browser.ask("GET", target)
        self.assertEqual(answer.status, 200, target)
        self.assertEqual(Page(text).wrong, [], target)
        return text

    def send(self, target, fields, status=303):
        """Sends a form; returns the address that follows, or the page of another status."""
        answer, text = self.browser.ask("POST", target, fields)
        self.assertEqual(answer.status, status, text)
        if status == 303:
            return answer.getheader("Location")
        self.assertEqual(Page(text).wrong, [], target)
        return text

    def follow(self, target, fields):
        return self.get(self.send(target, fields))

    def sync(self, **fields):
        """'Sync now' in the head of the list; returns the list."""
        return self.follow("/sync", {"do": "sync", "from": "list", **fields})

    def connect(self, server, user=USER, password=PASSWORD):
        """Connects a server with all its lists; returns the page after the first sync."""
        self.laptop.passwords.add(password)
        self.means(server) if hasattr(server, "told_port") else None
        address = self.send("/accounts/add", {"address": server.url})
        address = self.send(address, {"do": "password", "user": user, "password": password})
        page = self.get(address)
        places = re.findall(r'name="list" value="(\d+)"', page)
        answer, _ = self.browser.ask("POST", address, {"do": "connect", "list": places[0], "default": f"found {places[0]}"})
        self.assertEqual(answer.status, 303)
        return self.get(answer.getheader("Location"))


@smoke
class WithRadicale(SyncPages):
    def setUp(self):
        super().setUp()
        self.server = self.borrow(Radicale)
        self.path = f"{self.server.home}tasks/"
        self.server.request("MKCALENDAR", self.path)
        self.open_pages()

    def test_a_server_is_connected_with_a_password_and_a_wrong_one_is_not_shown_again(self):
        self.laptop.passwords |= {PASSWORD, CANARY}
        self.assertIn("No account yet", self.get("/sync"))
        self.assertIn('href="/accounts/add"', self.get("/"))
        page = self.send("/accounts/add", {"address": " "}, status=422)
        self.assertIn("Enter the address of the server", page)
        address = self.send("/accounts/add", {"address": self.server.url, "account": "Home", "setting-sync-interval": "30m"})
        self.assertIn("<h1>Sign in</h1>", self.get(address))
        page = self.send(address, {"do": "password", "user": "ada & co", "password": CANARY}, status=422)
        self.assertIn("Check both, and enter the password again.", page)
        self.assertIn('value="ada &amp; co"', page)
        self.assertNotIn("canary", page)
        self.assertEqual(self.laptop.json("account", "list"), [])
        address = self.send(address, {"do": "password", "user": USER, "password": PASSWORD})
        page = self.get(address)
        self.assertIn("<bdi>user/tasks</bdi>", page)
        page = self.follow(address, {"do": "connect", "list": "0", "default": "found 0"})
        self.assertIn("Added the account &quot;Home&quot; with 1 list.", page)
        self.assertIn("Last result", page)
        account, = self.laptop.json("account", "list")
        self.assertEqual((account["name"], account["settings"]), ("Home", {"sync-interval": "30m"}))
        self.assertIn("Home</bdi>: synced just now", self.get("/"))
        self.assertIn("This attempt is over.", self.browser.ask("GET", address)[1])
        self.assertIn("There is already an account with the name", self.send(
            "/accounts/add", {"address": self.server.url, "account": "Home"}, status=422))

    def test_buy_milk_becomes_buy_groceries_on_the_server_and_back(self):
        self.connect(self.server)
        page = self.browser.post("/quick", {"text": "Buy milk tomorrow 9am"})
        self.assertIn("1 change not sent", page)
        self.assertIn("1 sent.", self.sync())
        phone = PythonCaldav(self.server, self.path, random.Random(1))
        todo, = phone.calendar.get_todos()
        self.assertEqual(str(todo.icalendar_component["SUMMARY"]), "Buy milk")
        number = self.laptop.json("list")[0]["id"]
        fields = Form(self.get(f"/r/{number}"), f"/r/{number}").fields
        self.browser.post(f"/r/{number}", fields | {"title": "Buy groceries", "time": "10:00"})
        self.assertIn("1 sent.", self.sync())
        todo, = phone.calendar.get_todos()
        component = todo.icalendar_component
        self.assertEqual(str(component["SUMMARY"]), "Buy groceries")
        self.assertEqual(component["DUE"].dt.strftime("%H:%M"), "10:00")
        component.pop("SUMMARY")
        component.add("SUMMARY", "Buy bread & jam")
        todo.save()
        page = self.sync()
        self.assertIn("1 received.", page)
        self.assertIn("<bdi>Buy bread &amp; jam</bdi>", page)

    def test_a_dry_run_shows_the_plan_and_changes_nothing(self):
        self.connect(self.server)
        phone = PythonCaldav(self.server, self.path, random.Random(1))
        phone.calendar.add_todo(summary="From <b>the</b> phone")
        self.laptop.run("add", "From the laptop")
        name = self.laptop.json("account", "list")[0]["name"]
        page = self.follow("/sync", {"do": "dry", "account": name})
        self.assertIn("Dry run: nothing was changed", page)
        self.assertIn("received: <bdi>From &lt;b&gt;the&lt;/b&gt; phone</bdi>", page)
        self.assertIn("1 received, 1 sent", page)
        self.assertEqual([entry["title"] for entry in self.laptop.json("list")], ["From the laptop"])
        self.assertEqual(len(phone.calendar.get_todos()), 1)
        page = self.follow("/sync", {"do": "sync", "account": name})
        self.assertNotIn("Dry run: nothing was changed", page)
        self.assertEqual(len(phone.calendar.get_todos()), 2)

    def test_a_lost_value_is_restored_or_dismissed(self):
        self.connect(self.server)
        for title in ("Milk", "Bread"):
            self.laptop.run("add", title)
        self.laptop.sync()
        desk = self.device("desk")
        desk.add_account(self.server.url)
        desk.sync()
        self.assertIn("No conflicts", self.get("/conflicts"))
        for title in ("Milk", "Bread"):
            for device, words in ((self.laptop, "here"), (desk, "there")):
                device.run("edit", device.id_of_title(title), "--title", f"{title} {words}")
        desk.sync()
        self.assertIn("2 conflicts", self.sync())
        self.assertIn("2 not reviewed yet", self.get("/sync"))
        page = self.get("/conflicts")
        conflicts = {entry["title"].split()[0]: entry for entry in self.laptop.json("conflicts")}
        for title in ("Milk", "Bread"):
            self.assertIn(f"Here: <bdi>&#39;{title} here&#39;</bdi>", page)
            self.assertIn(f"Server: <bdi>&#39;{title} there&#39;</bdi>", page)
        page = self.follow("/conflicts", {"do": f"restore {conflicts['Milk']['number']}"})
        self.assertIn("Restored: title of", page)
        self.follow("/conflicts", {"do": f"dismiss {conflicts['Bread']['number']}"})
        self.assertIn("No conflicts", self.get("/conflicts"))
        self.assertIn("settled", self.get("/conflicts?all="))
        page = self.send("/conflicts", {"do": "restore 999"}, status=422)
        self.assertIn("There is no such conflict", page)
        self.sync()
        desk.sync()
        titles = {entry["title"] for entry in desk.json("list")}
        self.assertEqual(titles, {conflicts["Milk"]["lost"], conflicts["Bread"]["kept"]})

    def test_a_stopped_server_is_named_on_each_page_and_delays_none(self):
        self.connect(self.server)
        self.laptop.run("add", "Milk")
        self.server.halt()
        page = self.sync()
        self.assertIn("1 change not sent. ", page)
        self.assertIn("The server cannot be reached.", page)
        for target in ("/", "/labels", "/lists", "/sync", "/add", "/log"):
            page = self.get(target)
            self.assertIn('class="notice"', page, target)
            self.assertIn("not synced since today", page)
            self.assertIn("Check the address and the connection", page)
        self.server.start()
        self.assertIn("1 sent.", self.sync())
        self.assertNotIn('class="notice"', self.get("/labels"))

    def test_a_list_is_made_renamed_coloured_and_deleted_on_the_server(self):
        self.connect(self.server)
        account = self.laptop.json("account", "list")[0]["name"]
        page = self.follow("/lists/add", {"list": "Garden", "account": account, "color": "#4CAF50"})
        self.assertIn(f"Created the list &quot;Garden&quot; on {account}.", page)
        page = self.follow("/list?name=Garden", {"list": "Yard & Co", "color": "#2196F3"})
        self.assertIn("Renamed the list &quot;Garden&quot; to &quot;Yard &amp; Co&quot;.", page)
        desk = self.device("desk")
        desk.add_account(self.server.url)
        found = {entry["name"]: entry["color"] for entry in desk.json("lists")}
        self.assertEqual(found["Yard & Co"], "#2196F3")
        target = "/list/delete?" + urlencode({"name": "Yard & Co"})
        self.assertIn("Remove from this computer only", self.get(target))
        page = self.follow(target, {"only-here": "1"})
        self.assertIn("Only on the server", page)
        self.follow("/lists/download", {"list": "Yard & Co", "account": account})
        self.assertIn("Yard & Co", [entry["name"] for entry in self.laptop.json("lists")])
        self.follow("/sync", {"do": "sync"})
        self.assertIn("Deleted the list", self.follow(target, {}))
        desk.sync(code=None)
        states = {entry["name"]: entry["state"] for entry in desk.json("lists")}
        self.assertEqual(states["Yard & Co"], "detached")

    def test_a_local_list_is_uploaded_and_a_lost_one_is_kept(self):
        self.connect(self.server)
        account = self.laptop.json("account", "list")[0]["name"]
        self.laptop.run("lists", "add", "Books")
        self.laptop.run("add", "Dune", "--list", "Books")
        self.follow("/list/upload?name=Books", {"account": account})
        self.follow("/sync", {"do": "sync"})
        desk = self.device("desk")
        desk.add_account(self.server.url)
        desk.sync()
        self.assertIn("Dune", [entry["title"] for entry in desk.json("list")])
        desk.run("lists", "delete", "Books", "--yes")
        page = self.sync()
        self.assertIn("The server no longer has the list", page)
        self.assertIn("no longer on the server", self.get("/lists"))
        self.assertIn("Keep as a local list", self.get("/list?name=Books"))
        self.follow("/list/keep?name=Books", {})
        self.assertNotIn("no longer on the server", self.get("/lists"))
        self.assertIn("Dune", [entry["title"] for entry in self.laptop.json("list")])

    def test_an_account_is_changed_and_removed_on_its_page(self):
        self.connect(self.server)
        self.laptop.passwords.add(CANARY)
        name = self.laptop.json("account", "list")[0]["name"]
        target = f"/account?{urlencode({'name': name})}"
        page = self.send(target, {"setting-sync-interval": "soon", "setting-ca-file": "ca.pem"}, status=422)
        self.assertIn("Enter the whole path", page)
        self.assertIn('value="soon"', page)
        page = self.send(target, {"setting-sync-interval": "soon"}, status=422)
        self.assertIn("1m to 24h, or never", page)
        self.assertIn("The settings of", self.follow(target, {"setting-sync-interval": "2h", "setting-completes": "override"}))
        settings = self.laptop.json("account", "list")[0]["settings"]
        self.assertEqual(settings, {"sync-interval": "2h", "completes": "override"})
        password = target.replace("/account?", "/account/password?")
        page = self.send(password, {"of": "account", "password": CANARY}, status=422)
        self.assertIn("The password was not changed.", page)
        self.assertNotIn("canary", page)
        self.assertIn("The password is changed.", self.follow(password, {"of": "account", "password": PASSWORD}))
        self.laptop.sync()
        self.laptop.run("add", "Milk")
        remove = target.replace("/account?", "/account/remove?")
        self.assertIn("Discard the data that the server does not have (1 unsent change)", self.get(remove))
        self.send(remove, {}, status=422)
        self.assertEqual(len(self.laptop.json("account", "list")), 1)
        self.assertIn("its lists stay on the server", self.follow(remove, {"discard": "1"}))
        self.assertEqual(self.laptop.json("account", "list"), [])


class WithPretendedServers(SyncPages):
    @smoke
    def test_nextcloud_grants_an_app_password_on_its_own_page(self):
        server = self.serve(Nextcloud(password=CANARY, waits=1_000_000))
        self.means(server)
        self.laptop.passwords.add(CANARY)
        server.add_list("tasks", {"one": ["SUMMARY:One"]})
        self.open_pages()
        pages = []
        address = self.send("/accounts/add", {"address": server.url})
        pages.append(self.get(address))
        self.assertIn(f'href="{server.url}login/v2/flow/guest" rel="noopener noreferrer"', pages[-1])
        self.assertIn("Sign in on the server", pages[-1])
        server.waits = 0

        def is_granted():
            pages.append(self.get(address))
            return "Choose the lists" in pages[-1]

        wait_for(is_granted, 30, "the list of lists")
        pages.append(self.follow(address, {"do": "connect", "list": "0", "default": "found 0"}))
        self.assertIn("1 received", pages[-1])
        self.assertEqual(self.laptop.by_uid("one")["title"], "One")
        for page in pages:
            self.assertNotIn("canary", page)
            self.assertNotIn(server.code, page)

    @smoke
    def test_held_deletions_are_confirmed_by_title_and_only_those_that_were_shown(self):
        server = self.serve(FakeDAV())
        tasks = server.add_list("tasks", {f"uid-{number}": [f"SUMMARY:Task <{number}>"] for number in range(40)})
        self.laptop.add_account(server.url)
        self.laptop.sync()
        self.open_pages()
        for number in range(20):
            tasks.remove(f"uid-{number}.ics")
        self.assertIn("20 deletions held back.", self.sync())
        self.assertIn("Deletions wait for your confirmation.", self.get("/labels"))
        page = self.get("/sync")
        self.assertIn("<bdi>Task &lt;7&gt;</bdi>", page)
        self.assertIn("Delete these 20 and sync", page)
        shown = re.search(r'name="held" value="(\w+)"', page)[1]
        account = self.laptop.json("account", "list")[0]["name"]
        tasks.remove("uid-20.ics")
        page = self.follow("/sync", {"do": "delete", "account": account, "held": shown})
        self.assertIn("The deletions have changed", page)
        self.assertIn("Delete these 21 and sync", page)
        self.assertEqual(len(self.laptop.items()), 40)
        shown = re.search(r'name="held" value="(\w+)"', page)[1]
        page = self.follow("/sync", {"do": "delete", "account": account, "held": shown})
        self.assertIn("21 deleted here", page)
        self.assertEqual(len(self.laptop.items()), 19)
        self.assertNotIn('class="notice"', self.get("/labels"))

    def test_a_slow_server_delays_no_page_and_its_sync_ends_in_the_background(self):
        server = self.serve(FakeDAV())
        server.add_list("tasks", {"one": ["SUMMARY:One"]})
        self.laptop.add_account(server.url)
        self.open_pages()
        free = threading.Event()
        self.addCleanup(free.set)
        server.intercept = lambda request: free.wait(60) and None
        page = self.sync()
        self.assertIn("syncing: asking the server", page)
        self.assertIn("Show the present state", page)
        for target in ("/", "/sync", "/add", "/labels"):
            start = time.monotonic()
            self.get(target)
            self.assertLess(time.monotonic() - start, QUICK_SECONDS, target)
        self.browser.post("/quick", {"text": "Added meanwhile"})
        free.set()
        wait_for(lambda: "Last result" in self.get("/sync"), 30, "the end of the sync")
        self.assertIn("<bdi>One</bdi>", self.get("/"))

    def test_an_unknown_certificate_is_shown_and_trusted_before_a_password_is_sent(self):
        server = self.serve(SecureDAV("self-signed", password=CANARY))
        server.add_list("tasks", {"one": ["SUMMARY:One"]})
        self.means(server)
        self.laptop.passwords.add(CANARY)
        self.open_pages()
        address = self.send("/accounts/add", {"address": server.url.replace("127.0.0.1", "localhost")})
        page = self.get(address)
        self.assertIn("<h1>Certificate</h1>", page)
        self.assertRegex(page, r"SHA-256 ([0-9A-F]{2}:){31}[0-9A-F]{2}")
        self.assertEqual(self.send(address, {"do": "trust", "key": "sha256//other"}), address)
        self.assertIn("<h1>Certificate</h1>", self.get(address))
        key = re.search(r'name="key" value="([^"]*)"', page)[1]
        self.assertIn("<h1>Sign in</h1>", self.follow(address, {"do": "trust", "key": key}))
        self.assertEqual(server.authorized, 0)
        address = self.send(address, {"do": "password", "user": "user", "password": CANARY})
        self.assertIn("1 received", self.follow(address, {"do": "connect", "list": "0"}))
        account, = self.laptop.json("account", "list")
        self.assertEqual(account["settings"], {"trust-key": key})
        self.assertIn("This key is trusted.", self.get(f"/account/certificate?name={quote(account['name'])}"))

    def test_the_password_goes_to_another_host_only_after_a_question(self):
        server = self.serve(FakeDAV(password=CANARY))
        server.add_list("tasks", {"one": ["SUMMARY:One"]})
        other = self.serve(FakeDAV())
        other.intercept = lambda request: Answer(302, b"", {"Location": server.url + "dav/"})
        self.means(other)
        self.laptop.passwords.add(CANARY)
        self.open_pages()
        address = self.send("/accounts/add", {"address": other.url})
        address = self.send(address, {"do": "password", "user": "user", "password": CANARY})
        self.assertIn("<h1>Another host</h1>", self.get(address))
        self.assertEqual(server.authorized, 0)
        self.means(server)
        self.assertIn("Choose the lists", self.follow(address, {"do": "host"}))

    def test_a_wrong_address_and_a_silent_server_are_problems_of_the_form(self):
        self.open_pages()
        page = self.send("/accounts/add", {"address": "ftp://dav.example.org/"}, status=422)
        self.assertIn('value="ftp://dav.example.org/"', page)
        self.assertIn('aria-invalid="true"', page)
        address = self.send("/accounts/add", {"address": "http://127.0.0.1:9/"})
        self.laptop.passwords.add(CANARY)
        self.laptop.ports.add(9)
        page = self.send(address, {"do": "password", "user": "ada", "password": CANARY}, status=422)
        self.assertIn("Check the address and the connection", page)
        self.assertIn('value="ada"', page)
        self.assertEqual(self.send(address, {"do": "cancel"}), "/sync")

    def test_each_page_is_sound_and_shows_hostile_text_as_text(self):
        server = self.serve(FakeDAV())
        collection = server.add_list("tasks", {"one": [f"SUMMARY:{HOSTILE}"]})
        collection.name = f"Server {HOSTILE}"
        self.laptop.add_account(server.url)
        self.laptop.sync()
        self.laptop.run("lists", "add", HOSTILE)
        self.laptop.run("lists", "add", "..")
        self.open_pages()
        account = self.laptop.json("account", "list")[0]["name"]
        names = [entry["name"] for entry in self.laptop.json("lists")]
        targets = ["/lists", "/lists/add", "/sync", "/conflicts", "/conflicts?all=", "/accounts/add", "/?synced="]
        targets += [f"/account{part}?name={quote(account)}" for part in ("", "/remove")]
        targets += [f"/list{part}?name={quote(name)}" for name in names for part in ("", "/delete", "/discard")]
        for target in targets:
            with self.subTest(target):
                self.assertNotIn("<img", self.get(target))
        page = self.follow("/sync", {"do": "dry"})
        self.assertNotIn("<img", page)


if __name__ == "__main__":
    unittest.main()

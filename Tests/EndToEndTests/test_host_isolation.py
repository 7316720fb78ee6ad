"""Two tenants with a marked word in each place for a text: no command, page, feed, log or dump shows a word of the other.

A tenant is also an attacker: its commands and forms name the numbers, names and tokens of the other tenant. After each
of them, all rows of the other tenant are the same. REMINDAV_ATTACKERS=1: only the first tenant attacks; 2, the default:
each tenant attacks the other.
"""

import base64
import json
import os
import re
import secrets
import subprocess
import threading
import time
import unittest
from functools import cached_property
from pathlib import Path
from urllib.parse import quote

import test_host_pages as host_pages
from fakedav import Answer, FakeDAV
from harness import AUTH, BINARY, OK, PARTIAL, ROOT, wait_for
from hosts import HostTest

SYNC_SECONDS = 30
ATTACKERS = max(1, int(os.environ.get("REMINDAV_ATTACKERS") or 2))
# The places of texts; those of PRIVATE are in no output of the tenant either.
PLACES = ("title", "notes", "label", "location", "link", "list", "inlist", "child", "newlabel", "completed", "trashed", "before", "after",
          "account", "serverlist", "servertitle", "broken", "mine", "theirs", "refused", "feed", "imported", "category",
          "comment", "attendee", "place")
PRIVATE = ("revoked", "user", "address", "agent", "file", "search", "person")
SECRETS = ("password", "pushpassword")
ZONES = {"ada": "Pacific/Tongatapu", "ben": "Asia/Kathmandu"}
ROUTES = ROOT / "Sources" / "Pages" / "Site" / "Routes.swift"
ACTIONS = ROOT / "Sources" / "Pages" / "Screens" / "ReminderActions.swift"


class MarkedDAV(FakeDAV):
    """A server whose user, password and address are marked words."""

    def __init__(self, user, password, word):
        super().__init__(user, password)
        self.place = f"/{word}/dav/"

    @property
    def url(self):
        return super().url.rstrip("/") + self.place

    def serve(self, request):
        place = self.place.encode()
        request.path = request.path.replace(self.place, "/dav/")
        request.body = request.body.replace(place, b"/dav/")
        answer = super().serve(request)
        answer.body = answer.body.replace(b"/dav/", place)
        answer.headers = {name: value.replace("/dav/", self.place) for name, value in answer.headers.items()}
        return answer


class Tenant:
    """A tenant with its marked words, numbers and tokens."""

    def __init__(self, test, label):
        self.test, self.label = test, label
        self.name = f"{label}{secrets.token_hex(4)}"
        self.zone = ZONES[label]
        self.words = {place: f"{place}{secrets.token_hex(5)}" for place in (*PLACES, *PRIVATE)}
        self.secrets = {place: f"{secrets.token_hex(6)} +/ä{place}" for place in SECRETS}
        self.person = f"{self.words['person']}@example.org"
        self.tokens = {}

    def __getattr__(self, place):
        try:
            return self.__dict__["words"][place]
        except KeyError:
            raise AttributeError(place) from None

    @property
    def marks(self):
        return {*self.words.values(), *self.secrets.values(), *self.tokens.values(), self.name, self.zone}

    def run(self, *words, **options):
        return self.test.admin.run("--tenant", self.name, *words, **options)

    def json(self, *words, **options):
        return self.test.admin.json("--tenant", self.name, *words, **options)

    # -- the plants --------------------------------------------------------------------------------------------------

    def plant(self):
        self.run("add", self.title, "--notes", self.notes, "--label", self.words["label"], "--location", self.location, "--due", "2027-01-04 09:00",
                 "--link", f"https://{self.link}.example.org/", "--literal", "--id", f"key-{self.title}")
        self.run("lists", "add", self.list)
        self.run("lists", "set", self.list, "--due", "tomorrow")
        self.run("labels", "add", self.newlabel, "--color", "red")
        self.run("add", self.inlist, "--list", self.list)
        self.run("add", self.child, "--parent", self.first)
        self.run("add", self.completed)
        self.run("done", self.completed, "--yes")
        self.run("add", self.trashed)
        self.run("delete", self.trashed, "--yes")
        self.run("add", self.before)
        self.run("edit", self.before, "--title", self.after, "--yes")
        self.plant_import()
        self.plant_account()
        for name, options in ((self.feed, ("--label", self.words["label"])), (self.revoked, ("--style", "both"))):
            url = self.json("feed", "create", "--name", name, *options)["url"]
            self.tokens[name] = re.search(r"/feed/([0-9a-f]{32})\.ics", url)[1]
        self.run("feed", "revoke", self.revoked)
        self.server.take()

    def plant_import(self):
        path = self.test.write(f"{self.file}.ics", "\r\n".join([
            "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//x//EN", f"X-WR-CALNAME:{self.place}", "BEGIN:VTODO", f"UID:{self.imported}",
            "DTSTAMP:20260101T000000Z", f"SUMMARY:{self.imported}", f"CATEGORIES:{self.category}", f"COMMENT:{self.comment}",
            f"ATTENDEE;CN={self.attendee}:mailto:{self.attendee}@example.org", f"LOCATION:{self.place}", "END:VTODO", "END:VCALENDAR", ""]))
        self.run("import", path, "--list", self.list)

    def plant_account(self):
        """An account with a conflict, a broken file and a refused reminder."""
        server = self.server = self.test.serve(MarkedDAV(self.user, self.secrets["password"], self.address))
        todos = server.add_list(self.serverlist, {self.servertitle: [f"SUMMARY:{self.servertitle}"], "both": ["SUMMARY:Before"]})
        self.test.allow_all()
        self.run("account", "add", server.url, "--user", self.user, "--name", self.account, "--password-stdin", stdin=self.secrets["password"] + "\n")
        self.run("sync")
        self.run("edit", "Before", "--title", self.mine, "--yes")
        todos.put("both.ics", todos.items["both.ics"][1].replace(b"SUMMARY:Before", f"SUMMARY:{self.theirs}".encode()))
        todos.put(f"{self.broken}.ics", f"BEGIN:VCALENDAR\r\nX-{self.broken}\r\nnothing".encode())
        self.run("sync", code=None)
        self.run("add", self.refused, "--list", self.serverlist)
        server.intercept = lambda request: (
            Answer(403, f"<p>{self.refused}</p>".encode(), {"Content-Type": "text/html", "X-Word": self.refused})
            if request.method == "PUT" and self.refused.encode() in request.body else None)
        self.run("sync", code=None)

    def read_numbers(self):
        """The numbers of all rows of the tenant, by the tables."""
        tables = {"object": "calendar_object", "conflict": "conflict", "feedid": "feed", "run": "sync_run", "change": "change"}
        self.numbers = {name: [int(word) for word in self.test.sql(f"SELECT id FROM {table} WHERE tenant = {self.id} ORDER BY id").split()]
                        for name, table in tables.items()}
        self.test.assertTrue(all(self.numbers.values()), self.numbers)
        self.numbers["feedid"] = [item["id"] for item in self.json("feed", "list")]
        by_title = {item["title"]: item["id"] for item in self.json("list", "--all")}
        self.numbers |= {"titleid": [by_title[self.title]], "doneid": [by_title[self.completed]], "after": [by_title[self.after]],
                         "trashid": [self.json("trash")[0]["id"]]}

    @cached_property
    def id(self):
        return int(self.test.sql(f"SELECT id FROM tenant WHERE name = '{self.name}'"))

    def rows(self):
        """All rows of the tenant in the database."""
        tables = self.test.tables
        script = "".join(f"SELECT '{table}', row_to_json(t)::text FROM {table} t WHERE t.tenant = {self.id} ORDER BY 2;\n" for table in tables)
        return self.test.sql(script + f"SELECT 'tenant', row_to_json(t)::text FROM tenant t WHERE id = {self.id};")

    def fill(self, template, quoted=False):
        """The word or address with the names and numbers of this tenant: `{title}`, `{object}` for each number of a reminder."""
        names = set(re.findall(r"{(\w+)}", template))
        values = {name: self.words[name] for name in names if name in self.words}
        values |= {name: {"url": self.server.url, "name": self.name, "token": self.tokens[self.feed]}[name] for name in names & {"url", "name", "token"}}
        values |= {name: self.numbers[name][0] for name in names if name in self.numbers}
        return template.format(**{name: quote(str(value)) if quoted else value for name, value in values.items()})

    def fill_all(self, words):
        """The command lines of a template: `*NAME` is repeated for the first and the last number of this name."""
        for word in words:
            if word.startswith("*"):
                numbers = self.numbers[word[1:]]
                return [[str(number) if other == word else self.fill(other) for other in words] for number in sorted({numbers[0], numbers[-1]})]
        return [[self.fill(word) for word in words]]


# The words behind each command, in the order of their damage; `{NAME}` and `*NAME` are of the tenant itself and of the other.
COMMANDS = {
    "help": ["--all"], "version": [""], "expand": ["--dtstart 20260101 --rrule FREQ=DAILY;COUNT=2"],
    "list": ["", "--all", "--section completed", "--label {label}", "--list {list}", "--text {title}", "--all --list {serverlist}"],
    "search": ["{title}", "{search}", "--all {completed}", "--all e"], "show": ["*object", "{title}"], "alarms": ["", "--list {list}"], "status": [""], "stats": [""],
    "labels": [""], "lists": [""], "lists default": [""], "account list": [""], "conflicts": ["", "--all", "--all --raw"],
    "log": ["", "--all", "--run *run"], "trash": [""], "feed list": [""], "feed write": ["*feedid", "{feed}", "{revoked}"],
    "export": ["", "--format json", "--format csv", "--format markdown", "--format todotxt", "--format taskwarrior", "--format todoist-csv",
               "--format google-json", "--format outlook-csv", "--style event", "--list {list}", "--label {label}"],
    "sync": ["--dry-run", "--dry-run --account {account}"],
    "import": ["../{file}.ics --dry-run", "../{file}.ics --copy"],
    "add": ["one more", "one more --list {list}", "one more --parent *object", "one more --depends *object", "one more --id key-{title}"],
    "edit": ["*object --title changed", "{title} --priority high --yes", "--with-label {label} --add-notes x --yes", "{after} --parent *object",
             "{after} --depends *object", "{after} --list {serverlist}"],
    "snooze": ["*object 15m", "--list {list} 15m --yes"], "done": ["*object", "--list {list} --yes"], "undone": ["*object", "{completed} --yes"],
    "alarms clear": ["--yes"], "undo": ["--run *run --yes", "*change --yes", "--last"],
    "labels add": ["{label}"], "labels recolor": ["{newlabel} blue"], "labels rename": ["{newlabel} renamed"], "labels merge": ["{category} {label}"],
    "labels delete": ["{label} --yes"], "lists recolor": ["{list} purple"], "lists set": ["{list} --alarm 15m"],
    "lists keep": ["{list}"], "lists discard": ["{serverlist} --yes"], "lists rename": ["{list} other"],
    "account set": ["{account} --sync-interval 1h"], "account trust": ["{account} --yes"],
    "account add": ["{url} --user {user} --name again --password-stdin --yes"], "account password": ["{account} --password-stdin"],
    "lists add": ["new", "{list}", "new --account {account}"], "feed create": ["--json", "--name {feed} --list {list}"], "feed rename": ["*feedid other", "{feed} other"],
    "feed push": ["*feedid", "*feedid {url}x.ics --user {user} --password-stdin", "*feedid --forget"], "conflicts restore": ["*conflict"], "conflicts dismiss": ["*conflict"],
    "trash restore": ["*object --list {list}", "*trashid"], "feed revoke": ["*feedid", "{feed}"], "lists delete": ["{list} --yes"],
    "delete": ["*object --yes", "--list {serverlist} --yes"], "account remove": ["{account} --yes"],
}
# Completion is no command of the help.
COMPLETIONS = ["list --list ''", "list --label ''", "show ''", "feed write ''", "account set ''", "done ''", "trash restore ''"]

# The addresses of the pages, by the routes of the site. `{NAME}` is of the tenant itself and of the other.
PAGES = {
    "": ["/", "/?section=completed", "/?q={title}", "/?list={list}", "/?label={label}", "/?did={run}"], "add": ["/add"],
    "alarms": ["/alarms", "/alarms?all="], "log": ["/log"], "trash": ["/trash"], "labels": ["/labels"], "labels/add": ["/labels/add"],
    "label": ["/label?name={label}"], "label/delete": ["/label/delete?name={label}"], "lists": ["/lists"], "lists/add": ["/lists/add"],
    "list": ["/list?name={list}", "/list?name={serverlist}"], "list/delete": ["/list/delete?name={list}"], "list/discard": ["/list/discard?name={serverlist}"],
    "sync": ["/sync"], "account": ["/account?name={account}"], "account/certificate": ["/account/certificate?name={account}"],
    "account/remove": ["/account/remove?name={account}"], "accounts/add": ["/accounts/add"], "conflicts": ["/conflicts", "/conflicts?all="],
    "feeds": ["/feeds"], "settings": ["/settings"], "doctor": ["/doctor"], "help": ["/help"], "export": ["/export"],
    "export/file": ["/export/file?format=ics", "/export/file?format=json&list={list}", "/export/file?format=csv&labels={label}"], "import": ["/import"],
    "log/N": ["/log/{run}"], "import/N": ["/import/x"], "r/N": ["/r/{object}"], "r/N/delete": ["/r/{object}/delete"], "r/N/actions": ["/r/{object}/actions"],
    "r/N/snooze": ["/r/{object}/snooze"], "feeds/N": ["/feeds/{feedid}"], "feeds/N/file": ["/feeds/{feedid}/file"], "feeds/N/revoke": ["/feeds/{feedid}/revoke"],
}
# The forms, by the routes of the site, in the order of their damage.
FORMS = {
    "quick": [("/quick", {"text": "Quick @{list}"})],
    "act": [("/act", {"do": f"{verb} {{object}}"}) for verb in ("acknowledge", "snooze", "complete", "reopen", "skip", "delete")],
    "r/N": [("/r/{object}?save=", {"title": "changed", "parent": "{object}"}), ("/r/{titleid}?save=", {"title": "changed"})],
    "undo": [("/undo", {"run": "{run}"}), ("/undo", {"change": "{change}"})], "add": [("/add", {"title": "New", "list": "{list}", "parent": "{object}"})],
    "alarms": [("/alarms", {"clear": "{object}"}), ("/alarms", {"clear": "all"})], "alarms/enable": [("/alarms/enable", {})], "trash": [("/trash", {"id": "{trashid}"})],
    "labels/add": [("/labels/add", {"label": "{label}", "color": "#F44336"})], "label": [("/label?name={newlabel}", {"label": "renamed", "color": "#F44336"})],
    "label/delete": [("/label/delete?name={newlabel}", {})], "lists/add": [("/lists/add", {"list": "{list}", "account": "{account}"})],
    "lists/download": [("/lists/download", {"list": "{serverlist}", "account": "{account}"})], "list": [("/list?name={list}", {"list": "renamed", "due": "tomorrow"})],
    "list/discard": [("/list/discard?name={serverlist}", {})], "list/keep": [("/list/keep?name={serverlist}", {})],
    "list/upload": [("/list/upload?name={list}", {"account": "{account}"})], "list/default": [("/list/default?name={list}", {})],
    "sync": [("/sync", {"account": "{account}", "do": "dry"}), ("/sync", {"account": ""})], "account": [("/account?name={account}", {"sync-interval": "1h"})],
    "account/password": [("/account/password?name={account}", {"password": "wrong password"})], "account/certificate": [("/account/certificate?name={account}", {"key": "x"})],
    "accounts/add": [("/accounts/add", {"address": "{url}", "user": "{user}", "account": "again"}), ("/accounts/add?id=1", {"do": "save"})],
    "conflicts": [("/conflicts", {"do": "restore {conflict}"}), ("/conflicts", {"do": "dismiss {conflict}"}), ("/conflicts", {"do": "dismiss all"})],
    "feeds": [("/feeds", {"name": "{feed}", "list": "{list}"})], "feeds/N": [("/feeds/{feedid}", {"name": "renamed"})], "feeds/N/revoke": [("/feeds/{feedid}/revoke", {})],
    "settings": [("/settings", {"sign-out": "all"})], "doctor": [("/doctor", {})], "import/N": [("/import/x", {})],
    "list/delete": [("/list/delete?name={list}", {})], "account/remove": [("/account/remove?name={account}", {})],
}

# The forms that store the words of the attacker as names or titles.
STORING = ("quick", "add", "labels/add", "lists/add", "feeds")


def forms_of(text):
    """A word in the forms in which a file may contain it."""
    data = text.encode()
    shifted = [base64.b64encode(b"x" * shift + data).decode() for shift in range(3)]
    # The first and the last digits depend on the bytes around the word.
    parts = [part[4 if shift else 0:].rstrip("=")[:-2] for shift, part in enumerate(shifted)]
    return {text, quote(text), quote(text, safe=""), quote(text, safe="").replace("%20", "+"), data.hex(), data.hex().upper(), json.dumps(text)[1:-1], *parts}


class Processes:
    """Collects the arguments and the environments of all processes of this program."""

    def __init__(self):
        # The program starts itself by the path without links.
        self.paths = {str(BINARY).encode(), str(BINARY.resolve()).encode()}
        self.texts, self.stopped = set(), threading.Event()
        self.thread = threading.Thread(target=self.watch, daemon=True)
        self.thread.start()

    def watch(self):
        while not self.stopped.wait(0.005):
            for folder in Path("/proc").glob("[0-9]*"):
                try:
                    words = (folder / "cmdline").read_bytes()
                    if any(path in words for path in self.paths):
                        self.texts |= {words, (folder / "environ").read_bytes()}
                except OSError:
                    pass

    def stop(self):
        self.stopped.set()
        self.thread.join()
        return self.texts


class Isolation(HostTest):
    @cached_property
    def tables(self):
        return self.sql("SELECT c.relname FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid WHERE a.attname = 'tenant' AND c.relkind = 'r' "
                        "AND c.relnamespace = 'public'::regnamespace ORDER BY 1").split()

    def allow_all(self):
        self.admin.run("config", "set", "host-allow", "127.0.0.0/8")
        self.admin.run("config", "set", "host-ports", ",".join(str(server.told_port) for server in self.servers))

    def prepare_tenants(self):
        self.prepare_key()
        for name in [tenant["name"] for tenant in self.admin.json("host", "tenant", "list")]:
            self.admin.run("host", "tenant", "remove", name, "--yes")
        self.ada, self.ben = self.tenants = [Tenant(self, label) for label in ZONES]
        for tenant in self.tenants:
            self.admin.run("host", "tenant", "add", tenant.name, "--zone", tenant.zone)
            self.admin.run("host", "tenant", "allow", tenant.name, "--subject", tenant.person)
            tenant.first = 1
            if tenant is self.ben:
                # No number of one tenant is one of the other.
                tenant.first = 1001
                self.sql("UPDATE tenant SET next_account = 1001, next_list = 1001, next_object = 1001, next_conflict = 1001, next_feed = 1001, "
                         f"next_run = 1001, next_change = 100001 WHERE id = {tenant.id}")
            tenant.plant()
        for tenant in self.tenants:
            tenant.read_numbers()

    def pairs(self):
        """Pairs of an attacker and the other tenant, as many as REMINDAV_ATTACKERS."""
        return [(self.ada, self.ben), (self.ben, self.ada)][:ATTACKERS]

    def assert_clean(self, text, other, typed="", what=None):
        """Checks that a text has no mark of a tenant, except those that the attacker typed."""
        text = text.lower()
        found = {mark for mark in other.marks if mark.lower() in text and mark not in typed}
        self.assertEqual(found, set(), what)

    # -- (a) commands ------------------------------------------------------------------------------------------------

    def accepted_commands(self):
        """The commands of the help that can be combined with `--tenant`."""
        text = self.admin.run("help", "--all").out.split("\nOther names\n")[0]
        # The summary of a long name is on the same line; a continued summary has more spaces.
        names = [match[1] for match in re.finditer(r"^  (\S+(?: \S+)?)  +\S", text, re.M)]
        self.assertGreater(len(names), 60)
        # The refusal comes before any other error, and there is no such tenant.
        return [name for name in names
                if "cannot be combined" not in self.admin.run("--tenant", "nobody", *name.split(), code=None).err]

    def test_no_command_shows_or_changes_another_tenant(self):
        self.prepare_tenants()
        commands = self.accepted_commands()
        self.assertEqual(set(commands), set(COMMANDS), "each command that accepts --tenant has a row in COMMANDS")
        for own, other in self.pairs():
            rows = other.rows()
            seen, succeeded = "", set()
            for name, lines in COMMANDS.items():
                forms = [[], ["--json"]] if "--json" in self.admin.run("help", *name.split()).out else [[]]
                for line in lines:
                    for target in (other, own):
                        for words in target.fill_all(line.split()):
                            for form in forms:
                                full = [*name.split(), *words, *([] if "--json" in words else form)]
                                result = own.run(*full, code=None, stdin=(own.secrets["password"] if target is own else "wrong password") + "\n")
                                self.assert_clean(result.out + result.err, other, " ".join(full) if target is other else "", full)
                                self.assertNotIn("internal", result.err)
                                seen += result.out.lower()
                                if target is own and result.code in (OK, PARTIAL):
                                    succeeded.add(name)
                self.assertEqual(other.rows(), rows, name)
            for line in COMPLETIONS:
                for shell in ("bash", "fish"):
                    text = own.test.admin.run("__complete", shell, "--", "remindav", "--tenant", own.name, *line.replace("''", "").split(), "", code=None)
                    self.assert_clean(text.out + text.err, other, what=(shell, line))
            # The account exists already, and its server has no TLS and no place for a pushed file.
            self.assertEqual(set(COMMANDS) - succeeded, {"account add", "account trust", "feed push"})
            # The plants are there: the tenant itself sees them.
            self.assertEqual([place for place in PLACES if own.words[place].lower() not in seen], [])

    # -- (b) pages ---------------------------------------------------------------------------------------------------

    def prepare_pages(self, *options, role="remindav_web"):
        self.prepare_tenants()
        self.socket = str(self.admin.folder / "proxy.sock")
        for key, value in {"web-address": host_pages.SITE, "web-socket": self.socket, "host-subject-header": "Remote-User"}.items():
            self.admin.run("config", "set", key, value)
        self.use_role(role)
        self.web = self.run_host(*(options or ("--roles", "web")))
        self.web.port("Serving feeds")
        self.use_role("remindav_worker")
        self.proxy = host_pages.Proxy(self.socket)
        self.addCleanup(self.proxy.server_close)
        self.addCleanup(self.proxy.shutdown)
        for tenant in self.tenants:
            tenant.browser = host_pages.Person(self.proxy.server_port, tenant.person)
            tenant.browser.get("/")

    @staticmethod
    def routes():
        """The routes of pages and of forms in the source of the site; N is a number or a key."""
        text = ROUTES.read_text()
        parts = re.search(r'guard \[(.*?)\]\.contains\(name\)', ACTIONS.read_text())[1]
        found = []
        for start, end in (("func page(", "func change("), ("func change(", None)):
            body = text[text.index(start):text.index(end) if end else None]
            routes = {"/".join(re.findall(r'"([^"]+)"', words)) for words in re.findall(r"case \[([^\]]*)\]:", body)}
            for name, part in re.findall(r'case \("(\w+)", (nil|let part\?|"\w+")\)', body):
                names = [""] if part == "nil" else re.findall(r'"(\w+)"', parts if "let" in part else part)
                routes |= {f"{name}/N/{one}".rstrip("/") for one in names}
            found.append(routes)
        pages, forms = found
        return pages | {""}, forms | {"import/N"}

    def test_no_page_shows_and_no_form_changes_another_tenant(self):
        pages, forms = self.routes()
        self.assertEqual(pages, set(PAGES), "each route of a page has a row in PAGES")
        self.assertEqual(forms, set(FORMS), "each route of a form has a row in FORMS")
        self.prepare_pages(role="remindav_worker")
        for own, other in self.pairs():
            rows, seen, changed, stored = other.rows(), "", own.rows(), ""
            for target in (other, own):
                for route, templates in PAGES.items():
                    for template in templates:
                        address = target.fill(template, quoted=True)
                        answer, text = own.browser.ask("GET", address)
                        self.assert_clean(f"{answer.headers} {text}", other, address if target is other else "", address)
                        self.assertLess(answer.status, 500, address)
                        if target is own:
                            seen += text.lower()
                            self.assertTrue(answer.status == 200 or route in ("doctor", "import/N", "account/certificate", "list/discard"), (address, answer.status))
            for target in (other, own):
                for route, requests in FORMS.items():
                    for template, fields in requests:
                        address = target.fill(template, quoted=True)
                        fields = {key: target.fill(value) for key, value in fields.items()}
                        # Words of the other that this tenant stores are then its own.
                        typed = f"{stored} {address} {fields}" if target is other else stored
                        stored = typed if route in STORING else stored
                        answer, text = own.browser.ask("POST", address, fields)
                        self.assert_clean(f"{answer.headers} {text}", other, typed, (address, fields))
                        self.assertTrue(answer.status < 500, (address, fields, answer.status, text))
                        self.assertNotIn("no longer valid", text)
                        if answer.status == 303:
                            _, text = own.browser.ask("GET", answer.getheader("Location").removeprefix("/reminders"))
                            self.assert_clean(text, other, typed, (address, fields))
                    self.assertEqual(other.rows(), rows, (route, target.label))
                if target is own:
                    self.assertNotEqual(own.rows(), changed)
            self.upload(own, other)
            self.assertEqual(other.rows(), rows)
            self.assertEqual([place for place in PLACES if own.words[place].lower() not in seen
                              and place not in ("comment", "attendee", "broken", "theirs", "before")], [])

    def upload(self, own, other):
        """The preview of an import is for the person that sent the file."""
        own.browser.get("/import")
        own.words["upload"] = f"upload{secrets.token_hex(5)}"
        content = (self.folder / f"{own.file}.ics").read_bytes().replace(own.imported.encode(), own.words["upload"].encode())
        answer, text = own.browser.upload({}, f"{own.file}.ics", content)
        self.assertEqual(answer.status, 303, text)
        preview = answer.getheader("Location").removeprefix("/reminders")
        own.browser.get(preview)
        for method in ("GET", "POST"):
            answer, text = other.browser.ask(method, preview, {} if method == "POST" else None)
            self.assertIn(answer.status, (404, 422))
            self.assert_clean(f"{answer.headers} {text}", own, preview)
        own.browser.post(preview, {})
        self.assertIn(own.words["upload"], own.browser.get("/"))

    # -- (c) feeds and events ----------------------------------------------------------------------------------------

    def test_no_feed_and_no_event_shows_another_tenant(self):
        self.prepare_pages()
        for tenant in self.tenants:
            for style in ("event", "todo", "both"):
                name = f"{style} {tenant.label}"
                url = tenant.json("feed", "create", "--name", name, "--style", style, "--private", "--alarms")["url"]
                tenant.tokens[style] = re.search(r"/feed/([0-9a-f]{32})\.ics", url)[1]
        port = int(self.web.port("Serving feeds"))
        for own, other in self.pairs():
            for style, token in own.tokens.items():
                status, headers, text = self.web.get(port, f"/feed/{token}.ics", {"User-Agent": f"{own.agent}/1.0"})
                self.assertEqual(status, 404 if style == own.revoked else 200)
                self.assertEqual(own.title in text, style != own.revoked)
                self.assert_clean(f"{headers} {text}", other, what=style)
                tag = headers["ETag"] or ""
                for theirs in other.tokens.values():
                    for path in (f"/feed/{token}.ics?token={theirs}", f"/feed/{token}.ics?style=todo&{theirs}.ics", f"/feed/{token}.ics#/feed/{theirs}.ics",
                                 f"/feed/{token}/../{theirs}.ics", f"/feed/{token}.ics/{theirs}.ics", f"/feed/{token[:16]}{theirs[16:]}.ics",
                                 f"/feed/{token}{theirs}.ics", f"/feed/{theirs}.ics/", f"/feed/{theirs.upper()}.ics", f"/feed//{theirs}.ics",
                                 f"/reminders/feed/{theirs}", f"/feed/{theirs}", f"/{theirs}.ics", f"/feed/%2e%2e/feed/{theirs}.ics"):
                        status, headers, text = self.web.get(port, quote(path, safe="/?=&%#"), {"If-None-Match": tag})
                        self.assert_clean(f"{headers} {text}", other, path, path)
                        self.assertIn(status, (200, 304, 400, 403, 404), path)
                    # The token is the only key: a person of another tenant gets what anybody with the token gets.
                    answer, text = own.browser.ask("GET", f"/feed/{theirs}.ics", headers={"If-None-Match": tag})
                    self.assertIn(answer.status, (200, 404))
                    self.assert_clean(f"{answer.headers} {text}", own, own.browser.cookie)
        self.check_events()

    def check_events(self):
        for own, other in self.pairs():
            streams = {tenant: host_pages.Events(tenant.browser) for tenant in (own, other)}
            for stream in streams.values():
                self.addCleanup(stream.close)
            time.sleep(1.5)
            own.run("add", "By a command")
            wait_for(lambda: "event: changed" in streams[own].lines, 10, "the event")
            self.assertNotIn("event: changed", streams[other].lines)
            for tenant in streams:
                self.assert_clean("\n".join(streams[own].lines), tenant)

    # -- (d) logs, metrics and reports -------------------------------------------------------------------------------

    def test_logs_and_reports_have_no_text_of_any_tenant(self):
        self.prepare_pages("--roles", "web,sync", role="remindav_worker")
        reports = []

        def due(extra=""):
            self.sql(f"UPDATE work SET next_at = moment(), started = 0{extra}; UPDATE server SET wanted_at = moment(), rests_until = 0")

        def runs(number, what):
            before = self.web.metric("runs_total")
            due()
            wait_for(lambda: self.web.metric("runs_total") >= before + number, SYNC_SECONDS, what)
            reports.append(self.reports())

        runs(2, "runs with a conflict, a broken file and a refusal")
        for tenant in self.tenants:
            word = tenant.title.encode()
            tenant.server.intercept = lambda request, word=word: Answer(500, word, {"X-Word": word.decode(), "Content-Type": "text/plain"})
        runs(2, "runs with an error of the server")
        for tenant in self.tenants:
            tenant.server.intercept = lambda request, word=tenant.list: Answer(302, b"", {"Location": f"http://{word}.example.org/{word}"})
        runs(2, "runs with a redirection")
        for tenant in self.tenants:
            tenant.server.behave()
            tenant.server.distort = lambda request, answer: answer.cut(0.5)
        runs(2, "runs with broken answers")
        self.ada.server.behave()
        self.ada.server.password = "another"
        self.ben.server.stop()
        runs(2, "runs with a wrong password and without a server")
        self.forge()
        self.sql("UPDATE calendar_text SET source = '\\x00' || source")
        for tenant in self.tenants:
            tenant.browser.ask("GET", "/")
            self.web.feed(f"/feed/{tenant.tokens[tenant.feed]}.ics")
        self.server.kill()
        for tenant in self.tenants:
            tenant.browser.ask("POST", "/quick", {"text": tenant.search})
            self.web.feed(f"/feed/{tenant.tokens[tenant.revoked]}.ics")
            reports.append(tenant.run("list", code=None).err.replace(tenant.name, ""))
        wait_for(lambda: any("cannot be used" in line for line in self.web.log), SYNC_SECONDS, "the loss of the database")
        self.server.start()
        wait_for(lambda: any("can be used again" in line for line in self.web.log), SYNC_SECONDS, "the database")
        reports.append(self.reports())
        self.assertEqual(self.web.stop(), OK)
        self.assertGreater(len(self.web.log), 3)
        reports.append("\n".join(self.web.log))
        for text in reports:
            for tenant in self.tenants:
                self.assert_clean(text, tenant, what=text)

    def forge(self):
        """Requests whose addresses, headers and forms have marks, and which are refused."""
        for tenant in self.tenants:
            stranger = host_pages.Person(self.proxy.server_port, f"x{tenant.person}")
            self.assertEqual(stranger.ask("GET", f"/r/1?q={tenant.title}")[0].status, 403)
            for word in (tenant.title, tenant.person, tenant.tokens[tenant.revoked]):
                tenant.browser.ask("GET", f"/{word}?{word}", headers={"X-Word": word, "User-Agent": word})
                tenant.browser.ask("POST", "/quick", {"text": word, "token": word})
                tenant.browser.ask("POST", "/import", {"text": word})
                self.web.feed(f"/feed/{word}.ics")
                self.web.monitor(f"/{word}")

    def reports(self):
        """The texts that an administrator or a monitoring sees; names of tenants, their zones and people are permitted."""
        texts = [self.web.monitor("/metrics")[2], self.web.monitor("/readyz")[2]]
        for words in (("host", "queue"), ("host", "check"), ("host", "tenant", "list")):
            for form in ((), ("--json",)):
                text = self.admin.run(*words, *form, code=None)
                text = text.out + text.err
                if "list" in words:
                    for tenant in self.tenants:
                        self.assertIn(tenant.name, text)
                        for word in (tenant.name, tenant.person, tenant.zone):
                            text = text.replace(word, "").replace(json.dumps(word)[1:-1].replace("/", "\\/"), "")
                texts.append(text)
        return "\n".join(texts)

    # -- (e) dumps and processes -------------------------------------------------------------------------------------

    def test_neither_a_dump_nor_a_process_reveals_a_password_or_a_token(self):
        processes = Processes()
        self.addCleanup(processes.stop)
        self.prepare_pages("--roles", "web,sync", role="remindav_worker")
        for tenant in self.tenants:
            self.push_feed(tenant)
            tenant.run("account", "password", "--password-stdin", stdin="wrong password\n", code=AUTH)
            self.web.feed(f"/feed/{tenant.tokens[tenant.feed]}.ics")
        wait_for(lambda: self.web.metric("runs_total") >= 2 and self.web.metric("runs_active") == 0, SYNC_SECONDS, "the first runs")
        before = self.web.metric("runs_total")
        # The runs are in processes of their own, which live long enough to be seen.
        for tenant in self.tenants:
            tenant.server.intercept = lambda request: time.sleep(0.5)
        self.sql("UPDATE work SET next_at = moment(), started = 0, tries = 1; UPDATE server SET wanted_at = moment(), rests_until = 0")
        wait_for(lambda: self.web.metric("runs_total") >= before + 2, SYNC_SECONDS, "the runs")
        key = self.key.read_text().strip()
        self.web.stop()
        dump = self.server.run("pg_dump", "-h", self.server.folder, "-U", "owner", "postgres")
        self.assertEqual(dump.returncode, OK, dump.stderr)
        texts = b"\0".join(processes.stop()).decode(errors="replace")
        self.assertIn("REMINDAV_RUN=", texts)
        # The arguments of the program itself have no text of a tenant except the name.
        own = [text for text in texts.split("\0\0") if "--quiet" in text]
        for tenant in self.tenants:
            self.assertEqual([mark for mark in tenant.marks - {tenant.name} if mark in "".join(own)], [])
            for secret in (*tenant.secrets.values(), *tenant.tokens.values(), key):
                for form in forms_of(secret):
                    self.assertNotIn(form, dump.stdout)
                    self.assertNotIn(form, texts)
            # The dump is complete: it has the other marks.
            for place in {*PLACES, "revoked", "user", "address", "person"} - {"broken"}:
                self.assertTrue(any(form in dump.stdout for form in forms_of(tenant.words[place])), place)

    def push_feed(self, tenant):
        """Stores a feed on a server with a password of its own."""
        user = tenant.server.user
        tenant.server.user, password = tenant.words["file"], tenant.server.password
        tenant.server.password = tenant.secrets["pushpassword"]
        url = f"{tenant.server.url}calendars/user/{quote(tenant.serverlist)}/pushed.ics"
        tenant.run("feed", "push", tenant.feed, url, "--user", tenant.words["file"], "--password-stdin", stdin=tenant.secrets["pushpassword"] + "\n")
        tenant.server.user, tenant.server.password = user, password

    # -- (f) export, import and sync ---------------------------------------------------------------------------------

    def test_an_export_has_nothing_of_another_tenant_and_its_import_writes_nothing_on_a_server(self):
        self.prepare_tenants()
        for own, other in self.pairs():
            own.server.behave()
            del own.server.collections[own.serverlist].items[f"{own.broken}.ics"]
            for _ in range(3):
                own.run("sync", code=None)
            own.server.take()
            rows = own.rows(), other.rows()
            folder = self.folder / f"export-{own.label}"
            text = self.admin.run("host", "tenant", "export", own.name, folder)
            content = text.out + text.err + "".join(path.read_bytes().decode("latin-1") for path in folder.rglob("*") if path.is_file())
            for mark in other.marks:
                for form in forms_of(mark):
                    self.assertNotIn(form, content)
            for secret in (*own.secrets.values(), *own.tokens.values()):
                for form in forms_of(secret):
                    self.assertNotIn(form, content)
            # The broken file is gone from the server.
            for place in set(PLACES) - {"broken"}:
                self.assertIn(own.words[place], content)
            third = f"third{own.label}"
            # The sections of a list depend on the date in the zone of the tenant.
            zone, = [tenant["zone"] for tenant in self.admin.json("host", "tenant", "list") if tenant["name"] == own.name]
            self.admin.run("host", "tenant", "add", third, "--zone", zone)
            self.admin.run("host", "tenant", "import", third, folder)
            self.assertEqual(self.admin.json("--tenant", third, "list", "--all"), own.json("list", "--all"))
            self.assertEqual(own.server.take(), [], "neither command asks a server")
            self.admin.run("--tenant", third, "account", "password", "--password-stdin", stdin=own.secrets["password"] + "\n")
            self.admin.run("--tenant", third, "sync")
            own.run("sync")
            asked = own.server.take()
            self.assertGreater(len(asked), 0)
            self.assertEqual([request.method for request in asked if request.method not in ("PROPFIND", "REPORT", "OPTIONS", "GET")], [])
            self.assertEqual(other.rows(), rows[1])
            self.assertEqual(self.objects(own), self.objects(third))
            self.admin.run("host", "tenant", "remove", third, "--yes")
            self.assertEqual(other.rows(), rows[1])

    def objects(self, tenant):
        name = getattr(tenant, "name", tenant)
        return self.sql(f"SELECT object, source FROM calendar_text WHERE tenant = (SELECT id FROM tenant WHERE name = '{name}') ORDER BY 1")


if __name__ == "__main__":
    unittest.main()

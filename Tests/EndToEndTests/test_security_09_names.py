"""Names that come from outside: 100 UIDs and 100 addresses made to reach a file, a device or another list reach none."""

import re
import unittest

from fakedav import HOME, Answer
from harness import OK, ics
from security import CANARY, LIST, Attacked

BASES = [
    "../../../../etc/passwd", "..", ".", "...", "/etc/passwd", "/dev/null", "/dev/tty", "//etc/passwd", "~", "~root",
    "~/.ssh/id_rsa", "..\\..\\windows", "C:\\boot.ini", "C:", "\\\\host\\share", "CON", "NUL", "COM1.ics", "PRN.txt", "aux",
    "%2e%2e%2f%2e%2e%2fetc%2fpasswd", "..%2f..%2fetc", "%2F", "%5c..%5c", "%00", "a%00.ics", "%252e%252e%252f", "..%c0%af..",
    "%c0%ae%c0%ae/", "a/../../b", "a/./b", "a//b", "./a", "a/", "/", ".hidden", "-rf", "--help", "$(id)", "`id`", "; rm -rf .",
    "| id", "&& id", "a b", "a'b", 'a"b', "*", "?", "a?b=c", "a#b", "a;b", "file:///etc/passwd", "http://evil.example/a",
    "//evil.example/a", "http:a", "javascript:alert(1)", "remindav.sqlite", "../secrets/1", "secrets", "store.lock",
    "../other/o-1.ics", "%2e%2e/other/o-1.ics", "/dav/calendars/user/other/o-1.ics", "/dav/calendars/user/todo", "o-1",
    "..;/other", "{}", "${HOME}", "$HOME", "%n%s%x", "{{7*7}}", "' OR 1=1 --", "'; DROP TABLE item; --", "<x>", "]]>", "&amp;",
    "\u202egnp.ics", "\u200b", "\ufeff", "\u0130", "ß", "K", "é", "\u0301", "．．／", "․․/", "∕etc∕passwd", "\U0001f4a9", "\u2028",
    "a" * 255, "a" * 256, "a" * 4096, "é" * 200, "../" * 500, "%2e%2e/" * 200, "a/" * 300, "a" * 70_000, "UID:x", "=cmd", "@x",
]
LONGEST_KEY = 1024
PLAIN = re.compile(re.escape(LIST) + r"[0-9A-Za-z-]{1,64}\.ics")


class Names(Attacked):
    def files(self):
        """Every file below the test's folder; files in `secrets` have random names, and their form is checked."""
        names = {str(path.relative_to(self.folder)) for path in self.folder.rglob("*") if path.is_file()}
        return {re.sub(r"secrets/[0-9a-f-]{36}$", "secrets/random", name) for name in names}

    def test_a_hundred_of_each(self):
        self.assertEqual((len(BASES), len(set(BASES))), (100, 100))

    def test_uids_name_no_file_and_no_resource(self):
        """Hostile UIDs are imported, sent, fetched by a second machine, edited and deleted, always with a generated file name."""
        server = self.connect(count=1)
        known = self.files() | {name + end for name in self.files() for end in ("-wal", "-shm", "-journal")}
        uids = [uid.replace("\\", "\\\\").replace(";", "\\;").replace(",", "\\,") for uid in BASES]
        accepted = [uid for uid in BASES if len(uid.encode()) <= LONGEST_KEY]
        result = self.laptop.run("import", "-", "--list", "todo", stdin=ics(*[
            [f"UID:{uid}", "DTSTAMP:20260101T000000Z", f"SUMMARY:Nasty {number}"] for number, uid in enumerate(uids)]),
            code=None)
        self.assertEqual((result.out + result.err).count("1,024 bytes"), 100 - len(accepted))
        self.assertEqual(len(self.laptop.items()), 1 + len(accepted))
        self.laptop.sync_until_quiet()
        names = [request.path for request in server.take() if request.method == "PUT"]
        self.assertEqual(len(names), len(accepted))
        self.assertEqual(len(set(names)), len(accepted))
        for name in names:
            self.assertRegex(name, PLAIN.pattern + "$")
        phone = self.device("phone")
        before = self.files()
        phone.add_account(server.url, password=CANARY)
        phone.sync()
        self.assert_same(self.laptop, phone)
        for entry in phone.json("list", "--all"):
            if entry["title"].startswith("Nasty"):
                phone.run("edit", entry["id"], "--title", entry["title"] + "!")
        phone.sync()
        phone.run("delete", *[entry["id"] for entry in phone.json("list", "--all")], "--yes")
        phone.sync("--allow-mass-delete")
        self.assertEqual(server.collections["todo"].items, {})
        for request in server.take():
            if request.method in ("PUT", "DELETE"):
                self.assertRegex(request.path, f"{PLAIN.pattern}$|^{LIST}uid-0.ics$")
        self.assertEqual({name for name in self.files() if name.startswith("laptop/")} - known, set())
        self.assertEqual({name.split("/")[0] for name in self.files() - before}, {"phone"})
        self.assertEqual({re.sub(r"-(wal|shm|journal)$", "", name).removeprefix("phone/") for name in self.files() - before},
                         {name.removeprefix("laptop/") for name in known
                          if name.startswith("laptop/") and not re.search(r"-(wal|shm|journal)$", name)})

    def test_addresses_of_members_stay_in_their_list(self):
        """Each address is in a listing, with a text; then every resulting reminder is edited and deleted."""
        server = self.connect(count=1)
        server.add_list("other", {"o-1": ["SUMMARY:Other"]})
        self.laptop.sync()
        before = self.files()
        for number, name in enumerate(BASES):
            with self.subTest(name[:60]):
                text = ics([f"UID:nasty-{number}", "DTSTAMP:20260101T000000Z", "SUMMARY:Nasty"]).decode()
                plain = name.replace("&", "&amp;").replace("<", "&lt;").replace("]]>", "]]&gt;")
                href = plain if plain.startswith(("/", "http")) else LIST + plain
                extra = (f'<D:response><D:href>{href}</D:href><D:propstat><D:prop><D:getetag>"n{number}"</D:getetag>'
                         f"<C:calendar-data>{text}</C:calendar-data></D:prop><D:status>HTTP/1.1 200 OK</D:status>"
                         "</D:propstat></D:response>").encode()

                def distort(request, answer):
                    if request.path == LIST and answer.status == 207 and request.method in ("REPORT", "PROPFIND"):
                        answer.body = answer.body.replace(b"</D:multistatus>", extra + b"</D:multistatus>")
                    if request.method == "GET":
                        return Answer(200, text.encode(), {"ETag": f'"n{number}"', "Content-Type": "text/calendar"})
                    return answer

                server.realm += 1
                server.take()
                server.distort = distort
                self.assert_sentence(self.laptop.run("sync", code=None))
                for entry in self.laptop.json("list", "--all"):
                    if entry["title"].startswith("Nasty"):
                        self.laptop.run("delete", entry["id"], "--yes")
                        self.assert_sentence(self.laptop.run("sync", code=None))
                server.behave()
                for request in server.take():
                    self.assertNotRegex(request.path, r"/\.\.?(/|$)|%2[fF]|%5[cC]|%00|\\|//")
                    if request.method not in ("PROPFIND", "OPTIONS") and not request.path.startswith(HOME + "other/"):
                        self.assertTrue(request.path.startswith(LIST), request.path[:200])
                        self.assertNotIn("/", request.path.removeprefix(LIST))
                    if request.method in ("PUT", "DELETE"):
                        self.assertTrue(request.path.startswith(LIST), request.path[:200])
                self.assertIn("o-1.ics", server.collections["other"].items)
                self.assertIn("uid-0.ics", server.collections["todo"].items)
        self.assertEqual(self.laptop.run("sync", code=None).code, OK)
        strip = lambda names: {re.sub(r"-(wal|shm|journal)$", "", name) for name in names}
        self.assertEqual(strip(self.files()), strip(before))
        self.assertEqual(sorted(uid for _, uid in self.laptop.items() if uid in ("uid-0", "o-1")), ["o-1", "uid-0"])


if __name__ == "__main__":
    unittest.main()

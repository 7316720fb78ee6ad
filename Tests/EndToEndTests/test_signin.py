"""Signing in: every scheme against a strict server, TLS, and a password that is sent to no other server."""

import json
import re
import shutil
import subprocess
import sys
import unittest
from pathlib import Path

from fakedav import HOME, PRINCIPAL, Answer, FakeDAV
from harness import AUTH, BINARY, NETWORK, NOT_FOUND, OK, SAFETY, USAGE, EndToEnd
from servers import free_port
from signin import (
    CERTIFICATES, DigestDAV, Nextcloud, SecureDAV, TokenDAV, Trap, at_terminal, keyring,
)

CANARY = "canary-7f3a correct horse"


class SignIn(EndToEnd):
    def setUp(self):
        super().setUp()
        self.laptop = self.device("laptop")

    def add(self, server, *arguments, code=OK, password=CANARY, environment=None):
        return self.laptop.run("account", "add", server.url, "--user", server.user, "--password-stdin", *arguments,
                               stdin=password + "\n", code=code, environment=environment)

    def account(self):
        return self.laptop.json("account", "list")[0]

    def assert_no_canary(self, word="canary", besides=()):
        """Checks that only these files of the device contain the word."""
        for path in self.laptop.folder.rglob("*"):
            if path.is_file() and path not in besides:
                self.assertNotIn(word.encode(), path.read_bytes(), path)


class Schemes(SignIn):
    def test_digest_against_a_strict_server(self):
        for algorithm in ("MD5", "SHA-256", "MD5-sess", "SHA-256-sess"):
            with self.subTest(algorithm):
                server = self.serve(DigestDAV(algorithm, user=f"Jäsøn {algorithm}", password=CANARY))
                server.add_list("tasks", {"one": ["SUMMARY:One"]})
                self.laptop = self.device(f"laptop-{algorithm}")
                self.add(server)
                self.laptop.sync()
                self.assertEqual(self.laptop.by_uid("one")["title"], "One")
                self.laptop.run("add", "Two ü")
                self.laptop.run("edit", self.laptop.id_of("one"), "--title", "One more")
                server.take()
                self.laptop.sync()
                self.assertEqual(server.faults, [])
                # The scheme is remembered: no request contains the password.
                sent = [request.headers.get("authorization", "") for request in server.take()]
                self.assertEqual(sum(1 for value in sent if not value), 1, sent)
                self.assertIn(b"One more", server.collections["tasks"].items["one.ics"][1])

    def test_an_expired_nonce_costs_a_request_and_nothing_else(self):
        server = self.serve(DigestDAV("SHA-256", uses=3, password=CANARY))
        server.add_list("tasks", {f"t-{number}": [f"SUMMARY:{number}"] for number in range(5)})
        self.add(server)
        self.laptop.sync()
        for number in range(5):
            self.laptop.run("edit", self.laptop.id_of(f"t-{number}"), "--title", f"new {number}")
        self.laptop.sync_until_quiet()
        self.assertEqual(server.faults, [])
        self.assertIn(b"new 4", server.collections["tasks"].items["t-4.ics"][1])

    def test_a_server_that_changes_to_digest_gets_the_password_once_more_and_then_never_again(self):
        server = self.serve(DigestDAV(password=CANARY))
        server.add_list("tasks", {"one": ["SUMMARY:One"]})
        strict = server.serve
        server.serve = lambda request: FakeDAV.serve(server, request)
        self.add(server)
        server.serve = strict
        for expected in (1, 0):
            server.in_clear = 0
            self.laptop.sync()
            self.assertEqual((server.in_clear, server.faults), (expected, []))

    def test_a_wrong_password_by_digest_is_tried_once(self):
        server = self.serve(DigestDAV(password="another"))
        self.assert_complaint(self.add(server, code=None), AUTH, "password", "no account was added")
        self.assertLessEqual(len(server.requests), 3)
        self.assertEqual(self.laptop.json("account", "list"), [])

    def test_a_refused_token_is_obtained_again_and_not_stored(self):
        server = self.serve(TokenDAV("canary-token-1"))
        server.add_list("tasks", {"one": ["SUMMARY:One"]})
        token = self.write("token", "canary-token-1\n")
        self.laptop.run("account", "add", server.url, "--user", "user", "--token-command", f"cat '{token}' 2> /dev/null")
        self.assertIn("token command", self.account()["password"])
        self.laptop.sync()
        server.bearer = "canary-token-2"
        self.assert_complaint(self.laptop.run("sync", code=None), AUTH, "token")
        token.write_text("canary-token-2\n")
        self.laptop.sync()
        self.assert_no_canary()
        token.unlink()
        self.assert_complaint(self.laptop.run("sync", code=None), AUTH, "token command")

    def test_a_refusal_has_its_reason(self):
        server = self.serve(FakeDAV(password=CANARY))
        cases = {
            "no challenge": (Answer(401), AUTH, "wrong"),
            "app password": (Answer(401, b"<o:hint>password login forbidden</o:hint>", {"WWW-Authenticate": "Basic"}),
                             AUTH, "app password"),
            "other scheme": (Answer(401, b"", {"WWW-Authenticate": "Negotiate"}), AUTH, "negotiate"),
            "wrong": (Answer(401, b"", {"WWW-Authenticate": 'Basic realm="x"'}), AUTH, "wrong"),
        }
        for name, (answer, code, word) in cases.items():
            with self.subTest(name):
                server.intercept = lambda request: answer
                server.take()
                self.assert_complaint(self.add(server, code=None), code, word)
                # Without an answer, a second address is requested.
                self.assertEqual(len(server.take()), 2 if name == "no challenge" else 1)

    def test_a_password_is_changed_only_when_the_server_accepts_it(self):
        server = self.serve(FakeDAV(password=CANARY))
        server.add_list("tasks")
        self.add(server)
        server.password = "canary-new"
        self.assert_complaint(self.laptop.run("sync", code=None), AUTH, "account password")
        refused = self.laptop.run("account", "password", "--password-stdin", stdin="canary-bad\n", code=None)
        self.assert_complaint(refused, AUTH, "wrong")
        kept = next((self.laptop.store / "secrets").iterdir())
        self.assertEqual(kept.read_text(), CANARY)
        self.laptop.run("account", "password", "--password-stdin", stdin="canary-new\n")
        self.laptop.sync()
        self.assertEqual([path.read_text() for path in (self.laptop.store / "secrets").iterdir()], ["canary-new"])
        self.laptop.run("account", "password", "127.0.0.1", "--password-command", "echo canary-new")
        self.laptop.sync()
        self.assertEqual(list((self.laptop.store / "secrets").iterdir()), [])
        self.laptop.run("account", "password", "nobody", "--password-stdin", stdin="x\n", code=NOT_FOUND)

    def test_the_same_account_twice_is_an_error_with_a_remedy(self):
        server = self.serve(FakeDAV(password=CANARY))
        self.add(server)
        self.assert_complaint(self.add(server, code=None), USAGE, "account password")


class Secrets(SignIn):
    def test_an_open_keyring_gets_the_password_and_the_store_does_not(self):
        folder, environment = keyring(self.laptop)
        self.laptop.environment.update(environment)
        server = self.serve(FakeDAV(password=CANARY))
        server.add_list("tasks")
        self.assertIn("keyring", self.add(server).err)
        self.assertEqual(self.account()["password"], "in the keyring")
        kept = [path for path in folder.iterdir() if path.name != "arguments"]
        self.assertEqual([path.read_text() for path in kept], [CANARY])
        self.assert_no_canary(besides=kept)
        self.laptop.sync()
        kept[0].rename(folder / "elsewhere")
        self.assert_complaint(self.laptop.run("sync", code=None), AUTH, "keyring")
        (folder / "elsewhere").rename(kept[0])
        self.laptop.run("account", "remove", "--yes")
        self.assertFalse(kept[0].exists())

    def test_a_keyring_that_stays_locked_leaves_the_password_in_a_private_file(self):
        folder, environment = keyring(self.laptop)
        (folder / "locked").touch()
        self.laptop.environment.update(environment)
        server = self.serve(FakeDAV(password=CANARY))
        self.assertIn("folder of the store", self.add(server).err)
        kept = list((self.laptop.store / "secrets").iterdir())
        self.assertEqual([path.stat().st_mode & 0o777 for path in kept], [0o600])
        self.assert_no_canary(besides=kept)

    def test_a_credential_of_systemd_is_read_when_it_is_needed(self):
        server = self.serve(FakeDAV(password=CANARY))
        server.add_list("tasks")
        credentials = self.folder / "credentials"
        credentials.mkdir()
        (credentials / "dav").write_text(CANARY + "\n")
        add = ["account", "add", server.url, "--user", "user", "--password-credential"]
        self.assert_complaint(self.laptop.run(*add, "dav", code=None), AUTH, "loadcredential")
        self.laptop.run(*add, "../dav", code=USAGE)
        inside = {"CREDENTIALS_DIRECTORY": str(credentials)}
        self.laptop.run(*add, "dav", environment=inside)
        self.laptop.run("sync", environment=inside)
        self.assert_complaint(self.laptop.run("sync", code=None), AUTH, "credential")
        self.assert_no_canary()

    def test_no_child_and_no_message_has_the_password(self):
        folder, environment = keyring(self.laptop)
        self.laptop.environment.update(environment)
        server = self.serve(FakeDAV(password=CANARY))
        server.add_list("tasks", {"one": ["SUMMARY:One"]})
        # The command reads every process of this machine, also its own parents.
        look = self.write("look", "#!/bin/sh\ncat /proc/[0-9]*/cmdline /proc/$PPID/environ /proc/self/environ "
                          f"> '{self.folder}/seen' 2> /dev/null\nprintf 'canary-%s correct horse\\n' 7f3a\n")
        look.chmod(0o755)
        results = [self.laptop.run("account", "add", server.url, "--user", "user", "--verbose", "--password-command", look)]
        results.append(self.laptop.run("sync"))
        results.append(self.laptop.run("account", "password", "--password-stdin", stdin=CANARY + "\n"))
        results.append(self.laptop.run("sync", "--json"))
        results.append(self.laptop.run("account", "list", "--json"))
        server.password = "x"
        results.append(self.laptop.run("sync", code=AUTH))
        for result in results:
            self.assertNotIn("canary", result.out + result.err)
        # The hyphen distinguishes it from the names of test modules that run at the same time.
        self.assertNotIn(b"canary-", (self.folder / "seen").read_bytes())
        self.assertNotIn("canary", (folder / "arguments").read_text())
        self.assert_no_canary(besides=[path for path in folder.iterdir() if path.name != "arguments"])


    @unittest.skipUnless(shutil.which("secret-tool") and shutil.which("gnome-keyring-daemon"), "no keyring installed")
    def test_a_real_keyring(self):
        server = self.serve(FakeDAV(password=CANARY))
        self.means(server)
        server.add_list("tasks", {"one": ["SUMMARY:One"]})
        run = self.folder / "runtime"
        run.mkdir(mode=0o700)
        script = f"""
            printf pw | gnome-keyring-daemon --unlock --components=secrets > /dev/null 2>&1
            printf '%s\\n' '{CANARY}' | "$1" account add {server.url} --user user --password-stdin || exit 1
            "$1" sync && "$1" account list --json && secret-tool search --all application remindav 2>&1
            "$1" account remove --yes
            secret-tool search --all application remindav
        """
        done = subprocess.run(
            ["dbus-run-session", "--", "sh", "-c", script, "sh", BINARY], capture_output=True, timeout=120,
            env={**self.laptop.environment, "XDG_RUNTIME_DIR": str(run)})
        out = done.stdout.decode()
        self.assertIn('"password": "in the keyring"', out, done.stderr)
        self.assertIn("label = Remindav: 127.0.0.1", out)
        self.assertEqual(out.count(CANARY), 1, "once, by the keyring's own tool, before the account was removed")
        self.assertFalse((self.laptop.store / "secrets").exists())


class TLS(SignIn):
    def serve_secure(self, certificate, **options):
        server = self.serve(SecureDAV(certificate, password=CANARY, **options))
        server.add_list("tasks", {"one": ["SUMMARY:One"]})
        return server

    def test_each_error_has_a_remedy(self):
        authority = ("--ca-file", CERTIFICATES / "authority.pem")
        cases = [
            ("server", (), NETWORK, "account trust"),
            ("self-signed", (), NETWORK, "account trust"),
            ("expired", authority, NETWORK, "expired.*renew"),
            ("early", authority, NETWORK, "not valid yet.*clock"),
            ("elsewhere", authority, NETWORK, "another host"),
            ("other", ("--trust-key", "sha256//5BlKGysloR8fPtuYGeMjK/4e3S/pRYjkkpwmmSkrv8g="), NETWORK, "trusted key"),
            ("server", ("--ca-file", "/nonexistent.pem"), USAGE, "pem file"),
            ("server", ("--trust-key", "/etc/passwd"), USAGE, "trust-key"),
        ]
        for certificate, arguments, code, word in cases:
            with self.subTest(certificate, arguments=arguments):
                server = self.serve_secure(certificate)
                self.assert_complaint(self.add(server, *arguments, code=None), code, word)
                self.assertEqual(server.requests, [])

    def test_a_thread_that_ends_during_the_exit_is_harmless(self):
        # The exit handlers of OpenSSL once freed data of the thread that had fetched the certificate: status -6.
        library = self.folder / "slow_threads.so"
        source = Path(__file__).with_name("slow_threads.c")
        subprocess.run(["cc", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", "-o", library, source], check=True)
        server = self.serve_secure("expired")
        for attempt in range(40):
            delay = (50, 100, 200, 400)[attempt % 4]
            with self.subTest(attempt=attempt, delay=delay):
                done = self.add(server, "--ca-file", CERTIFICATES / "authority.pem", code=None,
                                environment={"LD_PRELOAD": str(library), "DELAY": str(delay)})
                self.assert_complaint(done, NETWORK, "expired.*renew")

    def test_a_private_authority_and_a_client_certificate(self):
        server = self.serve_secure("server", client=True)
        authority = ("--ca-file", CERTIFICATES / "authority.pem")
        self.assert_complaint(self.add(server, *authority, code=None), NETWORK, "client certificate|connection ended")
        client = ("--client-certificate", CERTIFICATES / "client.pem", "--client-key", CERTIFICATES / "client.pem")
        self.add(server, *authority, *client)
        self.laptop.sync()
        self.assertEqual(self.laptop.by_uid("one")["title"], "One")
        self.assertEqual(set(self.account()["settings"]), {"ca-file", "client-certificate", "client-key"})
        # An encrypted key: its password is stored like the account's, and requested on a terminal.
        locked = CERTIFICATES / "client-locked.pem"
        self.laptop.run("account", "set", "--client-certificate", locked, "--client-key", locked)
        self.assert_complaint(self.laptop.run("sync", code=None), NETWORK, "client certificate")
        key = ("account", "password", "--client-key", "--password-stdin")
        self.assert_complaint(self.laptop.run(*key, stdin="canary-wrong\n", code=None), NETWORK, "client certificate")
        self.laptop.run(*key, stdin="canary-lock\n")
        self.laptop.sync()
        self.laptop.run("account", "remove", "--yes")
        self.assertEqual(list((self.laptop.store / "secrets").iterdir()), [])
        add = ["account", "add", server.url, "--user", "user", *authority, "--client-certificate", locked]
        code, shown, left = at_terminal(self.laptop, add, [
            ("Password of user", CANARY), ("Password of .*client-locked.pem", "canary-lock"), ("Add this account", "y")])
        self.assertEqual((code, left), (OK, []), shown)
        self.laptop.sync()
        self.assert_no_canary("canary-lock", besides=list((self.laptop.store / "secrets").iterdir()))
        self.laptop.run("account", "set", "--client-certificate", "none", "--client-key", "none")
        # The server's alert may be lost when it ends the connection at the same moment.
        self.assert_complaint(self.laptop.run("sync", code=None), NETWORK, "client certificate|connection ended")

    def test_a_key_is_trusted_after_a_yes_and_only_that_key(self):
        server = self.serve_secure("self-signed")
        shown = self.laptop.run("account", "trust", server.url)
        self.assertIn("C1:CB:85:B2:55:E3", shown.out)
        key = re.search(r"sha256//\S+", shown.err)[0]
        self.assertEqual(server.requests, [])
        self.add(server, "--trust-key", key)
        self.laptop.sync()
        # Another server answers at that port.
        port = server.listener.server_address[1]
        self.laptop.run("account", "set", "--trust-key", "none")
        self.assert_complaint(self.laptop.run("sync", code=None), NETWORK, "account trust")
        self.assert_complaint(self.laptop.run("account", "trust", "127.0.0.1", code=None), USAGE, "--yes")
        self.laptop.run("account", "trust", f"https://127.0.0.1:{port}", "--yes")
        self.laptop.sync()
        server.context.load_cert_chain(CERTIFICATES / "other.pem")
        self.assert_complaint(self.laptop.run("sync", code=None), NETWORK, "trusted key")
        server.context.load_cert_chain(CERTIFICATES / "renewed.pem")
        self.laptop.sync()

    def test_on_a_terminal_the_certificate_is_shown_with_a_question(self):
        server = self.serve_secure("self-signed")
        add = ["account", "add", server.url, "--user", "user"]
        code, shown, left = at_terminal(self.laptop, add, [("Password of user", CANARY), ("trust its key", "n")])
        self.assertEqual((code, left, server.requests), (NETWORK, [], []), shown)
        code, shown, left = at_terminal(
            self.laptop, add,
            [("Password of user", CANARY), ("C1:CB:85(.|\n)*trust its key", "y"), ("tasks, 1 item(.|\n)*Add this account", "y")])
        self.assertEqual((code, left), (OK, []), shown)
        self.assertNotIn("canary", shown)
        self.laptop.sync()

    def test_on_a_terminal_an_unusable_address_is_reported_before_the_question_for_a_password(self):
        for address, reason in [(f"http://127.0.0.1:{free_port()}/", "cannot be reached"), ("ftp://127.0.0.1/", "address"),
                                ("htps:/cloud", "cannot be found")]:
            code, shown, left = at_terminal(self.laptop, ["account", "add", address], [("User name", "user")])
            self.assertNotEqual(code, OK)
            self.assertEqual(len(left), 1, shown)
            self.assertIn(reason, shown)
            self.assertNotIn("User name", shown)

    def test_no_option_accepts_any_certificate(self):
        for option in ("--insecure", "--no-verify", "-k"):
            self.laptop.run("account", "add", "https://127.0.0.1/", "--user", "u", option, code=USAGE)


class Redirects(SignIn):
    STATUSES = (301, 302, 303, 307, 308)

    def test_the_password_reaches_the_right_listener_and_no_other(self):
        """A matrix: each redirect status to each kind of address, and references to each of them in answers."""
        server = self.serve(FakeDAV(password=CANARY))
        server.add_list("tasks")
        trap = self.serve(Trap())
        secure = self.serve(Trap("server"))
        port = server.listener.server_address[1]
        elsewhere = {
            "another port": f"http://127.0.0.1:{trap.port}/dav/",
            "another name": f"http://localhost:{port}/dav/",
            "another name and port": f"http://localhost:{trap.port}/dav/",
            "a name below": f"http://dav.localhost:{trap.port}/",
            "no scheme": f"//127.0.0.1:{trap.port}/dav/",
            "a user in it": f"http://127.0.0.1:{port}@localhost:{trap.port}/",
            "another address of this machine": f"http://127.0.0.2:{trap.port}/",
            "IPv6": f"http://[::ffff:127.0.0.1]:{trap.port}/",
            "numbers": f"http://2130706433:{trap.port}/",
            "backslash": f"http:\\\\127.0.0.1:{trap.port}\\",
            "another scheme": f"ftp://127.0.0.1:{trap.port}/",
            "a file": "file:///etc/passwd",
        }
        for status in self.STATUSES:
            for name, target in elsewhere.items():
                with self.subTest(name, status=status):
                    server.intercept = lambda request: Answer(status, b"", {"Location": target})
                    server.take()
                    result = self.add(server, code=None)
                    self.assertNotEqual(result.code, OK, repr(result))
                    self.assertNotIn("canary", result.out + result.err)
                    self.assertEqual(trap.requests, [])
                    self.assertLessEqual(len(server.take()), 60)
        for name, target in elsewhere.items():
            for place in ("principal", "home"):
                with self.subTest(name, place=place):
                    old = (PRINCIPAL if place == "principal" else HOME).encode()
                    server.intercept = None
                    server.distort = lambda request, answer: Answer(
                        answer.status, answer.body.replace(b"<D:href>" + old + b"</D:href></", b"<D:href>"
                        + target.encode() + b"</D:href></"), answer.headers)
                    self.add(server, code=None)
                    self.assertEqual(trap.requests, [])
                    # On the same host only the path counts, which may name an account.
                    for account in self.laptop.json("account", "list"):
                        self.assertTrue(account["address"].startswith(server.url), account)
                        self.laptop.run("account", "remove", "--yes")
        # Only the change from http to https on the same host is allowed; then the certificate is checked.
        self.means(secure)
        server.distort = None
        server.intercept = lambda request: Answer(301, b"", {"Location": f"https://127.0.0.1:{secure.port}/dav/"})
        self.assert_complaint(self.add(server, code=None), NETWORK, "no trusted authority")
        self.assertEqual(secure.requests, [])
        self.assert_complaint(self.add(server, "--ca-file", CERTIFICATES / "authority.pem", code=None), AUTH, "wrong")
        self.assertEqual([request[2][:6] for request in secure.requests], ["Basic "])
        self.assertEqual(trap.requests, [])

    def test_a_redirect_from_https_to_http_is_refused(self):
        server = self.serve(SecureDAV("server", password=CANARY))
        trap = self.serve(Trap())
        for status in self.STATUSES:
            server.intercept = lambda request: Answer(status, b"", {"Location": f"http://127.0.0.1:{trap.port}/"})
            result = self.add(server, "--ca-file", CERTIFICATES / "authority.pem", code=None)
            self.assertNotEqual(result.code, OK)
            self.assertEqual(trap.requests, [])

    def test_a_redirect_to_another_host_needs_a_yes_on_a_terminal_and_becomes_the_address(self):
        server = self.serve(FakeDAV(password=CANARY))
        server.add_list("tasks")
        other = self.serve(FakeDAV())
        other.intercept = lambda request: Answer(302, b"", {"Location": server.url + "dav/"})
        add = ["account", "add", other.url, "--user", "user"]
        self.assert_complaint(self.laptop.run(*add, "--password-stdin", stdin=CANARY, code=None), SAFETY, "its address")
        code, shown, _ = at_terminal(self.laptop, add, [("Password", CANARY), ("another host", "n")])
        self.assertEqual((code, server.requests), (SAFETY, []), shown)
        self.means(server)
        code, shown, left = at_terminal(
            self.laptop, [*add, "--verbose"],
            [("Password", CANARY), (f"another host, {server.url[:-1]}", "y"), ("Add this account", "y")])
        self.assertEqual((code, left), (OK, []), shown)
        self.assertIn("302, redirects to", shown)
        self.assertTrue(self.account()["address"].startswith(server.url))
        # From now on the first server gets no request.
        other.take()
        self.laptop.sync()
        self.assertEqual(other.requests, [])

    def test_the_answer_no_stores_nothing(self):
        server = self.serve(FakeDAV(password=CANARY))
        code, shown, left = at_terminal(
            self.laptop, ["account", "add", server.url, "--user", "user"], [("Password", CANARY), ("Add this account", "n")])
        self.assertEqual((code, left), (OK, []), shown)
        self.assertEqual(self.laptop.json("account", "list"), [])
        self.assert_no_canary()

    def test_a_sync_does_not_follow_redirects_to_another_host(self):
        server = self.serve(FakeDAV(password=CANARY))
        server.add_list("tasks", {"one": ["SUMMARY:One"]})
        trap = self.serve(Trap())
        self.add(server)
        self.laptop.sync()
        for status in self.STATUSES:
            server.intercept = lambda request: Answer(status, b"", {"Location": f"http://127.0.0.1:{trap.port}/"})
            self.assert_complaint(self.laptop.run("sync", code=None), SAFETY, "another host")
        self.assertEqual(trap.requests, [])


class Names(SignIn):
    def test_the_resolver_of_the_system_finds_the_server_of_a_domain(self):
        """In a separate network, because the C library uses only the name servers in /etc/resolv.conf."""
        alone = ["unshare", "-rmn"]
        if shutil.which("unshare") is None or subprocess.run([*alone, "true"], capture_output=True).returncode:
            self.skipTest("separate networks are not permitted on this machine")
        done = subprocess.run(
            [*alone, sys.executable, Path(__file__).parent / "names.py", BINARY, self.laptop.folder],
            capture_output=True, env=self.laptop.environment, timeout=120)
        self.assertEqual(done.returncode, 0, done.stderr.decode())
        said = json.loads(done.stdout)
        forged, found = said["runs"]
        self.assertEqual((forged["code"], forged["paths"]), (SAFETY, []), forged)
        self.assertIn("dav.example.test", forged["err"])
        self.assertEqual(found["code"], OK, found)
        self.assertEqual(found["paths"][0], "/dav/principals/user/", found)
        self.assertIn("SRV example.test names https://dav.example.test:", found["err"])
        (account,) = said["accounts"]
        self.assertEqual(account["user"], "ada@example.test")
        self.assertRegex(account["address"], r"^https://dav\.example\.test:\d+/dav/calendars/user/$")
        self.assertIn([33, "_caldavs._tcp.example.test"], said["asked"])
        self.assertNotIn("canary", json.dumps(said))


class Login(SignIn):
    def test_nextcloud_issues_an_app_password(self):
        server = self.serve(Nextcloud(password=CANARY))
        server.add_list("tasks", {"one": ["SUMMARY:One"]})
        result = self.laptop.run("account", "add", "--nextcloud", server.url + "index.php/apps/tasks/")
        self.assertIn(server.url + "login/v2/flow/guest", result.err)
        self.assertNotIn("canary", result.out + result.err)
        self.assertNotIn(server.code, result.out + result.err)
        self.laptop.sync()
        self.assertEqual(self.account()["user"], "user")
        self.laptop.run("account", "add", "--nextcloud", server.url, "--user", "ada", code=USAGE)

    def test_on_a_desktop_the_page_is_opened(self):
        server = self.serve(Nextcloud(password=CANARY))
        tools = self.laptop.folder / "tools"
        tools.mkdir()
        opened = self.laptop.folder / "opened"
        (tools / "xdg-open").write_text(f"#!/bin/sh\nprintf '%s\\n' \"$@\" > '{opened}'\n")
        (tools / "xdg-open").chmod(0o755)
        self.laptop.run("account", "add", "--nextcloud", server.url,
                        environment={"DISPLAY": ":77", "PATH": f"{tools}:/usr/bin:/bin"})
        self.assertEqual(opened.read_text(), server.url + "login/v2/flow/guest\n")

    def test_a_page_on_another_host_is_refused(self):
        server = self.serve(Nextcloud(password=CANARY))
        server.host = "https://evil.example.net"
        result = self.laptop.run("account", "add", "--nextcloud", server.url, code=None)
        self.assert_complaint(result, SAFETY, "evil.example.net")

    def test_a_server_without_the_flow_is_reported(self):
        server = self.serve(FakeDAV(password=CANARY))
        server.intercept = lambda request: Answer(404) if request.method == "POST" else None
        result = self.laptop.run("account", "add", "--nextcloud", server.url, code=None)
        self.assert_complaint(result, 1, "browser sign-in")


if __name__ == "__main__":
    unittest.main()

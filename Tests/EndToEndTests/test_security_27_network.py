"""The network side: proxies that the environment names, answers that cost time, a pipe that holds no lock, another's store."""

import os
import subprocess
import time
import unittest

from fakedav import Answer
from harness import SAFETY, ics, simple
from loopback import Handler, Listener
from security import BASE_BYTES, CANARY, LIST, Attacked

XML = "application/xml; charset=utf-8"


class ProxyCanary:
    """A proxy that records everything that passes through it."""

    def __init__(self):
        self.requests = requests = []

        class Proxy(Handler):
            def handle_any(self):
                requests.append((self.command, self.path, dict(self.headers)))
                self.body()
                self.send_head(502, "Bad Gateway", [], 0)

        self.listener = Listener(Proxy)
        self.url = f"http://127.0.0.1:{self.listener.server_address[1]}/"

    def start(self):
        pass

    def stop(self):
        self.listener.stop()


class Proxies(Attacked):
    def test_nothing_unencrypted_or_of_this_machine_goes_through_a_proxy(self):
        proxy = self.serve(ProxyCanary())
        names = ("http_proxy", "https_proxy", "all_proxy", "HTTPS_PROXY", "ALL_PROXY")
        self.laptop.environment.update({name: proxy.url for name in names})
        server = self.connect(count=3)
        self.laptop.run("add", "Through no proxy", "--list", "todo")
        self.laptop.sync()
        self.assertGreater(len(server.requests), 0)
        self.assertEqual(proxy.requests, [])

    def test_an_encrypted_request_to_another_machine_may(self):
        proxy = self.serve(ProxyCanary())
        self.laptop.environment["https_proxy"] = proxy.url
        self.add("https://dav.example.invalid/", code=None)
        self.assertTrue(proxy.requests)
        # Only the name of the server: the rest is encrypted.
        self.assertEqual({method for method, _, _ in proxy.requests}, {"CONNECT"})
        self.assertNotIn("Authorization", str(proxy.requests))


class Answers(Attacked):
    def test_answers_that_cost_quadratic_time_cost_little(self):
        server = self.connect(count=3)
        head = b'<?xml version="1.0"?><D:multistatus xmlns:D="DAV:">'
        tail = b"</D:multistatus>"
        bombs = {
            "addresses of one response": b"<D:response>" + b"<D:href>/x</D:href>" * 200_000
                                         + b"<D:status>HTTP/1.1 404 Not Found</D:status></D:response>",
            "attributes": b"<a " + b" ".join(b'a%d=""' % n for n in range(200_000)) + b"/>",
            "names": b"".join(b"<a%d/>" % n for n in range(400_000)),
            "elements with attributes": b'<a b="" c="" d=""/>' * 1_000_000,
            "a repair": b"\x07" + b"&#" * 1_000_000,
        }
        before = self.laptop.items()
        for name, bomb in bombs.items():
            with self.subTest(name):
                server.intercept = lambda request: (
                    Answer(207, head + bomb + tail, {"Content-Type": XML}) if request.path == LIST else None)
                server.realm += 1
                _, error, seconds, peak = self.laptop.measured("sync")
                # A debug build takes about ten times as long as a release build.
                self.assertLess(seconds, 60, error[:300])
                self.assertLessEqual(peak, BASE_BYTES + 8 * max(len(bomb), 64 << 20), error[:300])
                server.behave()
                self.assertEqual(self.laptop.items(), before)


class Pipes(Attacked):
    def test_an_import_that_waits_for_its_input_blocks_no_other_command(self):
        self.laptop.run("lists", "add", "Home")
        self.laptop.run("add", "Here", "--list", "Home")
        text = simple(50)
        process = self.laptop.start("import", "-", "--list", "Home", stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                    stderr=subprocess.PIPE)
        self.addCleanup(process.kill)
        process.stdin.write(text[:2000])
        process.stdin.flush()
        time.sleep(1)
        started = time.monotonic()
        self.laptop.run("add", "Meanwhile", "--list", "Home")
        self.assertLess(time.monotonic() - started, 4, "it waited for the import")
        out, err = process.communicate(text[2000:], timeout=60)
        self.assertEqual(process.returncode, 0, err)
        self.assertIn(b"50 added", out)
        self.assertEqual(len(self.laptop.items()), 52)
        self.assertEqual([path.name for path in self.laptop.store.iterdir() if "import" in path.name], [])

    def test_a_pipe_that_breaks_off_imports_nothing(self):
        self.laptop.run("lists", "add", "Home")
        self.laptop.run("add", "Here", "--list", "Home")
        self.laptop.run("import", "-", "--list", "Home", stdin=simple(50)[:3000], code=1)
        self.assertEqual(len(self.laptop.items()), 1)


class WritableStores(Attacked):
    def test_no_command_of_a_store_that_others_may_write_to_is_run(self):
        server = self.connect(count=1)
        ran = self.folder / "ran"
        self.laptop.run("account", "password", "--password-command", f"touch {ran}; echo '{CANARY}'")
        self.assertTrue(ran.exists())
        ran.unlink()
        mode = self.laptop.store.stat().st_mode
        os.chmod(self.laptop.store, mode | 0o022)
        result = self.laptop.run("sync", code=SAFETY)
        self.assertIn("chmod go-w", result.err)
        self.assertFalse(ran.exists(), "the command was run")
        os.chmod(self.laptop.store, mode)
        # Other users cannot reach the database in a closed folder; its mode is corrected when it is opened.
        os.chmod(self.laptop.database(), 0o666)
        self.laptop.sync()
        self.assertEqual(self.laptop.database().stat().st_mode & 0o777, 0o600)
        self.assertTrue(ran.exists())
        server.take()

    def test_a_link_in_the_place_of_a_lock_is_not_followed(self):
        self.laptop.run("import", "-", stdin=ics(["UID:a", "SUMMARY:A"]))
        target = self.write("target", "kept")
        os.chmod(target, 0o644)
        (self.laptop.store / "daemon.lock").symlink_to(target)
        result = self.laptop.run("daemon", code=None, timeout=30)
        self.assertNotEqual(result.code, 0)
        self.assert_sentence(result)
        self.assertEqual(target.read_text(), "kept")
        self.assertEqual(target.stat().st_mode & 0o777, 0o644)


if __name__ == "__main__":
    unittest.main()

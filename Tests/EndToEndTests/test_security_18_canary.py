"""The password is in no output and no file of the program, with the most verbose logging, and in no file of a crash.

The answers repeat the request's Authorization header, as the pages of some proxies do.
"""

import base64
import os
import shutil
import signal
import subprocess
import time
import unittest
from urllib.parse import quote

from fakedav import Answer
from harness import BINARY, wait_for
from security import CANARY, LIST, Attacked

FORMS = (CANARY, base64.b64encode(f"user:{CANARY}".encode()).decode(), base64.b64encode(CANARY.encode()).decode(),
         quote(CANARY), quote(CANARY, safe="").replace("%20", "+"), CANARY.encode().hex())


class Canary(Attacked):
    def assert_nowhere(self, text, where):
        for form in FORMS:
            self.assertNotIn(form, text, where)

    def assert_kept_in_one_place(self):
        for path in self.laptop.folder.rglob("*"):
            if path.is_file() and path.parent.name != "secrets":
                self.assert_nowhere(path.read_bytes().decode("latin-1"), path)

    def test_all_commands_and_all_refusals(self):
        server = self.connect(count=5)
        echo = lambda request: (request.headers.get("authorization", "") + " " + CANARY).encode()
        answers = [
            lambda request, status=status: Answer(
                status, echo(request), {"Content-Type": "text/plain", "X-Echo": echo(request).decode()})
            for status in (200, 207, 400, 403, 409, 423, 500, 507)
        ]
        answers += [lambda request: Answer(401, echo(request), {"WWW-Authenticate": f'Basic realm="{CANARY}"'}),
                    lambda request: Answer(302, b"", {"Location": f"http://user:{quote(CANARY)}@127.0.0.1:9/"})]
        for number, answer in enumerate(answers):
            for path in (LIST, LIST[:-5]):
                server.intercept = lambda request: answer(request) if request.path == path else None
                server.realm += 1
                for arguments in (("sync",), ("sync", "--json"), ("sync", "--dry-run", "--verify")):
                    result = self.laptop.run(*arguments, code=None)
                    self.assert_nowhere(result.out + result.err, (number, path, arguments))
        server.behave()
        for arguments in (("account", "list", "--json"), ("lists", "--json"), ("log", "--json"), ("list", "--all", "--json"),
                          ("trash", "--json"), ("conflicts", "--json"), ("export",), ("--version",)):
            result = self.laptop.run(*arguments, code=None)
            self.assert_nowhere(result.out + result.err, arguments)
        refused = self.laptop.run("account", "password", "--password-stdin", "--verbose", stdin=CANARY + "x\n", code=None)
        self.assert_nowhere(refused.out + refused.err, "a refused one")
        other = self.add(server.url, arguments=("--verbose", "--name", "again", "--yes"))
        self.assert_nowhere(other.out + other.err, "verbose")
        self.assert_kept_in_one_place()

    def test_an_abort_leaves_no_core_with_it(self):
        """Killed while the password is in use: the program writes no file, even if core dumps are enabled."""
        server = self.connect(count=3)
        server.intercept = lambda request: time.sleep(2)
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            process = self.laptop.start("sync", stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            time.sleep(0.3)
            process.send_signal(number)
            out, err = process.communicate(timeout=20)
            self.assert_nowhere((out + err).decode(), number)
            self.assert_kept_in_one_place()
        server.behave()

    def test_a_process_cannot_be_dumped(self):
        """With PR_SET_DUMPABLE 0 the files of a process in /proc belong to root (proc(5)): no core dump, no access by others."""
        folder = self.folder / "other"
        folder.mkdir()
        program = folder / "remindav"
        shutil.copy(BINARY, program)
        user = 65534 if os.getuid() == 0 else os.getuid()
        os.chmod(self.folder, 0o755)
        for path in (folder, program):
            os.chown(path, user, -1)
        process = subprocess.Popen(
            [program, "serve", "--port", "0"], cwd=folder, user=user if os.getuid() == 0 else None,
            env={"HOME": str(folder), "PATH": "/usr/bin:/bin", "TZ": "UTC"}, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        self.assertIn(b"Serving", process.stdout.readline())
        self.assertEqual(os.stat(f"/proc/{process.pid}/environ").st_uid, 0)
        idle = subprocess.Popen(["sleep", "60"], user=user if os.getuid() == 0 else None)
        self.addCleanup(idle.wait)
        self.addCleanup(idle.kill)
        wait_for(lambda: os.stat(f"/proc/{idle.pid}/environ").st_uid == user, what="a process that can be dumped")


if __name__ == "__main__":
    unittest.main()

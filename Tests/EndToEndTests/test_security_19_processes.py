"""No process has the password in its arguments or its environment while a password command or the keyring's tool runs.

test_signin.Secrets checks from inside a password command; these tests sample every process from outside, as long as child
processes of the program run.
"""

import os
import stat
import threading
import unittest
from pathlib import Path

from fakedav import FakeDAV
from harness import OK
from security import CANARY, Attacked
from signin import keyring


class Sampler(threading.Thread):
    """Reads arguments and environment of every process of this machine repeatedly."""

    def __init__(self, word, mark):
        super().__init__(daemon=True)
        self.word, self.mark = word.encode(), mark.encode()
        self.seen = set()       # the places in which the password was found
        self.marked = set()     # the child processes of the program that were sampled
        self.ended = threading.Event()

    def run(self):
        while not self.ended.is_set():
            for folder in Path("/proc").glob("[0-9]*"):
                if int(folder.name) == os.getpid():
                    continue
                for name in ("cmdline", "environ", "comm"):
                    try:
                        content = (folder / name).read_bytes()
                    except OSError:
                        continue
                    if self.word in content:
                        self.seen.add((folder.name, name))
                    if self.mark in content:
                        self.marked.add(folder.name)

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        self.ended.set()
        self.join()


class Processes(Attacked):
    def script(self, name, text):
        path = self.write(name, "#!/bin/sh\n" + text)
        path.chmod(path.stat().st_mode | stat.S_IXUSR)
        return path

    def test_the_sampler_finds_a_visible_password(self):
        with Sampler("canary-visible", str(self.folder)) as sampler:
            os.waitpid(os.spawnvp(os.P_NOWAIT, "sh", ["sh", "-c", "sleep 0.5; : canary-visible"]), 0)
        self.assertTrue(sampler.seen)

    def test_while_a_password_command_and_a_keyring_run(self):
        server = self.serve(FakeDAV(password=CANARY))
        server.add_list("todo", {"uid-1": ["SUMMARY:One"]})
        # Both wait for a while, so that the sampler sees them.
        slow = self.script("slow-command", "sleep 0.3\nprintf 'canary-%s correct horse\\n' 5ec2\nsleep 0.1\n")
        folder, environment = keyring(self.laptop)
        tool = self.laptop.folder / "tools" / "secret-tool"
        tool.write_text(tool.read_text().replace("command=$1\n", "sleep 0.3\ncommand=$1\n"))
        with Sampler(CANARY, str(self.folder)) as sampler:
            self.laptop.run("account", "add", server.url, "--user", "user", "--password-command", slow, code=OK)
            self.laptop.sync()
            met = len(sampler.marked)
            self.laptop.environment.update(environment)
            self.laptop.run("account", "password", "--password-stdin", stdin=CANARY + "\n")
            self.laptop.sync()
            self.laptop.run("account", "remove", "--yes")
        self.assertEqual(sampler.seen, set())
        self.assertGreater(met, 2)
        self.assertGreater(len(sampler.marked), met)
        self.assertNotIn("canary", (folder / "arguments").read_text())


if __name__ == "__main__":
    unittest.main()

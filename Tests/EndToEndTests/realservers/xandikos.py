"""Xandikos from PyPI: its own calendar home, git behind it, absolute addresses in some answers.

Checks no password over plain http; the tests of passwords use others. Measured with 0.4.10 on Debian 12.
"""

import os
import subprocess

from realservers.base import USER, Server
from realservers.environment import tool, version_of_distribution


class Xandikos(Server):
    name = "xandikos"
    title = "Xandikos"
    home = f"/{USER}/calendars/"

    def command(self):
        return [
            tool("xandikos"), "serve", "-d", str(self.folder / "data"), "--state-dir", str(self.folder / "state"),
            "--current-user-principal", f"/{USER}/", "--autocreate", "--no-detect-systemd",
            "-l", "127.0.0.1", "-p", str(self.port),
        ]

    def fill(self, peer, path, texts):
        """One commit in the list's repository."""
        folder = self.folder / "data" / path.strip("/")
        for uid, text in texts.items():
            (folder / f"{uid}.ics").write_bytes(text)
        author = ["-c", "user.name=Other Program", "-c", "user.email=other@example.net"]
        for words in (["add", "-A"], [*author, "commit", "-q", "-m", "Fill"]):
            subprocess.run(
                ["git", "-C", str(folder), *words], check=True, capture_output=True,
                env={**os.environ, "HOME": str(self.folder)})

    def version(self):
        return version_of_distribution("xandikos")

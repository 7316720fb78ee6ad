"""A private PostgreSQL cluster in a folder, for the servers that need one. It runs as the user postgres."""

import os
import subprocess
from pathlib import Path

from realservers.base import as_user, give

OWNER = "postgres"
SETTINGS = """
listen_addresses = '{listen}'
port = {port}
unix_socket_directories = '{folder}'
fsync = off
synchronous_commit = off
full_page_writes = off
"""


class Cluster:
    """`port` also names the socket. It listens on TCP only if `listen` is set."""

    def __init__(self, folder, port, listen=""):
        self.folder = Path(folder)
        self.data = self.folder / "data"
        self.port = port
        self.listen = listen
        self.bin = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: int(path.parent.name))[-1]
        self.environment = {
            **os.environ, "PATH": f"{self.bin}:{os.environ['PATH']}", "PGHOST": str(self.folder),
            "PGPORT": str(port), "PGUSER": OWNER, "LC_ALL": "C.UTF-8",
        }

    def run(self, *command, stdin=""):
        answer = subprocess.run(
            command, input=stdin, capture_output=True, text=True, cwd=self.folder, env=self.environment,
            **as_user(OWNER))
        if answer.returncode != 0:
            raise RuntimeError(f"{command[0]} failed:\n{answer.stdout[-1000:]}{answer.stderr[-1000:]}")
        return answer.stdout

    def sql(self, database, text):
        return self.run("psql", "-qAt", "-v", "ON_ERROR_STOP=1", database, stdin=text)

    def make(self):
        """Creates the files once. Returns whether they are new."""
        if self.data.exists():
            return False
        self.folder.mkdir(parents=True, exist_ok=True)
        self.folder.chmod(0o755)
        give(self.folder, OWNER)
        self.run("initdb", "-D", str(self.data), "-A", "trust", "-U", OWNER, "--no-sync", "-E", "UTF8", "--locale=C")
        settings = SETTINGS.format(listen=self.listen, port=self.port, folder=self.folder)
        (self.data / "postgresql.auto.conf").write_text(settings)
        return True

    def command(self):
        return [str(self.bin / "postgres"), "-D", str(self.data)]

    def is_up(self):
        try:
            return self.sql("postgres", "SELECT 1") == "1\n"
        except RuntimeError:
            return False

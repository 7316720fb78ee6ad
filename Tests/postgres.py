"""Starts a PostgreSQL server in a temporary folder, and runs a command with it.

    python3 Tests/postgres.py COMMAND [ARGUMENT]...

The server listens only on a Unix socket, and runs as the user postgres if this one is root. The command finds its
connection string in REMINDAV_TEST_POSTGRES. The server ends with the command.
"""

import os
import pathlib
import pwd
import shutil
import signal
import subprocess
import sys
import tempfile
import time

START_SECONDS = 30


class Server:
    """PostgreSQL in a temporary folder."""

    def __init__(self, **settings):
        binaries = sorted(pathlib.Path("/usr/lib/postgresql").glob("*/bin"))
        if not binaries:
            sys.exit("PostgreSQL is missing; 'sh Tests/packages.sh test' installs it.")
        self.bin = binaries[-1]
        self.folder = tempfile.mkdtemp(prefix="postgres-", dir="/tmp")
        self.user = {}
        if os.geteuid() == 0:
            account = pwd.getpwnam("postgres")
            os.chown(self.folder, account.pw_uid, account.pw_gid)
            self.user = {"user": account.pw_uid, "group": account.pw_gid, "extra_groups": []}
        # Programs of other users of this machine connect too, as those of the tests.
        os.chmod(self.folder, 0o755)
        self.data = f"{self.folder}/data"
        self.settings = {"listen_addresses": "", "fsync": "off", "max_connections": "60", **settings}
        self.process = None
        try:
            self.run("initdb", "-D", self.data, "-U", "owner", "-A", "trust", "-E", "UTF8", "--no-sync", check=True)
            self.start()
        except BaseException:
            self.stop()
            raise

    @property
    def place(self):
        """The connection string of the superuser."""
        return f"host={self.folder} dbname=postgres user=owner"

    def start(self):
        options = [word for name, value in self.settings.items() for word in ("-c", f"{name}={value}")]
        end = time.monotonic() + START_SECONDS
        self.process = None
        while self.process is None or self.run("pg_isready", "-q", "-h", self.folder).returncode != 0:
            if time.monotonic() > end:
                sys.exit(f"PostgreSQL did not start in {START_SECONDS} s.")
            # A new server ends at once while the last child of a killed server uses the shared memory.
            if self.process is None or self.process.poll() is not None:
                self.process = subprocess.Popen(
                    [self.bin / "postgres", "-D", self.data, "-k", self.folder, *options], stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=self.folder, **self.user,
                )
            time.sleep(0.05)

    def run(self, program, *arguments, **options):
        return subprocess.run(
            [self.bin / program, *arguments], capture_output=True, text=True, cwd=self.folder, **self.user, **options
        )

    def psql(self, script, *options):
        return self.run("psql", "-X", "-q", "-h", self.folder, "-U", "owner", "-d", "postgres", *options, "-f", "-", input=script)

    def kill(self):
        """Ends all processes of the server at once, as a loss of power does."""
        self.process.kill()
        self.process.wait()
        # The children notice the end of their parent soon.
        self.process = None

    def stop(self):
        if self.process:
            self.process.send_signal(signal.SIGINT)
            self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    server = Server()
    try:
        environment = {**os.environ, "REMINDAV_TEST_POSTGRES": server.place}
        return subprocess.run(sys.argv[1:], env=environment).returncode
    finally:
        server.stop()


if __name__ == "__main__":
    sys.exit(main())

"""The real servers and the other programs of the end-to-end tests.

As a program:

    servers.py install [PACKAGE]   creates the virtual environment with all Python packages, or with one; prints its python
    servers.py names               prints the names of all servers
    servers.py run NAME FILE       runs a server in the foreground, writes its address to FILE when
                                   it answers, and removes its data when the process is terminated

Radicale and Xandikos are installed in the virtual environment. The others are packages of Debian: `sh Tests/packages.sh
servers` installs them. They need root, because they run as separate users.
"""

import signal
import sys
from pathlib import Path

from proxy import CountingProxy  # noqa: F401 (other modules import it from here)
from realservers.base import PASSWORD, USER, Server, free_port  # noqa: F401
from realservers.cyrus import Cyrus
from realservers.davical import DAViCal
from realservers.environment import PACKAGES, install, system_python, tool  # noqa: F401
from realservers.radicale import Radicale
from realservers.sabre import Sabre
from realservers.sogo import SOGo
from realservers.xandikos import Xandikos

SERVERS = {server.name: server for server in (Radicale, Xandikos, DAViCal, Cyrus, SOGo, Sabre)}


def run_in_foreground(name, ready):
    server = SERVERS[name]()
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, lambda *_: sys.exit(0))
    try:
        server.start()
        partial = Path(str(ready) + ".partial")
        partial.write_text(server.url + server.path[1:] + "\n")
        partial.rename(ready)
        server.process.wait()
    finally:
        server.stop()


def main(arguments):
    if arguments[:1] == ["install"]:
        print(install(arguments[1:] or PACKAGES))
    elif arguments == ["names"]:
        print(*SERVERS)
    elif len(arguments) == 3 and arguments[0] == "run" and arguments[1] in SERVERS:
        run_in_foreground(arguments[1], Path(arguments[2]))
    else:
        raise SystemExit(__doc__)


if __name__ == "__main__":
    main(sys.argv[1:])

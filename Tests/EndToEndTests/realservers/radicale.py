"""Radicale from PyPI: HTTP/1.0, a new connection for every request, bodies sorted anew.

Measured with 3.9.0 on Debian 12.
"""

import fcntl
import shutil

from realservers.base import USER, Server
from realservers.environment import tool, version_of_distribution


class Radicale(Server):
    name = "radicale"
    title = "Radicale"
    home = f"/{USER}/"
    idle = []

    def command(self):
        (self.folder / "users").write_text(f"{self.user}:{self.password}\nkeeper:{self.password}\n")
        # A list with the prefix "readonly" is readable for its owner; the keeper fills it.
        (self.folder / "rights").write_text(
            "[keeper]\nuser: keeper\ncollection: .*\npermissions: RrWw\n"
            "[root]\nuser: .+\ncollection:\npermissions: R\n"
            "[readonly]\nuser: .+\ncollection: {user}/readonly[^/]*\npermissions: r\n"
            "[principal]\nuser: .+\ncollection: {user}\npermissions: RW\n"
            "[lists]\nuser: .+\ncollection: {user}/[^/]+\npermissions: rw\n"
        )
        (self.folder / "config").write_text(
            f"[server]\nhosts = 127.0.0.1:{self.port}\nmax_connections = 40\n"
            f"[auth]\ntype = htpasswd\nhtpasswd_filename = {self.folder}/users\nhtpasswd_encryption = plain\ndelay = 0\n"
            f"[rights]\ntype = from_file\nfile = {self.folder}/rights\n"
            f"[storage]\nfilesystem_folder = {self.folder}/data\n"
            "[web]\ntype = none\n[logging]\nlevel = warning\n"
        )
        return [tool("radicale"), "--config", str(self.folder / "config")]

    def empty(self):
        """Deletes all lists of all users: Radicale keeps nothing of them in memory between two requests."""
        root = self.folder / "data" / "collection-root"
        if root.exists():
            with open(root.parent / ".Radicale.lock") as lock:
                fcntl.flock(lock, fcntl.LOCK_EX)
                for path in root.iterdir():
                    shutil.rmtree(path)

    def fill(self, peer, path, texts):
        """The whole list in one PUT. Its name is taken from the UID; the list's own properties are set again."""
        lines = []
        for text in texts.values():
            text = text.decode()
            lines.append(text[text.index("BEGIN:VTODO"):text.index("END:VCALENDAR")])
        body = "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//Other Program//EN\r\n" + "".join(lines) + "END:VCALENDAR\r\n"
        name, color = peer.lists()[path]
        peer.ask("PUT", path, body.encode(), {"Content-Type": "text/calendar; charset=utf-8"})
        peer.change_list(path, name, color)

    def read_only_list(self, peer, name, text):
        """The rules deny writes of the owner to every list with this prefix in its address; the keeper fills it."""
        path = f"{self.home}readonly-shown/"
        body = f'<D:mkcol xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav"><D:set><D:prop><D:resourcetype>' \
               f'<D:collection/><C:calendar/></D:resourcetype><D:displayname>{name}</D:displayname></D:prop></D:set></D:mkcol>'
        peer.ask("MKCOL", path, body.encode(), {"Content-Type": "application/xml"}, user="keeper")
        peer.ask("PUT", path + "one.ics", text, {"Content-Type": "text/calendar"}, user="keeper")
        return path, lambda: peer.ask("DELETE", path, user="keeper")

    def version(self):
        return version_of_distribution("radicale")

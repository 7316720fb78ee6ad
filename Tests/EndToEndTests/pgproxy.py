"""A proxy for PostgreSQL that cuts connections at a COMMIT, for tests of faults."""

import socket
import struct
import tempfile
import threading
from pathlib import Path


class CommitProxy:
    """Listens on a Unix socket of its own; `moment` says where the next COMMIT is cut.

    - before: the server does not get the COMMIT.
    - in: the server gets it, and both connections end at once.
    - after: the server has answered it, and the client does not get the answer.
    - gone: the client gets the answer, and then loses the server until `refuses` is set to False.
    - None: nothing is cut.
    """

    def __init__(self, server_folder):
        self.target = f"{server_folder}/.s.PGSQL.5432"
        self.moment = None
        self.cuts = 0
        self.refuses = False
        self.place = tempfile.TemporaryDirectory(prefix="pgproxy-", dir="/tmp")
        self.folder = self.place.name
        Path(self.folder).chmod(0o755)
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(f"{self.folder}/.s.PGSQL.5432")
        self.listener.listen(16)
        threading.Thread(target=self.accept, daemon=True).start()

    def stop(self):
        self.listener.close()
        self.place.cleanup()

    def accept(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            if self.refuses:
                client.close()
                continue
            threading.Thread(target=self.serve, args=(client,), daemon=True).start()

    def serve(self, client):
        server = socket.socket(socket.AF_UNIX)
        with client, server:
            try:
                server.connect(self.target)
                self.forward_startup(client, server)
                answers = threading.Thread(target=self.copy, args=(server, client), daemon=True)
                answers.start()
                writes = False
                while True:
                    head, body = self.message(client)
                    if head[:1] == b"Q" and body.startswith(b"BEGIN"):
                        writes = b"READ ONLY" not in body
                    if self.moment and writes and head[:1] == b"Q" and body.endswith(b"COMMIT\0"):
                        return self.cut(head + body, client, server)
                    server.sendall(head + body)
            except (OSError, EOFError):
                for end in (client, server):
                    self.close(end)

    def cut(self, message, client, server):
        moment, self.moment = self.moment, None
        self.cuts += 1
        if moment == "after":
            # The client's side ends first, so that it cannot get the answer.
            self.close(client)
            server.sendall(message)
            threading.Event().wait(0.2)
        elif moment == "in":
            server.sendall(message)
        elif moment == "gone":
            self.refuses = True
            server.sendall(message)
            threading.Event().wait(0.2)
        self.close(client)
        self.close(server)

    @staticmethod
    def close(end):
        try:
            end.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass

    def forward_startup(self, client, server):
        while True:
            size = self.exactly(client, 4)
            rest = self.exactly(client, struct.unpack("!I", size)[0] - 4)
            code = struct.unpack("!I", rest[:4])[0]
            # Requests for encryption come first; the server refuses them on a Unix socket with one byte.
            server.sendall(size + rest)
            if code not in (80877103, 80877104):
                return
            client.sendall(self.exactly(server, 1))

    def message(self, client):
        head = self.exactly(client, 5)
        return head, self.exactly(client, struct.unpack("!I", head[1:])[0] - 4)

    @staticmethod
    def exactly(source, count):
        parts = b""
        while len(parts) < count:
            part = source.recv(count - len(parts))
            if not part:
                raise EOFError
            parts += part
        return parts

    def copy(self, source, target):
        try:
            while part := source.recv(65536):
                target.sendall(part)
        except OSError:
            pass
        self.close(target)

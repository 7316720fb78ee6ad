"""A separate network with a name server and a CalDAV server, for one run of the binary.

  unshare -rmn python3 names.py BINARY FOLDER        (see test_signin.Names)

In DNS, the calendars of example.test are on dav.example.test, with an unusual port and path, and those of forged.test are
on another host. Prints a JSON object with the output of the binary and the requests.
"""

import json
import os
import socketserver
import struct
import subprocess
import sys
import threading
from pathlib import Path

from fakedav import Answer
from signin import SecureDAV

SRV, TXT, A = 33, 16, 1


def name(text):
    return b"".join(bytes([len(label)]) + label.encode() for label in text.split(".")) + b"\0"


def text(value):
    return bytes([len(value)]) + value.encode()


class Names(socketserver.BaseRequestHandler):
    records = {}
    asked = []

    def handle(self):
        packet, socket = self.request
        labels, index = [], 12
        while packet[index]:
            labels.append(packet[index + 1:index + 1 + packet[index]].decode())
            index += packet[index] + 1
        kind = struct.unpack(">H", packet[index + 1:index + 3])[0]
        question = packet[12:index + 5]
        self.asked.append((kind, ".".join(labels)))
        data = self.records.get((kind, ".".join(labels).lower()))
        known = any(key[1] == ".".join(labels).lower() for key in self.records)
        code = 0 if known else 3
        answer = b"" if data is None else b"\xc0\x0c" + struct.pack(">HHIH", kind, 1, 60, len(data)) + data
        head = packet[:2] + struct.pack(">HHHHH", 0x8180 | code, 1, 1 if answer else 0, 0, 0)
        socket.sendto(head + question + answer, self.client_address)


def main(binary, folder):
    folder = Path(folder)
    subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
    (folder / "resolv.conf").write_text("nameserver 127.0.0.1\noptions timeout:1 attempts:1\n")
    subprocess.run(["mount", "--bind", folder / "resolv.conf", "/etc/resolv.conf"], check=True)
    server = SecureDAV("self-signed", user="ada@example.test", password="canary-dns").start()
    server.add_list("tasks")
    # Only below the path of the TXT record there is an account.
    server.intercept = lambda request: (
        Answer(404) if request.path in ("/", "/dav/", "/.well-known/caldav") else None)
    port = server.listener.server_address[1]
    Names.records = {
        (SRV, "_caldavs._tcp.example.test"): struct.pack(">HHH", 0, 0, port) + name("dav.example.test"),
        (TXT, "_caldavs._tcp.example.test"): text("path=/dav/principals/user/"),
        (A, "dav.example.test"): bytes([127, 0, 0, 1]),
        (SRV, "_caldavs._tcp.forged.test"): struct.pack(">HHH", 0, 0, port) + name("dav.example.test"),
    }
    dns = socketserver.UDPServer(("127.0.0.1", 53), Names)
    threading.Thread(target=dns.serve_forever, daemon=True).start()
    runs = []
    key = "sha256//5BlKGysloR8fPtuYGeMjK/4e3S/pRYjkkpwmmSkrv8g="
    for address in ("ada@forged.test", "ada@example.test"):
        server.take()
        done = subprocess.run(
            [binary, "account", "add", address, "--password-stdin", "--trust-key", key, "--verbose"],
            input=b"canary-dns\n", capture_output=True, env=os.environ, timeout=60)
        runs.append({"code": done.returncode, "out": done.stdout.decode(), "err": done.stderr.decode(),
                     "paths": [request.path for request in server.take()]})
    done = subprocess.run([binary, "account", "list", "--json"], capture_output=True, env=os.environ, timeout=60)
    print(json.dumps({"runs": runs, "accounts": json.loads(done.stdout), "asked": Names.asked}))


if __name__ == "__main__":
    main(*sys.argv[1:])

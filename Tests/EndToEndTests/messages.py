"""A mail server and a push server that keep the messages they receive."""

import base64
import email
import email.policy
import http.server
import socketserver
import threading


class MailServer:
    """Speaks SMTP on a free port of 127.0.0.1.

    `answers` replaces the answer to a command, for example {"RCPT": "550 No such user"}; `stall` holds the answer to a
    whole message back until the event is set.
    """

    def __init__(self, user=None, password=None):
        self.user, self.password = user, password
        self.answers = {}
        self.stall = None
        self.received = threading.Event()
        self.messages = []
        self.connections = 0
        outer = self

        class Handler(socketserver.StreamRequestHandler):
            timeout = 30

            def handle(self):
                outer.connections += 1
                try:
                    outer.converse(self.rfile, self.wfile)
                except OSError:
                    pass

        class Server(socketserver.ThreadingTCPServer):
            allow_reuse_address = True
            daemon_threads = True

        self.make = lambda port: Server(("127.0.0.1", port), Handler)
        self.port = None
        self.start()

    def start(self):
        self.server = self.make(self.port or 0)
        self.port = self.server.server_address[1]
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def stop(self):
        self.server.shutdown()
        self.server.server_close()

    @property
    def url(self):
        user = f"{self.user}@" if self.user else ""
        return f"smtp://{user}127.0.0.1:{self.port}"

    def converse(self, reader, writer):
        def say(text):
            writer.write(text.encode() + b"\r\n")
            writer.flush()
        say("220 mail.example.org")
        sender = recipients = None
        while line := reader.readline(2000):
            word = line.decode().strip()
            command = word.split(" ")[0].upper()
            if command in self.answers:
                say(self.answers[command])
                continue
            if command == "EHLO":
                say("250-mail.example.org\r\n250 AUTH PLAIN" if self.user else "250 mail.example.org")
            elif command == "AUTH":
                secret = word.split(" ")[2] if word.count(" ") > 1 else ""
                if not secret:
                    say("334 ")
                    secret = reader.readline(2000).decode().strip()
                is_right = base64.b64decode(secret) == f"\0{self.user}\0{self.password}".encode()
                say("235 Welcome" if is_right else "535 Wrong user or password")
            elif command == "MAIL":
                sender, recipients = word, []
                say("250 OK")
            elif command == "RCPT":
                recipients.append(word.split("<")[1].split(">")[0])
                say("250 OK")
            elif command == "DATA":
                say("354 Go on")
                lines = []
                while (line := reader.readline()) not in (b".\r\n", b""):
                    lines.append(line[1:] if line.startswith(b"..") else line)
                if self.stall and not self.stall.wait(20):
                    return
                message = email.message_from_bytes(b"".join(lines), policy=email.policy.default)
                message.recipients = recipients
                self.messages.append(message)
                self.received.set()
                say("250 OK")
            elif command == "QUIT":
                return say("221 Bye")
            else:
                say("250 OK" if command in ("RSET", "NOOP") else "502 Unknown")


class PushServer:
    """Keeps the posted messages; `status` is the status of all answers."""

    def __init__(self):
        self.status = 200
        self.messages = []
        outer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"])).decode()
                outer.messages.append((self.path, dict(self.headers), body))
                self.send_response(outer.status)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *arguments):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.port = self.server.server_address[1]
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def stop(self):
        self.server.shutdown()
        self.server.server_close()

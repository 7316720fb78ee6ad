"""Web servers with TLS in front of `remindav serve`, each with its configuration in docs/manual.md."""

import http.client
import os
import re
import socket
import ssl
import subprocess
from pathlib import Path

from harness import ROOT, wait_for
from servers import free_port

MANUAL = ROOT / "docs" / "manual.md"
# Values of the manual that the test replaces.
HOST, PORT, PREFIX = "cal.example.org", "8737", "/reminders"
MODULES = Path("/usr/lib/apache2/modules")


def configuration(language, page=MANUAL):
    """The only code block of a page in this language."""
    found = re.findall(rf"^```{language}\n(.*?)^```$", page.read_text(), re.M | re.S)
    assert len(found) == 1, f"{page} has {len(found)} blocks for {language}"
    return found[0]


class WebServer:
    """A web server on a free port of this machine; `upstream` is the port of `remindav serve`."""

    language = None
    page = MANUAL

    def __init__(self, folder, upstream, strips=None, host=HOST, replaces=None):
        """`strips`: whether the server removes the path from the request; without it the configuration equals the manual's."""
        self.folder = Path(folder) / self.language.replace(" ", "-")
        self.host = host
        self.folder.mkdir(mode=0o755)
        self.port = free_port()
        self.certificate = self.folder / "certificate.pem"
        self.key = self.folder / "key.pem"
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
             "-subj", f"/CN={host}", "-addext", f"subjectAltName=DNS:{host}", "-keyout", self.key, "-out", self.certificate],
            check=True, capture_output=True)
        text = configuration(self.language, self.page)
        if strips is not None:
            text = self.with_path(text, strips)
        text = self.replaced(text, *(replaces or (f"127.0.0.1:{PORT}", f"127.0.0.1:{upstream}")))
        self.log = self.folder / "log"
        self.process = None
        self.write(text)

    @staticmethod
    def replaced(text, old, new):
        assert old in text, f"the manual's configuration has no '{old}'"
        return text.replace(old, new)

    def start(self):
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(
                self.command(), cwd=self.folder, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                env={"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": str(self.folder), "XDG_DATA_HOME": str(self.folder),
                     "XDG_CONFIG_HOME": str(self.folder), "APACHE_LOG_DIR": str(self.folder)})
        wait_for(self.listens, what=f"{self.language}: {self.log.read_text()[-2000:]}")

    def listens(self):
        assert self.process.poll() is None, f"{self.language} ended: {self.log.read_text()[-2000:]}"
        wanted = f"0100007F:{self.port:04X}"
        return any(line.split()[1] == wanted and line.split()[3] == "0A"
                   for line in Path("/proc/net/tcp").read_text().splitlines()[1:])

    def stop(self):
        if self.process and self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(10)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()

    def ask(self, path, headers=None, host=HOST):
        """The status, entity tag and body for a subscriber. The certificate is checked against the public name."""
        context = ssl.create_default_context(cafile=self.certificate)
        plain = socket.create_connection(("127.0.0.1", self.port), timeout=30)
        connection = http.client.HTTPSConnection("127.0.0.1", self.port, timeout=30)
        connection.sock = context.wrap_socket(plain, server_hostname=HOST)
        try:
            connection.request("GET", path, headers={"Host": host, **(headers or {})})
            answer = connection.getresponse()
            return answer.status, answer.getheader("ETag"), answer.read()
        finally:
            connection.close()

    def access_log(self):
        """Everything that the server has written besides its error log."""
        return "".join(path.read_text(errors="replace") for path in self.folder.glob("*access*"))


class Nginx(WebServer):
    language = "nginx"

    @staticmethod
    def with_path(text, strips):
        end = "/;" if strips else ";"
        return re.sub(rf"(proxy_pass http://127\.0\.0\.1:{PORT})/?;", rf"\1{end}", text)

    def write(self, text):
        text = self.replaced(text, "listen 443 ssl;", f"listen 127.0.0.1:{self.port} ssl;")
        text = re.sub(r"(ssl_certificate +).*;", rf"\g<1>{self.certificate};", text)
        text = re.sub(r"(ssl_certificate_key +).*;", rf"\g<1>{self.key};", text)
        paths = "".join(f"{name}_temp_path {self.folder}/{name};\n"
                        for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
        user = "user root;\n" if os.getuid() == 0 else ""
        (self.folder / "nginx.conf").write_text(
            f"{user}daemon off;\nmaster_process off;\npid {self.folder}/pid;\nerror_log stderr;\nevents {{}}\n"
            f"http {{\naccess_log {self.folder}/access.log;\n{paths}{text}}}\n")

    def command(self):
        return ["nginx", "-p", str(self.folder), "-c", str(self.folder / "nginx.conf")]


class Caddy(WebServer):
    language = "caddy"

    @staticmethod
    def with_path(text, strips):
        return re.sub(r"handle(_path)? ", "handle_path " if strips else "handle ", text)

    def write(self, text):
        # Automatic certificates need an authority on the internet.
        text = self.replaced(text, f"{self.host} {{\n", f"{self.host} {{\n    tls {self.certificate} {self.key}\n")
        (self.folder / "Caddyfile").write_text(
            f"{{\n    admin off\n    auto_https disable_redirects\n    default_bind 127.0.0.1\n"
            f"    http_port {free_port()}\n    https_port {self.port}\n}}\n{text}")

    def command(self):
        return ["caddy", "run", "--adapter", "caddyfile", "--config", str(self.folder / "Caddyfile")]


class Apache(WebServer):
    language = "apache"

    @staticmethod
    def with_path(text, strips):
        end = "/" if strips else f"{PREFIX}/"
        return re.sub(rf"(http://127\.0\.0\.1:{PORT})\S*", rf"\1{end}", text)

    def write(self, text):
        text = self.replaced(text, "*:443", f"127.0.0.1:{self.port}")
        text = re.sub(r"(SSLCertificateFile +).*", rf"\g<1>{self.certificate}", text)
        text = re.sub(r"(SSLCertificateKeyFile +).*", rf"\g<1>{self.key}", text)
        names = ["mpm_event", "authz_core", "setenvif", "socache_shmcb", "ssl", "proxy", "proxy_http"]
        modules = "".join(f"LoadModule {name}_module {MODULES}/mod_{name}.so\n" for name in names)
        user = "User www-data\nGroup www-data\n" if os.getuid() == 0 else ""
        (self.folder / "apache.conf").write_text(
            f"ServerRoot {self.folder}\nServerName localhost\nPidFile {self.folder}/pid\nMutex file:{self.folder}\n"
            f"ErrorLog {self.folder}/error.log\nListen 127.0.0.1:{self.port}\n{modules}{user}"
            f'LogFormat "%h %l %u %t \\"%r\\" %>s %O" combined\n'
            f"CustomLog {self.folder}/main_access.log combined\n{text}")

    def command(self):
        return ["apache2", "-D", "FOREGROUND", "-f", str(self.folder / "apache.conf")]


ALL = (Nginx, Caddy, Apache)

# The host of the pages in the manual.
HOME = "home.example.org"
SOCKET = "/run/user/1000/remindav.sock"


class PagesServer(WebServer):
    """A web server that publishes the pages; `upstream` is the path of the socket of `remindav serve`."""

    name, socket = HOME, SOCKET

    def __init__(self, folder, upstream):
        super().__init__(folder, upstream, host=self.name, replaces=(self.socket, str(upstream)))

    def send(self, method, path, headers=None, body=None):
        """The status, the headers and the text of the answer."""
        context = ssl.create_default_context(cafile=self.certificate)
        plain = socket.create_connection(("127.0.0.1", self.port), timeout=30)
        connection = http.client.HTTPSConnection("127.0.0.1", self.port, timeout=30)
        connection.sock = context.wrap_socket(plain, server_hostname=self.name)
        try:
            connection.request(method, path, body, headers={"Host": self.name, **(headers or {})})
            answer = connection.getresponse()
            return answer.status, answer.headers, answer.read().decode()
        finally:
            connection.close()


class NginxOfPages(PagesServer, Nginx):
    language, program = "nginx pages", "nginx"


class CaddyOfPages(PagesServer, Caddy):
    language, program = "caddy pages", "caddy"


class NginxOfHost(PagesServer, Nginx):
    """The configuration of docs/hosting.md, with `sign_in` as the port of the program that signs people in."""

    page = ROOT / "docs" / "hosting.md"
    name, socket = "todo.example.org", "/run/remindav/proxy.sock"

    def __init__(self, folder, upstream, sign_in):
        self.sign_in = sign_in
        super().__init__(folder, upstream)

    def write(self, text):
        super().write(self.replaced(text, "127.0.0.1:4180", f"127.0.0.1:{self.sign_in}"))

"""The files of `service install`, as systemd and the desktop read them, and its requests to systemd."""

import os
import re
import shutil
import socket
import subprocess
import tempfile
import urllib.request
from pathlib import Path

from desktop import Desktop
from harness import BINARY, FAILURE, OK, PARTIAL, ROOT, USAGE, EndToEnd, wait_for
from terminal import on_terminal

# Every special character of units, command lines, shells and desktop entries.
ODD = "a b \"c\" 'd' $HOME ${e} $$ %h %% \\n \\\\ ;`f` ä #g"

NOBODY = 65534

# The needed part of systemctl. The file `asked` beside it has the calls, the file `enabled` the enabled units.
SYSTEMCTL = r"""#!/bin/sh
cd "$(dirname "$0")" || exit 1
case "$*" in
"--user show --property=Version --value") echo 252; exit 0 ;;
"--user show remindav.service --property=ActiveState --value") cat active 2> /dev/null || echo inactive; exit 0 ;;
"--user show remindav.service --property=UnitFileState --value") cat enabled 2> /dev/null; exit 0 ;;
"--user show remindav.service --property=ExecMainStatus --value") cat status 2> /dev/null || echo 0; exit 0 ;;
"--user show remindav-web.socket --property=ActiveState --value") cat web-active 2> /dev/null || echo inactive; exit 0 ;;
"--user show remindav-web.socket --property=ExecMainStatus --value") echo 0; exit 0 ;;
esac
echo "$*" >> asked
case "$*" in
"--user enable remindav.service") echo enabled > enabled; mkdir -p "$WANTS"; ln -sf "$UNIT" "$WANTS/remindav.service" ;;
"--user restart remindav.service")
    if [ -e refuses ] && grep -q '^PrivateUsers=yes' "$UNIT"; then echo failed > active; cat refuses > status; exit 1; fi
    echo active > active ;;
"--user disable --now remindav.service") rm -f enabled active "$WANTS/remindav.service"; rmdir "$WANTS" ;;
"--user restart remindav-web.socket") echo active > web-active ;;
"--user disable --now remindav-web.socket") rm -f web-active ;;
esac
"""


def systemd():
    """The path of systemd, which can check units without being the running init system."""
    return next(path for path in ("/usr/lib/systemd/systemd", "/lib/systemd/systemd") if os.access(path, os.X_OK))


def unquoted(text):
    """The arguments of a command line as systemd prints them, with substituted variables."""
    words = re.findall(r'"((?:[^"\\]|\\.)*)"|(\S+)', text)
    shown = [re.sub(r"\\(.)", r"\1", quoted) if quoted or not plain else plain for quoted, plain in words]
    return [shown[0], *(word.replace("$$", "$") for word in shown[1:])]


def desktop_words(entry):
    """The arguments of `Exec` by the rules of the Desktop Entry Specification: first the value, then the command line."""
    value = re.search(r"^Exec=(.*)$", entry, re.M)[1]
    value = re.sub(r"\\([sntr\\])", lambda match: {"s": " ", "n": "\n", "t": "\t", "r": "\r"}.get(match[1], "\\"), value)
    words = []
    for quoted, plain in re.findall(r'"((?:[^"\\]|\\["`$\\])*)"|([^\s"]+)', value):
        word = re.sub(r'\\(["`$\\])', r"\1", quoted) if quoted else plain
        words.append(word if word == "%u" else word.replace("%%", "%"))
    return words


class Service(EndToEnd):
    def setUp(self):
        super().setUp()
        self.laptop = self.device("laptop")
        self.environment = self.laptop.environment
        self.environment["XDG_CONFIG_HOME"] = str(self.laptop.folder / "config")
        Path(self.environment["XDG_RUNTIME_DIR"]).mkdir(mode=0o700)
        self.unit = self.laptop.folder / "config" / "systemd" / "user" / "remindav.service"
        self.desktop = self.laptop.folder / "data" / "applications" / "remindav.desktop"

    def tool(self, *words, code=OK):
        process = subprocess.run(words, env=self.environment, capture_output=True, text=True, timeout=120)
        self.assertEqual(process.returncode, code, f"{words}: {process.stdout}{process.stderr}")
        return process.stdout, process.stderr

    def parsed(self):
        """The unit as systemd reads it: name to value, and the arguments of its command."""
        # systemd refuses this check as root: another user runs it, in a separate folder.
        folder = Path(tempfile.mkdtemp(prefix="remindav-units-"))
        self.addCleanup(shutil.rmtree, folder)
        units = folder / "systemd" / "user"
        units.mkdir(parents=True)
        shutil.copy(self.unit, units)
        nobody = {}
        if os.geteuid() == 0:
            nobody = {"user": NOBODY, "group": NOBODY, "extra_groups": []}
            for path in (folder, *folder.rglob("*")):
                os.chown(path, NOBODY, NOBODY)
        process = subprocess.run(
            [systemd(), "--user", "--test", f"--unit={self.unit.name}", "--log-target=console"], cwd=folder,
            env={"HOME": str(folder), "XDG_CONFIG_HOME": str(folder), "XDG_RUNTIME_DIR": str(folder), "PATH": "/usr/bin:/bin"},
            capture_output=True, text=True, timeout=120, **nobody)
        out, error = process.stdout, process.stderr
        self.assertEqual(process.returncode, OK, error)
        self.assertNotRegex(error, r"remindav\.service:.*(?i:ignoring|invalid|failed|unknown)")
        block = re.search(r"-> Unit remindav\.service:\n(.*?)(?=\n\t?-> Unit |\Z)", out, re.S)[1]
        values = dict(re.findall(r"^\s+([A-Za-z]+): (.*)$", block, re.M))
        return values, unquoted(re.search(r"Command Line: (.*)$", block, re.M)[1])

    def manager(self):
        """A fake systemctl; its calls are recorded in the folder."""
        folder = self.laptop.folder / "bin"
        folder.mkdir()
        (folder / "systemctl").write_text(SYSTEMCTL)
        (folder / "systemctl").chmod(0o755)
        self.environment["PATH"] = f"{folder}:{self.environment['PATH']}"
        self.environment["UNIT"] = str(self.unit)
        self.environment["WANTS"] = str(self.unit.parent / "default.target.wants")
        return folder

    def asked(self, folder):
        path = folder / "asked"
        lines = path.read_text().splitlines() if path.exists() else []
        path.unlink(missing_ok=True)
        return [line.removeprefix("--user ") for line in lines]

    def tree(self):
        return sorted(str(path.relative_to(self.laptop.folder)) for path in self.laptop.folder.rglob("*"))

    # Files

    def test_the_full_sandbox_is_exposed_by_two_of_ten_at_most(self):
        # The unit for the default folders: those of a test are in a temporary folder, which the sandbox would have to include.
        unit = self.folder / "remindav.service"
        shutil.copy(ROOT / "Fixtures" / "service" / "service-full.service", unit)
        out, _ = self.tool("systemd-analyze", "--offline=true", "--threshold=20", "security", "--no-pager", str(unit))
        score = float(re.search(r"Overall exposure level for remindav\.service: ([\d.]+)", out)[1])
        self.assertLessEqual(score, 2.0)

    def test_systemd_accepts_both_units(self):
        for sandbox in ("light", "full"):
            self.laptop.run("service", "install", "--sandbox", sandbox, code=PARTIAL)
            out, error = self.tool("systemd-analyze", "--user", "verify", str(self.unit))
            self.assertEqual(out + error, "", "systemd has something to say about the unit")
        values, words = self.parsed()
        self.assertEqual(words, [str(BINARY.resolve()), "--store", str(self.laptop.store), "daemon"])
        self.assertEqual(values["ReadWritePaths"], f"-{self.laptop.store}")
        self.assertEqual((values["PrivateUsers"], values["ProtectSystem"], values["ProtectHome"]), ("yes", "strict", "read-only"))

    def test_the_files_may_be_read_and_not_written_by_others_with_any_umask(self):
        for mask in (0o000, 0o077):
            before = os.umask(mask)
            try:
                self.laptop.run("service", "install", code=PARTIAL)
            finally:
                os.umask(before)
            for path in (self.unit, self.desktop):
                self.assertEqual(path.stat().st_mode & 0o777, 0o644)
            self.assertEqual(self.unit.parent.stat().st_mode & 0o077, 0)
            self.laptop.run("service", "remove")

    def test_paths_with_every_special_character_are_read_literally(self):
        # systemd does not run paths with quotes and backslashes directly.
        for name in (ODD, re.sub(r"[\"'\\]", "", ODD)):
            with self.subTest(name):
                self.check_path(self.folder / name)

    def check_path(self, folder):
        folder.mkdir()
        program, store = folder / "remindav", folder / "store $x 100%"
        try:
            os.link(BINARY.resolve(), program)
        except OSError:
            shutil.copy(BINARY, program)
        result = subprocess.run([program, "--store", store, "service", "install"], env=self.environment,
                                capture_output=True, text=True, timeout=120)
        self.assertEqual(result.returncode, PARTIAL, result.stderr)
        expected = [str(program), "--store", str(store)]
        values, words = self.parsed()
        if words[0] == "/bin/sh":
            self.assertEqual(words[:3], ["/bin/sh", "-c", 'exec "$0" "$@"'])
            # The interpretation by the shell.
            self.assertEqual(self.tool(*words[:3], "printf", "%s|", *words[3:])[0], "|".join([*expected, "daemon", ""]))
            words = words[3:]
        self.assertEqual(words, [*expected, "daemon"])
        self.assertEqual(values["ReadWritePaths"], f"-{store}")
        self.tool("systemd-analyze", "--user", "verify", str(self.unit))
        shell, script, field = desktop_words(self.desktop.read_text())
        self.assertEqual((shell, field), ("/bin/sh", "%u"))
        # The script with another program instead of 'exec'.
        text = Path(script).read_text().replace("\nexec ", "\nprintf '%s|' ")
        self.assertEqual(self.tool(shell, "-c", text, "sh", "reminders://1")[0],
                         "|".join([*expected, "open", "reminders://1", ""]))
        self.tool("desktop-file-validate", str(self.desktop))

    def test_the_desktop_opens_an_address_with_the_quoted_command(self):
        calls = self.folder / "calls"
        helper = self.write("helper", f"#!/bin/sh\necho \"$@\" >> '{calls}'\n")
        helper.chmod(0o755)
        config = self.laptop.folder / "config" / "remindav"
        config.mkdir(parents=True)
        (config / "config").write_text(f'open-command = ["{helper}", "-e"]\n')
        self.laptop.run("add", "Buy milk")
        self.laptop.run("service", "install", code=PARTIAL)
        self.tool("desktop-file-validate", str(self.desktop))
        entry = self.desktop.read_text()
        self.assertIn("\nMimeType=x-scheme-handler/reminders;\n", entry)
        words = [word.replace("%u", "reminders://1") for word in desktop_words(entry)]
        self.tool(*words)
        for _ in range(100):
            if calls.exists():
                break
            subprocess.run(["sleep", "0.05"])
        self.assertEqual(calls.read_text(), "-e 1\n")

    # Calls

    def test_install_and_remove_with_a_manager(self):
        folder = self.manager()
        Path(self.environment["XDG_CONFIG_HOME"]).mkdir()
        self.laptop.run("add", "Buy milk")
        before = self.tree()
        self.laptop.run("service", "install")
        self.assertEqual(self.asked(folder), ["daemon-reload", "enable remindav.service", "reset-failed remindav.service",
                                              "restart remindav.service"])
        first = {path: path.stat().st_mtime_ns for path in (self.unit, self.desktop)}
        self.assertIn("up to date", self.laptop.run("service", "install").out)
        self.assertEqual(self.asked(folder), ["daemon-reload", "enable remindav.service"], "it was started anew for nothing")
        self.assertEqual({path: path.stat().st_mtime_ns for path in first}, first, "a file was written anew for nothing")
        state = self.laptop.json("service", "status")
        self.assertEqual((state["enabled"], state["active"], state["unit"]["state"]), ("enabled", "active", "up to date"))
        self.laptop.run("service", "remove")
        self.assertEqual(self.asked(folder), ["disable --now remindav.service", "daemon-reload"])
        left = [path for path in self.tree() if not path.endswith("mimeinfo.cache") and path != "data/applications"]
        self.assertEqual(left, before)
        self.assertEqual(self.laptop.run("service", "status", code=FAILURE).err, "")
        self.assertIn("No service is installed", self.laptop.run("service", "remove").out)

    def test_the_units_of_the_web_pages_are_installed_shown_and_removed_with_the_other(self):
        folder = self.manager()
        service, listener = (self.unit.with_name("remindav-web." + kind) for kind in ("service", "socket"))
        self.laptop.run("service", "install")
        self.assertFalse(listener.exists())
        state = self.laptop.json("service", "status")
        self.assertEqual((state["web"]["state"], state["webActive"]), ("not installed", "inactive"))
        self.asked(folder)
        self.laptop.run("service", "install", "--web")
        self.assertEqual(self.asked(folder), ["daemon-reload", "enable remindav.service", "enable remindav-web.socket",
                                              "stop remindav-web.service", "reset-failed remindav-web.socket",
                                              "restart remindav-web.socket"])
        out, error = self.tool("systemd-analyze", "--user", "verify", str(listener), str(service))
        self.assertEqual(out + error, "", "systemd has something to say about the units of the web pages")
        state = self.laptop.json("service", "status")
        self.assertEqual(state["web"], {"path": str(listener), "state": "up to date"})
        self.assertEqual((state["active"], state["webActive"]), ("active", "active"))
        self.laptop.run("service", "remove")
        self.assertEqual(self.asked(folder), ["disable --now remindav.service", "disable --now remindav-web.socket",
                                              "stop remindav-web.service", "daemon-reload"])
        self.assertFalse(listener.exists() or service.exists() or self.unit.exists())

    def test_systemd_passes_a_socket_and_the_pages_answer_on_it(self):
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = free.getsockname()[1]
        variables = [word for name in self.laptop.environment for word in ("-E", name)]
        activate = subprocess.Popen(
            ["systemd-socket-activate", "-l", f"127.0.0.1:{port}", *variables, str(BINARY), "serve"],
            env=self.laptop.environment, stderr=subprocess.DEVNULL)
        self.addCleanup(activate.wait)
        self.addCleanup(activate.kill)
        wait_for(lambda: f":{port:04X} 00000000:0000 0A" in Path("/proc/net/tcp").read_text(), what="the listening socket")
        address = self.laptop.run("web", "--no-open", "--port", str(port)).out.strip()
        opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
        with opener.open(address, timeout=20) as answer:
            self.assertIn("No reminders yet", answer.read().decode())

    # The first start

    def test_setup_asks_sets_up_once_and_shows_a_notification(self):
        folder = self.manager()
        desktop = Desktop(self.laptop.folder)
        desktop.start()
        self.addCleanup(desktop.stop)
        desktop.start_service()
        self.environment.update(desktop.environment)
        self.laptop.run("list")
        before = set(self.tree())
        code, shown = on_terminal(self.laptop, "setup", answer=[b"\n", b"\n"])
        self.assertEqual(code, OK, shown)
        self.assertIn(b"Get notified when your reminders are due so you never miss an important task.", shown)
        self.assertIn(b"Enable Notifications? [Y/n] ", shown)
        self.assertIn(b"'remindav account add' connects to a server", shown)
        self.assertEqual(self.asked(folder)[-1], "restart remindav.service")
        notification, = desktop.notifications()
        self.assertIn("This is a test.", notification.body)
        # Only the files of 'service install' and of a new store exist, in their folders.
        places = ("config", "data")
        new = [path for path in set(self.tree()) - before if not path.startswith(("notify.log", "bin/"))]
        self.assertEqual([path for path in new if path.split("/")[0] not in places], [])
        files = {path: path.stat().st_mtime_ns for path in (self.unit, self.desktop)}
        self.laptop.run("service", "install")
        self.assertEqual({path: path.stat().st_mtime_ns for path in files}, files, "'service install' writes others")
        self.asked(folder)
        code, shown = on_terminal(self.laptop, "setup", answer=[b"\n", b"\n"])
        self.assertEqual(code, OK, shown)
        self.assertIn(b"Alarms are on", shown)
        self.assertEqual(self.asked(folder), [])
        self.assertEqual({path: path.stat().st_mtime_ns for path in files}, files)
        self.assertEqual(len(desktop.notifications()), 1)

    def test_setup_changes_nothing_without_a_terminal_or_a_yes(self):
        folder = self.manager()
        before = self.tree()
        complaint = self.laptop.run("setup", code=USAGE).err
        for command in ("service install", "doctor", "account add"):
            self.assertIn(f"'remindav {command}", complaint)
        for answer in (b"n\n", b"\x04"):
            code, shown = on_terminal(self.laptop, "setup", answer=[b"\n", answer])
            self.assertEqual(code, OK, shown)
            self.assertIn(b"Maybe Later", shown)
        code, shown = on_terminal(self.laptop, "setup", answer=b"\x03")
        self.assertIn(code, (130, -2), shown)
        self.assertEqual(self.asked(folder), [])
        self.assertEqual(self.tree(), before)

    def test_a_system_without_user_namespaces_gets_the_light_sandbox(self):
        folder = self.manager()
        for status in ("217", "218", "226"):
            (folder / "refuses").write_text(status + "\n")
            self.laptop.run("service", "install")
            self.assertNotIn("PrivateUsers", self.unit.read_text())
            self.assertEqual((folder / "active").read_text(), "active\n")
            self.laptop.run("service", "install", "--sandbox", "full", code=FAILURE)
            self.asked(folder)
            self.laptop.run("service", "remove")

    def test_without_a_manager_one_sentence_has_the_command(self):
        result = self.laptop.run("service", "install", code=PARTIAL)
        # A program in a build folder gets a warning of its own.
        self.assertEqual(len(result.err.splitlines()), 2 if "/.build/" in str(BINARY.resolve()) else 1)
        self.assertTrue(result.err.endswith("systemctl --user daemon-reload && systemctl --user enable --now remindav.service\n"))
        self.laptop.run("service", "remove")
        self.assertFalse(self.unit.exists() or self.desktop.exists())

"""A desktop for tests: a private session bus, and the notification service of python3-dbusmock on it.

The system's Python runs it, because that has dbus: `desktop.py calls`, `desktop.py emit NAME TYPES ARGUMENT...`,
`desktop.py serve HOW`: a faulty service, see `BAD`.
"""

import json
import os
import re
import subprocess
import sys
import time
from pathlib import Path

SYSTEM_PYTHON = "/usr/bin/python3"
NAME = "org.freedesktop.Notifications"
PATH = "/org/freedesktop/Notifications"

# The bus starts no services: Debian's default configuration would start the notification service of an installed desktop.
CONFIGURATION = """<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-BUS Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>session</type>
  <listen>unix:path={folder}/bus</listen>
  <auth>EXTERNAL</auth>
  <policy context="default">
    <allow send_destination="*" eavesdrop="true"/>
    <allow eavesdrop="true"/>
    <allow own="*"/>
  </policy>
</busconfig>
"""


class Notification:
    """The arguments of one call of Notify."""

    def __init__(self, seconds, arguments):
        self.seconds = seconds
        _, self.replaces, _, self.title, self.body, actions, self.hints, self.expiry = arguments
        self.actions = actions[::2]

    def __repr__(self):
        return f"{self.title!r} {self.body!r} for {self.replaces}"


class Desktop:
    def __init__(self, folder):
        self.folder = folder
        self.service = None
        self.bus = None
        self.listener = None
        self.log = folder / "notify.log"

    def start(self):
        configuration = self.folder / "bus.conf"
        configuration.write_text(CONFIGURATION.format(folder=self.folder))
        self.bus = subprocess.Popen(
            ["dbus-daemon", f"--config-file={configuration}", "--nofork", "--print-address=1"],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        # Without the GUID of this bus, which a later bus at the same address does not have.
        self.address = self.bus.stdout.readline().decode().partition(",")[0].strip()
        assert self.address, "the bus did not start"
        self.environment = {"DBUS_SESSION_BUS_ADDRESS": self.address}

    def start_service(self, capabilities="actions body body-markup"):
        self.run_service("-m", "dbusmock", "--logfile", str(self.log), "--template", "notification_daemon",
                         "--parameters", json.dumps({"capabilities": capabilities}))

    def start_bad_service(self):
        self.run_service(Path(__file__).with_name("badservice.py"))

    def run_service(self, *words):
        self.service = subprocess.Popen([SYSTEM_PYTHON, *words], env={**os.environ, **self.environment},
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        # On a busy machine, the system's Python starts slowly.
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            if self.ask("calls", check=False).returncode == 0:
                return
        raise AssertionError("the notification service did not start")

    def start_useless_service(self, how):
        """A service that answers each call with an error (`refuses`), or ends in the middle of a Notify (`dies`)."""
        self.bad_log = self.folder / "bad.log"
        self.service = subprocess.Popen([SYSTEM_PYTHON, __file__, "serve", how, str(self.bad_log)], stdout=subprocess.PIPE,
                                        env={**os.environ, **self.environment})
        assert self.service.stdout.readline(), "the service did not start"
        self.service.stdout.close()

    def refused(self, name):
        """The times of the calls of a method of the bad service, in seconds since 1970."""
        calls = [line.split() for line in self.bad_log.read_text().splitlines()]
        return [float(seconds) for seconds, called in calls if called == name]

    def listen(self):
        """Starts recording the signals for docks; see `signals`."""
        self.signal_log = self.folder / "signals.log"
        self.listener = subprocess.Popen([SYSTEM_PYTHON, __file__, "listen", str(self.signal_log)], stdout=subprocess.PIPE,
                                         env={**os.environ, **self.environment})
        assert self.listener.stdout.readline(), "the listener did not start"
        self.listener.stdout.close()

    def signals(self):
        """The signals for docks: [application, properties] of each, oldest first."""
        return [json.loads(line) for line in self.signal_log.read_text().splitlines()] if self.signal_log.exists() else []

    def stop_service(self):
        if self.service:
            self.service.kill()
            self.service.wait()
            self.service = None

    def stop(self):
        self.stop_service()
        self.stop_bus()

    def stop_bus(self):
        if self.listener:
            self.listener.kill()
            self.listener.wait()
            self.listener = None
        if self.bus:
            self.bus.kill()
            self.bus.wait()
            self.bus.stdout.close()
            self.bus = None
            (self.folder / "bus").unlink()

    def ask(self, *words, check=True):
        return subprocess.run([SYSTEM_PYTHON, __file__, *map(str, words)], env={**os.environ, **self.environment},
                              capture_output=True, text=True, timeout=60, check=check)

    def calls(self, name):
        """(seconds since 1970, arguments) of each call of a method, oldest first."""
        return [(seconds, arguments) for seconds, called, arguments in json.loads(self.ask("calls").stdout)
                if called == name]

    def notifications(self):
        return [Notification(*call) for call in self.calls("Notify")]

    def notified(self):
        """(seconds since 1970 to the millisecond, title) of each call of Notify since the service was started.

        The titles must not contain quotation marks.
        """
        calls = re.findall(r'^([0-9.]+) Notify "Remindav" [0-9]+ "" "([^"]*)"', self.log.read_text(), re.M)
        return [(float(seconds), title) for seconds, title in calls]

    def closed(self):
        return [arguments[0] for _, arguments in self.calls("CloseNotification")]

    def click(self, number, action):
        self.ask("emit", "ActionInvoked", "us", number, action)

    def put_away(self, number, reason=2):
        self.ask("emit", "NotificationClosed", "uu", number, reason)


def main(arguments):
    import dbus

    if arguments[0] == "serve":
        return serve(*arguments[1:])
    if arguments[0] == "listen":
        return listen(arguments[1])
    # A query does not start a service.
    bus = dbus.SessionBus()
    if not bus.name_has_owner(NAME):
        return 1
    mock = dbus.Interface(bus.get_object(NAME, PATH), "org.freedesktop.DBus.Mock")
    if arguments[0] == "calls":
        print(json.dumps([[int(seconds), str(name), plain(args)] for seconds, name, args in mock.GetCalls()]))
    else:
        name, types, *words = arguments[1:]
        values = [dbus.UInt32(int(word)) if kind == "u" else word for kind, word in zip(types, words)]
        mock.EmitSignal(NAME, name, types, values)
    return 0


def serve(how, log):
    import dbus
    import dbus.lowlevel
    import dbus.mainloop.glib
    from gi.repository import GLib

    bus = dbus.SessionBus(mainloop=dbus.mainloop.glib.DBusGMainLoop())

    def answer(connection, message):
        if message.get_type() != dbus.lowlevel.MESSAGE_TYPE_METHOD_CALL or message.get_path() != PATH:
            return dbus.lowlevel.HANDLER_RESULT_NOT_YET_HANDLED
        with open(log, "a") as file:
            file.write(f"{time.time()} {message.get_member()}\n")
        if how == "dies" and message.get_member() == "Notify":
            os._exit(1)
        if how == "dies" and message.get_member() == "GetCapabilities":
            reply = dbus.lowlevel.MethodReturnMessage(message)
            reply.append(["actions", "body"], signature="as")
        elif how == "dies" and message.get_member() == "GetServerInformation":
            reply = dbus.lowlevel.MethodReturnMessage(message)
            reply.append("mortal", "tests", "1", "1.2", signature="ssss")
        else:
            reply = dbus.lowlevel.ErrorMessage(message, "org.example.Error.NotToday", "no")
        connection.send_message(reply)
        return dbus.lowlevel.HANDLER_RESULT_HANDLED

    bus.add_message_filter(answer)
    bus.request_name(NAME)
    print("ready", flush=True)
    GLib.MainLoop().run()
    return 0


def listen(log):
    import dbus
    import dbus.mainloop.glib
    from gi.repository import GLib

    bus = dbus.SessionBus(mainloop=dbus.mainloop.glib.DBusGMainLoop())

    def hear(application, properties):
        with open(log, "a") as file:
            file.write(json.dumps([str(application), plain(properties)]) + "\n")

    bus.add_signal_receiver(hear, "Update", "com.canonical.Unity.LauncherEntry")
    print("ready", flush=True)
    GLib.MainLoop().run()
    return 0


def plain(value):
    """Converts values of D-Bus to plain values."""
    if isinstance(value, dict):
        return {str(key): plain(inner) for key, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(inner) for inner in value]
    return str(value) if isinstance(value, str) else int(value)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

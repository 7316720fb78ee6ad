"""A notification service with faults: the title of a notification selects the fault of its first Notify call. Later calls succeed.

    0 text error huge     answers with an invalid number, or with the highest one
    silent                never answers
    late                  answers with a number after the time limit of the call
    flood                 a number, after thousands of signals
    backwards             answers when `HELD` calls wait, the last call first; a click on each precedes its answer
    dies                  exits

The system's Python runs it, because that has dbus. Its control interface is that of python3-dbusmock.
"""

import os
import time

import dbus
import dbus.lowlevel
import dbus.service
from dbus.mainloop.glib import DBusGMainLoop
from gi.repository import GLib

NAME = "org.freedesktop.Notifications"
PATH = "/org/freedesktop/Notifications"
MOCK = "org.freedesktop.DBus.Mock"
HELD = 3
FLOOD = 20_000
# Longer than the time limit of a call.
LATE_SECONDS = 13


class BadService(dbus.service.Object):
    def __init__(self, bus):
        super().__init__(bus, PATH)
        self.bus = bus
        self.calls = []
        self.titles = set()
        self.held = []
        self.last = 0

    def note(self, name, *arguments):
        self.calls.append((dbus.UInt64(time.time()), name, list(arguments)))

    def signal(self, name, types, *values):
        message = dbus.lowlevel.SignalMessage(PATH, NAME, name)
        message.append(*values, signature=types)
        self.bus.send_message(message)

    def number(self, replaced=0):
        if replaced:
            return dbus.UInt32(replaced)
        self.last += 1
        return dbus.UInt32(self.last)

    @dbus.service.method(NAME, in_signature="susssasa{sv}i", async_callbacks=("answer", "fail"))
    def Notify(self, program, replaced, icon, title, body, actions, hints, expiry, answer, fail):
        self.note("Notify", program, replaced, icon, title, body, actions, hints, expiry)
        way = "" if title in self.titles else title.split()[0]
        self.titles.add(title)
        if way == "0":
            answer(dbus.UInt32(0))
        elif way == "text":
            answer("17")
        elif way == "error":
            fail(dbus.DBusException("<b>no</b>\x1b[31m", name="org.example.Error.No"))
        elif way == "huge":
            answer(dbus.UInt32(0xFFFFFFFF))
        elif way == "late":
            GLib.timeout_add_seconds(LATE_SECONDS, lambda number=self.number(): answer(number))
        elif way == "flood":
            for turn in range(FLOOD // 4):
                self.signal("ActionInvoked", "us", dbus.UInt32(turn + 1000), "complete")
                self.signal("ActionInvoked", "ss", "1", "x" * 1000)
                self.signal("NotificationClosed", "uu", dbus.UInt32(turn + 1000), dbus.UInt32(turn))
                self.signal("NotificationClosed", "u", dbus.UInt32(turn + 1000))
            answer(self.number(replaced))
        elif way == "backwards":
            self.held.append((self.number(replaced), answer))
            if len(self.held) == HELD:
                for number, _ in self.held:
                    self.signal("ActionInvoked", "us", number, "complete")
                for number, held in reversed(self.held):
                    held(number)
        elif way == "dies":
            os._exit(1)
        elif way != "silent":
            answer(self.number(replaced))

    @dbus.service.method(NAME, in_signature="u")
    def CloseNotification(self, number):
        self.note("CloseNotification", number)
        self.signal("NotificationClosed", "uu", number, dbus.UInt32(3))

    @dbus.service.method(NAME, out_signature="as")
    def GetCapabilities(self):
        return ["actions", "body", "body-markup"]

    @dbus.service.method(NAME, out_signature="ssss")
    def GetServerInformation(self):
        return "bad \x1b[31mservice", "nobody", "1.0", "1.2"

    @dbus.service.method(MOCK, out_signature="a(tsav)")
    def GetCalls(self):
        return self.calls

    @dbus.service.method(MOCK, in_signature="sssav")
    def EmitSignal(self, interface, name, types, values):
        self.signal(name, types, *values)


if __name__ == "__main__":
    DBusGMainLoop(set_as_default=True)
    bus = dbus.SessionBus()
    service = BadService(bus)
    name = dbus.service.BusName(NAME, bus, do_not_queue=True)
    GLib.MainLoop().run()

import RemindavNotifications
import RemindavTestSupport

/// Events of the machine: time passes, and the clock and the zone change.
extension History {
    func sleepUntilWoken() throws {
        let limit = self.now + 40 * 86_400
        let wake = min(self.wake ?? limit, limit)
        let step = max(wake - self.now, 0)
        guard self.time + step <= self.end else {
            self.time = self.end
            return
        }
        self.time += step
        try self.handle(.clock)
        self.idle = step <= 1 && self.isIdle ? self.idle + 1 : 0
        if self.idle > 20 { throw Broken(description: "repeated wake-ups without a reason") }
    }

    func suspend() throws {
        self.time += self.length(upTo: 40 * 86_400)
        self.log("wakes up")
        try self.handle(.clock)
    }

    func setClock() throws {
        if self.skew != 0, self.chance(2) {
            self.skew = 0
        } else {
            let length = self.length(upTo: 10 * 31_556_952)
            self.skew = max(-315_569_520, min(315_569_520, self.skew + (self.chance(2) ? length : -length)))
        }
        self.log("clock was set")
        try self.handle(.clock)
    }

    func travel() throws {
        self.local = self.chance(2) ? self.home : self.pick(PeerZone.names)
        self.log("in \(self.local)")
        try self.handle(.zoneChanged(self.local))
    }
}

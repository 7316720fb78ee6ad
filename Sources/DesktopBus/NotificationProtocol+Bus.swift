/// The connection to the bus and the owner of the service's name.
extension NotificationProtocol {
    mutating func connected(_ bus: String, _ now: Int) {
        self.bus = .connected(bus)
        self.count.forget()
        self.service = .unknown
        self.startFailures = 0
        self.lastStart = nil
        self.lastChange = nil
        let deadline = self.deadline(self.limits.callSeconds, now)
        for match in BusCall.matches { self.send(match, .match, deadline) }
        // The owner is requested after the subscription, so that no change of the owner is missed.
        self.send(.owner, .owner, deadline)
    }

    mutating func lost(_ error: DesktopBusError) {
        self.bus = .away(error)
        self.service = .unknown
        self.forgetCalls { _ in error }
        for entry in self.removeWaiting() { self.finish(entry.id, .failure(error)) }
        // ``shown`` is not cleared: after a reconnection, the same service instance can be on the same bus.
        self.early = []
        self.reportFailure(error)
    }

    /// Ends the calls for which `error` returns an error, because their answers can no longer arrive.
    mutating func forgetCalls(_ error: (Call) -> DesktopBusError?) {
        for (tag, call) in self.calls.sorted(by: { $0.key < $1.key }) {
            guard let error = error(call) else { continue }
            self.calls[tag] = nil
            if let request = call.request { self.finish(request, .failure(error)) }
        }
        self.abandoned.removeAll { self.calls[$0] == nil }
    }

    mutating func reportFailure(_ error: DesktopBusError) {
        guard self.reported != .failure(error) else { return }
        self.reported = .failure(error)
        self.effects.append(.report(.unavailable(error)))
    }

    mutating func expire(_ now: Int) {
        for entry in self.waiting where entry.deadline <= now { self.finish(entry.id, .failure(self.delay)) }
        self.waiting.removeAll { $0.deadline <= now }
        for (tag, call) in self.calls.sorted(by: { $0.key < $1.key }) where call.deadline.map({ $0 <= now }) ?? false {
            self.expired(tag, call, now)
        }
        switch self.service {
        case .absent(_, let again?) where again <= now: self.start(now)
        case .settling(let owner, let until) where until <= now: self.learn(owner, now)
        default: break
        }
    }

    /// The error for a request that timed out, depending on what the request was waiting for.
    var delay: DesktopBusError {
        switch (self.bus, self.service) {
        case (.away(let error), _): error ?? DesktopBusError(.busSilent)
        case (_, .unknown): DesktopBusError(.busSilent)
        case (_, .absent(let error, _)): error
        case (_, .starting): DesktopBusError(.serviceNotStarted)
        case (_, .settling), (_, .asking), (_, .present): DesktopBusError(.serviceSilent)
        }
    }

    mutating func expired(_ tag: Int, _ call: Call, _ now: Int) {
        switch call.purpose {
        case .match, .owner:
            self.calls[tag] = nil
            self.effects.append(.drop(DesktopBusError(.busSilent)))
        case .start:
            self.calls[tag] = nil
            self.notStarted(DesktopBusError(.serviceNotStarted), now)
        case .information:
            self.calls[tag] = nil
            self.learned(now) { $0.information = .failure(DesktopBusError(.serviceSilent)) }
        case .capabilities:
            self.calls[tag] = nil
            self.learned(now) { $0.capabilities = .failure(DesktopBusError(.serviceSilent)) }
        case .notify, .close: self.abandon(tag, call, DesktopBusError(.serviceSilent))
        }
        self.effects.append(.checkBus)
    }
}

import RemindavNotifications

/// Accepts requests, sends their calls, and ends them.
extension NotificationProtocol {
    func deadline(_ seconds: Double, _ now: Int) -> Int { now + Reconnection.milliseconds(seconds) }

    mutating func finish(_ id: UInt64, _ result: Result<Answer, DesktopBusError>) {
        self.effects.append(.finish(id, result))
    }

    mutating func asked(_ id: UInt64, _ request: Request, _ now: Int) {
        guard self.waiting.count + self.calls.count - self.abandoned.count < self.limits.calls else {
            return self.finish(id, .failure(DesktopBusError(.tooManyCalls)))
        }
        self.waiting.append(Waiting(id: id, request: request, deadline: self.deadline(self.limits.callSeconds, now)))
        if case .away = self.bus { self.effects.append(.connect) }
    }

    mutating func cancelled(_ id: UInt64) {
        if let place = self.waiting.firstIndex(where: { $0.id == id }) {
            self.waiting.remove(at: place)
            return self.finish(id, .failure(DesktopBusError(.cancelled)))
        }
        for (tag, call) in self.calls where call.request == id {
            self.abandon(tag, call, DesktopBusError(.cancelled))
        }
    }

    /// Ends the request of a call; the call is stored, because its answer may still arrive.
    mutating func abandon(_ tag: Int, _ call: Call, _ error: DesktopBusError) {
        guard let request = call.request else { return }
        self.finish(request, .failure(error))
        var call = call
        (call.request, call.deadline) = (nil, nil)
        self.calls[tag] = call
        self.listenInPassing(tag)
    }

    /// Stores a call whose request has ended; if too many are stored, the oldest is dropped.
    mutating func listenInPassing(_ tag: Int) {
        self.abandoned.append(tag)
        if self.abandoned.count > self.limits.abandonedCalls { self.calls[self.abandoned.removeFirst()] = nil }
    }

    mutating func advance(_ now: Int) {
        guard case .connected(let bus) = self.bus, !self.waiting.isEmpty else { return }
        switch self.service {
        case .unknown, .starting, .settling, .asking: return
        case .absent(let error, _):
            // A waiting request justifies a start attempt before the end of the pause.
            let isEarly = self.lastStart.map { now < self.deadline(self.limits.shortestPauseSeconds, $0) } ?? false
            let wantsService = self.waiting.contains { if case .close = $0.request { false } else { true } }
            if wantsService, !isEarly { return self.start(now) }
            for entry in self.removeWaiting() { self.finish(entry.id, .failure(error)) }
        case .present(let owner, let service, let askAgain):
            if let askAgain, now >= askAgain { return self.learn(owner, now) }
            for entry in self.removeWaiting() { self.perform(entry, owner, service, bus, now) }
        }
    }

    mutating func removeWaiting() -> [Waiting] {
        defer { self.waiting = [] }
        return self.waiting
    }

    mutating func perform(
        _ entry: Waiting,
        _ owner: String,
        _ service: DesktopService,
        _ bus: String,
        _ now: Int
    ) {
        switch entry.request {
        case .describe: self.finish(entry.id, .success(.service(service)))
        case .close(let notification):
            // The notification belonged to another service instance and disappeared with it.
            guard notification.service == service.run else { return self.finish(entry.id, .success(.closed)) }
            self.send(.close(notification.number, at: owner), .close(notification), entry.deadline, request: entry.id)
        case .show(let notification, let replaced):
            let number = replaced.map { $0.service == service.run ? $0.number : 0 } ?? 0
            let values = NotifyArguments.values(notification, replacing: number, capabilities: service.capabilities)
            let keys = Set(NotifyArguments.actions(notification, service.capabilities).map(\.key))
            self.send(.notify(values, to: owner), .notify(keys: keys), entry.deadline, request: entry.id)
        }
    }

    mutating func send(_ call: BusCall, _ purpose: Purpose, _ deadline: Int?, request: UInt64? = nil) {
        self.lastTag += 1
        self.calls[self.lastTag] = Call(purpose: purpose, asked: call.destination, deadline: deadline, request: request)
        self.effects.append(.send(call, tag: self.lastTag))
    }
}

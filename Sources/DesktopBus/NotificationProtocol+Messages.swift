import RemindavNotifications

extension NotificationProtocol {
    mutating func received(_ message: BusMessage, _ tag: Int?, _ now: Int) {
        switch message.kind {
        case .call: return
        case .signal: self.signalled(message, now)
        case .answer, .failure:
            guard let tag, let call = self.calls[tag], message.sender == call.asked || message.sender == BusCall.bus
            else { return }
            self.calls[tag] = nil
            self.abandoned.removeAll { $0 == tag }
            self.answered(call, message, now)
        }
    }

    mutating func signalled(_ message: BusMessage, _ now: Int) {
        if message.sender == BusCall.bus, message.interface == BusCall.bus, message.member == "NameOwnerChanged" {
            guard case (.string(BusCall.service)?, .string(let owner)?) = (message.values.first, message.values.last),
                message.values.count == 3
            else { return }
            // The signal states the owner, even if it arrives before the answer to GetNameOwner.
            return self.ownerChanged(to: owner, now)
        }
        guard let owner = self.service.owner, message.sender == owner, message.path == BusCall.servicePath,
            message.interface == BusCall.service, case .number(let number)? = message.values.first,
            ["ActionInvoked", "NotificationClosed"].contains(message.member)
        else { return }
        let notification = NotificationID(number: number, service: self.run(owner))
        if self.shown.contains(notification) {
            self.report(of: notification, message)
        } else if self.isShowing, self.early.count < self.limits.earlySignals {
            self.early.append(message)
        }
    }

    var isShowing: Bool {
        self.calls.values.contains { if case .notify = $0.purpose { true } else { false } }
    }

    mutating func report(of notification: NotificationID, _ message: BusMessage) {
        switch (message.member, message.values.dropFirst().first) {
        case ("ActionInvoked", .string(let key)?):
            if self.shown.accepts(notification, key: key) {
                self.effects.append(.report(.invoked(notification, key: key)))
            }
        case ("NotificationClosed", .number(let reason)?):
            self.shown.remove(notification)
            self.effects.append(.report(.closed(notification, CloseReason(rawValue: reason) ?? .undefined)))
        default: break
        }
    }

    mutating func answered(_ call: Call, _ message: BusMessage, _ now: Int) {
        var failure: DesktopBusError?
        if case .failure(let name) = message.kind { failure = DesktopBusError(named: name) }
        // The call was sent to one service instance, so this error means that the instance has ended.
        if failure?.code == .noService, call.asked != BusCall.bus { failure = DesktopBusError(.serviceGone) }
        switch call.purpose {
        case .match: if let failure { self.drop(failure) }
        case .owner: self.answeredOwner(message, now)
        case .start:
            if let failure {
                self.notStarted(failure, now)
            } else if case .starting = self.service {
                // The started program does not own the name: it has already ended, or it is not a notification service.
                self.absent(DesktopBusError(.serviceNotStarted), now)
            }
        case .information:
            let words = message.values.compactMap { if case .string(let word) = $0 { word } else { nil } }
            self.learned(now) { $0.information = failure.map(Result.failure) ?? .success(words) }
        case .capabilities:
            self.learned(now) { $0.capabilities = failure.map(Result.failure) ?? Self.capabilities(message) }
        case .notify(let keys): self.answeredNotify(call.request, keys, message, failure)
        case .close(let notification):
            // A service refuses to close a notification that it does not know.
            if failure != nil { self.shown.remove(notification) }
            if let request = call.request { self.finish(request, failure.map(Result.failure) ?? .success(.closed)) }
        }
    }

    mutating func drop(_ error: DesktopBusError) {
        self.effects.append(.drop(DesktopBusError(.busRefused, detail: error.detail)))
    }

    mutating func answeredOwner(_ message: BusMessage, _ now: Int) {
        guard case .unknown = self.service else { return }
        if case .answer = message.kind, case .string(let owner)? = message.values.first {
            self.ownerChanged(to: owner, now)
        } else {
            self.start(now)
        }
    }

    static func capabilities(_ message: BusMessage) -> Result<[String], DesktopBusError> {
        guard case .strings(let names)? = message.values.first else { return .failure(DesktopBusError(.badAnswer)) }
        return .success(names)
    }

    mutating func answeredNotify(
        _ request: UInt64?,
        _ keys: Set<String>,
        _ message: BusMessage,
        _ failure: DesktopBusError?
    ) {
        defer { if !self.isShowing { self.early = [] } }
        if let failure {
            if let request { self.finish(request, .failure(failure)) }
            return
        }
        guard case .number(let number)? = message.values.first, message.values.count == 1, number != 0,
            let owner = self.service.owner
        else {
            if let request { self.finish(request, .failure(DesktopBusError(.badAnswer))) }
            return
        }
        let notification = NotificationID(number: number, service: self.run(owner))
        guard let request else {
            // The request has already failed, and the caller may repeat it, so this notification is closed.
            guard !self.shown.contains(notification) else { return }
            self.send(.close(number, at: owner), .close(notification), nil)
            return self.listenInPassing(self.lastTag)
        }
        self.shown.insert(notification, keys: keys)
        self.finish(request, .success(.shown(notification)))
        let early = self.early.filter { $0.values.first == .number(number) }
        self.early.removeAll { $0.values.first == .number(number) }
        for message in early where self.shown.contains(notification) { self.report(of: notification, message) }
    }
}

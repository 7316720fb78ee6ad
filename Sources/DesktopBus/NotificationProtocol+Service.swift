import RemindavNotifications

/// Finds and starts the service, and asks for its capabilities.
extension NotificationProtocol {
    func run(_ owner: String) -> String {
        guard case .connected(let bus) = self.bus else { return "" }
        return "\(bus)\(owner)"
    }

    mutating func start(_ now: Int) {
        self.service = .starting
        self.lastStart = now
        // Only the newest start call is tracked, because the result of an older one is useless.
        self.calls = self.calls.filter { $0.value.purpose != .start }
        self.send(.start, .start, self.deadline(self.limits.startSeconds, now))
    }

    mutating func notStarted(_ error: DesktopBusError, _ now: Int) {
        guard case .starting = self.service else { return }
        self.absent(error, now)
    }

    /// Records that the service is missing; a new start is planned, except if no service is installed.
    ///
    /// A service that starts without this program is noticed, because the bus reports a new owner.
    mutating func absent(_ error: DesktopBusError, _ now: Int) {
        self.startFailures += 1
        let pause = Reconnection.pause(after: self.startFailures, limits: self.limits)
        self.service = .absent(error, startAgain: error.code == .noService ? nil : now + pause)
        self.reportFailure(error)
        for entry in self.removeWaiting() { self.finish(entry.id, .failure(error)) }
    }

    mutating func ownerChanged(to owner: String, _ now: Int) {
        guard owner != self.service.owner ?? "" else { return }
        let hadOne = self.service.owner != nil
        if let old = self.service.owner { self.forgetCalls { $0.asked == old ? DesktopBusError(.serviceGone) : nil } }
        self.early = []
        self.shown.removeAll(but: self.run(owner))
        guard !owner.isEmpty else {
            if hadOne { self.absent(DesktopBusError(.serviceGone), now) }
            return
        }
        let settled = self.lastChange.map { self.deadline(self.limits.settleSeconds, $0) } ?? now
        self.lastChange = now
        // If the name changes its owner again soon, the new owner is used only after it has had the name for a while.
        if settled > now {
            self.service = .settling(owner: owner, until: self.deadline(self.limits.settleSeconds, now))
        } else {
            self.learn(owner, now)
        }
    }

    mutating func learn(_ owner: String, _ now: Int) {
        // On most desktops, the service starts together with the dock, so the number must be sent again.
        self.count.forget()
        self.service = .asking(Questions(owner: owner))
        let deadline = self.deadline(self.limits.callSeconds / 2, now)
        self.send(.information(of: owner), .information, deadline)
        self.send(.capabilities(of: owner), .capabilities, deadline)
    }

    mutating func learned(_ now: Int, _ change: (inout Questions) -> Void) {
        guard case .asking(var questions) = self.service else { return }
        change(&questions)
        self.service = .asking(questions)
        guard let information = questions.information, let capabilities = questions.capabilities else { return }
        self.startFailures = 0
        let words = (try? information.get()) ?? []
        func word(_ place: Int) -> String { place < words.count ? NotificationBody.label(words[place]) : "" }
        var failure: DesktopBusError?
        if case .failure(let error) = capabilities { failure = error }
        let service = DesktopService(
            run: self.run(questions.owner),
            name: word(0),
            vendor: word(1),
            version: word(2),
            specification: word(3),
            capabilities: Set((try? capabilities.get()) ?? []),
            failure: failure
        )
        let again = failure.map { _ in self.deadline(self.limits.askAgainSeconds, now) }
        self.service = .present(owner: questions.owner, service, askAgain: again)
        if self.reported != .service(run: service.run) { self.effects.append(.report(.service(service))) }
        self.reported = .service(run: service.run)
    }
}

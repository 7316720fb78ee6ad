extension AlarmScheduler {
    /// The number of reminders with a pending alarm that neither the service nor the fallback could show.
    package var unshownCount: Int {
        guard self.service != nil || self.settings.hasFallback else { return self.showingCount }
        let own = self.screen.displays.values.count { $0.failures > 0 }
        return own + (self.screen.summary.failures > 0 ? self.screen.summarized.count : 0)
    }

    /// The number of reminders, except those held in quiet hours, whose notification is not confirmed as shown yet.
    package var showingCount: Int {
        let waiting = self.screen.waiting
        let requested = self.screen.displays.count { reminder, display in
            (display.token != nil || display.failures > 0) && !waiting.contains(reminder)
        }
        let summary = self.screen.summary
        let isSummaryOpen = summary.token != nil || summary.isStale || summary.failures > 0
        return waiting.count + requested + (isSummaryOpen ? self.screen.summarized.count : 0)
    }
}

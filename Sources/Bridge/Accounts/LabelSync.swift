import RemindavCalDAV
import RemindavHTTP
import RemindavReminders
import RemindavStore

/// Syncs the colours of an account's labels with the user's other machines.
///
/// One property of the calendar home contains the colours. Each request for the lists of the home also reads this
/// property, so a sync without changes needs no extra request. The later update of a label wins. If the server does
/// not store the property, colours are not synced. If the sync of the colours fails, the account's sync still counts
/// as complete.
struct LabelSync: Sendable {
    let store: ReminderStore
    let account: AccountRecord
    let client: CalDAVClient
    /// The current time in seconds since 1970.
    let now: Int64
    let newID: @Sendable () -> String

    /// Applies the server's label updates to the store, and then sends the store's updates.
    ///
    /// A label that was deleted on the server stays in the store if reminders outside the account have it.
    func run() async throws(DatabaseError) {
        guard let home = self.account.homes.first else { return }
        let text = await self.client.labels(in: home)
        // An unreadable document may be from a newer version of this program, so it is not overwritten.
        guard let file = text.map({ LabelSyncDocument(json: $0) }) ?? LabelSyncDocument() else { return }
        let theirs = file.words
        let stored = try self.store.read { snapshot throws(DatabaseError) in try snapshot.labelUpdates() }
        let mine = stored.mapValues { $0.notAhead(of: self.now) }
        let both = mine.merged(with: self.valid(theirs, besides: mine))
        guard mine != stored || both != mine || both != theirs else { return }
        let labelsInUse = try self.labelsInUse()
        let kept = both.filter { key, update in
            update.color == nil && mine[key]?.color != nil && labelsInUse.elsewhere.contains(key)
        }
        let news = both.filter { mine[$0.key] != $0.value && kept[$0.key] == nil }
        if !news.isEmpty || mine != stored {
            _ = try self.store.write(.survivesKill) { transaction throws(DatabaseError) in
                try transaction.apply(news, restoresDeleted: false, at: self.now, newID: self.newID)
            }
        }
        let updates = both.filter { kept[$0.key] == nil && !file.hasOnlyUnknownMember(for: $0.key) }
        let outgoing = self.outgoing(updates, besides: theirs, used: labelsInUse.here)
        guard outgoing != theirs, outgoing.count <= LabelUpdates.limit else { return }
        let document = file.json(with: outgoing)
        guard document.utf8.count <= LabelSyncDocument.maximumBytes, await self.client.mayKeepLabels(in: home) else {
            return
        }
        await self.client.keep(labels: document, in: home)
    }

    /// The server's updates; one with a future time gets `now`, or is left out if it changes neither name nor colour.
    private func valid(_ theirs: LabelUpdates, besides mine: LabelUpdates) -> LabelUpdates {
        var valid: LabelUpdates = [:]
        for (key, update) in theirs {
            let clamped = update.notAhead(of: self.now)
            if clamped != update, let own = mine[key], own.hasSameContent(as: update) { continue }
            valid[key] = clamped
        }
        return valid
    }

    /// The updates to write to the server: those that it has already, and those of labels of the account's reminders.
    ///
    /// An update that differs from the server's only in its time is left out. Two machines would otherwise overwrite
    /// each other's times without end.
    private func outgoing(_ updates: LabelUpdates, besides theirs: LabelUpdates, used: Set<LabelKey>) -> LabelUpdates {
        var outgoing = theirs.mapValues { $0.notAhead(of: self.now) }
        for (key, update) in updates {
            if update.color == nil, update.updatedAt < self.now - labelMemorySeconds {
                outgoing[key] = nil
            } else if let there = theirs[key], there.hasSameContent(as: update) {
                continue
            } else if update.color == nil ? theirs[key] != nil : used.contains(key) && update.isAcceptable {
                outgoing[key] = update
            }
        }
        return outgoing
    }

    /// The labels of the account's reminders, and the labels of all other reminders.
    private func labelsInUse() throws(DatabaseError) -> (here: Set<LabelKey>, elsewhere: Set<LabelKey>) {
        try self.store.read { snapshot throws(DatabaseError) in
            var here: Set<LabelKey> = []
            var elsewhere: Set<LabelKey> = []
            for (account, labels) in try snapshot.carriedLabels() {
                let keys = labels.map { LabelKey($0) }
                if account == self.account.id { here.formUnion(keys) } else { elsewhere.formUnion(keys) }
            }
            return (here, elsewhere)
        }
    }
}

extension AccountSync {
    /// Syncs the labels and ignores errors, so that the sync still reports its reminders; the next sync tries again.
    func syncLabels() async {
        guard !self.request.isDryRun else { return }
        let randomBytes = self.useCases.configuration.randomBytes
        let labels = LabelSync(
            store: self.store,
            account: self.account,
            client: self.client,
            now: self.useCases.seconds,
            newID: { NameUUID.random(randomBytes(16)) }
        )
        try? await labels.run()
    }
}

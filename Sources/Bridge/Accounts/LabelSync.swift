import CalDAV
import HTTP
import Reminders
import Store

/// Syncs the colours of an account's labels with the user's other machines.
///
/// They are in one property of the calendar home, which every listing includes: without changes there is no extra
/// request. The later update of a label wins. A server that does not store such a property is left alone, and no
/// failure here is an error of the sync.
struct LabelSync: Sendable {
    let store: ReminderStore
    let account: AccountRecord
    let client: CalDAVClient
    /// Seconds since 1970.
    let now: Int64
    let newID: @Sendable () -> String

    /// Records new labels of the server, then sends new labels.
    ///
    /// The server does not delete a label of reminders outside the account.
    func run() async throws(DatabaseError) {
        guard let home = self.account.homes.first else { return }
        let text = await self.client.labels(in: home)
        // An unreadable document may be from a newer version of this program.
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

    /// The server's updates, with times in the future replaced by the present and without repetitions of known labels.
    private func valid(_ theirs: LabelUpdates, besides mine: LabelUpdates) -> LabelUpdates {
        var valid: LabelUpdates = [:]
        for (key, update) in theirs {
            let clamped = update.notAhead(of: self.now)
            if clamped != update, let own = mine[key], own.hasSameContent(as: update) { continue }
            valid[key] = clamped
        }
        return valid
    }

    /// The document for the server: its present content, and the colours of labels that reminders of the account have.
    ///
    /// An update that differs only in its time is not sent, so that two machines do not correct each other for ever.
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

    /// The labels of the account's reminders, and those of all others.
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
    /// Errors are ignored and the next sync tries again: a failed colour must not hide the report of the reminders.
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

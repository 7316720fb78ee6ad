import CalDAV
import HTTP
import Reminders
import Store

/// The colours of an account's labels on their way to the person's other machines.
///
/// They lie in one property of the calendar home, which the listing of each sync brings along: where nothing has changed,
/// nothing is asked or sent for them. The later word about a label counts. A server that keeps no such property is left
/// alone, and nothing of this is ever an error of a sync.
struct LabelSync: Sendable {
    let store: ReminderStore
    let account: AccountRecord
    let client: CalDAVClient
    /// Seconds since 1970.
    let now: Int64
    let newID: @Sendable () -> String

    /// Records new labels of the server, then sends new labels.
    ///
    /// A label that reminders outside the account have is not the server's to delete.
    func run() async throws(DatabaseError) {
        guard let home = self.account.homes.first else { return }
        let text = await self.client.labels(in: home)
        // An unreadable document may be from a newer version of this program.
        guard let file = text.map({ LabelSyncDocument(json: $0) }) ?? LabelSyncDocument() else { return }
        let theirs = file.words
        let stored = try self.store.read { snapshot throws(DatabaseError) in try snapshot.labelUpdates() }
        let mine = stored.mapValues { $0.notAhead(of: self.now) }
        let both = mine.merged(with: self.sensible(theirs, besides: mine))
        guard mine != stored || both != mine || both != theirs else { return }
        let carriers = try self.carriers()
        let kept = both.filter { key, word in
            word.color == nil && mine[key]?.color != nil && carriers.elsewhere.contains(key)
        }
        let news = both.filter { mine[$0.key] != $0.value && kept[$0.key] == nil }
        if !news.isEmpty || mine != stored {
            _ = try self.store.write(.survivesKill) { transaction throws(DatabaseError) in
                try transaction.take(news, bringsBack: false, at: self.now, newID: self.newID)
            }
        }
        let said = both.filter { kept[$0.key] == nil && !file.isSilent(on: $0.key) }
        let outgoing = self.outgoing(said, besides: theirs, carried: carriers.here)
        guard outgoing != theirs, outgoing.count <= LabelUpdates.limit else { return }
        let words = file.json(saying: outgoing)
        guard words.utf8.count <= LabelSyncDocument.maximumBytes, await self.client.mayKeepLabels(in: home) else {
            return
        }
        await self.client.keep(labels: words, in: home)
    }

    /// The updates as they count here: a time in the future is replaced by the present, and an update that repeats the
    /// known label is ignored.
    private func sensible(_ theirs: LabelUpdates, besides mine: LabelUpdates) -> LabelUpdates {
        var words: LabelUpdates = [:]
        for (key, word) in theirs {
            let clamped = word.notAhead(of: self.now)
            if clamped != word, let own = mine[key], own.saysTheSame(as: word) { continue }
            words[key] = clamped
        }
        return words
    }

    /// The document for the server: its present content, and the colours of labels that reminders of the account have.
    ///
    /// Other labels are not sent, even if the document has their names. An update that differs only in its time is
    /// left as it is, lest two machines correct each other for ever.
    private func outgoing(_ words: LabelUpdates, besides theirs: LabelUpdates, carried: Set<LabelKey>) -> LabelUpdates {
        var outgoing = theirs.mapValues { $0.notAhead(of: self.now) }
        for (key, word) in words {
            if word.color == nil, word.updatedAt < self.now - labelMemorySeconds {
                outgoing[key] = nil
            } else if let there = theirs[key], there.saysTheSame(as: word) {
                continue
            } else if word.color == nil ? theirs[key] != nil : carried.contains(key) && word.isAcceptable {
                outgoing[key] = word
            }
        }
        return outgoing
    }

    /// The labels of the account's own reminders, and those of all others.
    private func carriers() throws(DatabaseError) -> (here: Set<LabelKey>, elsewhere: Set<LabelKey>) {
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
    /// Brings the labels here and there to the same state, unless this is a rehearsal.
    ///
    /// Errors are ignored and the next sync tries again: a failed colour must not hide the report of the reminders.
    func carryLabels() async {
        guard !self.request.isDryRun else { return }
        let randomBytes = self.useCases.configuration.randomBytes
        let travel = LabelSync(
            store: self.store,
            account: self.account,
            client: self.client,
            now: self.useCases.seconds,
            newID: { NameUUID.random(randomBytes(16)) }
        )
        try? await travel.run()
    }
}

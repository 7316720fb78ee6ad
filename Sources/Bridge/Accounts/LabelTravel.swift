import CalDAV
import HTTP
import Reminders
import Store

/// The colours of an account's labels on their way to the person's other machines.
///
/// They lie in one property of the calendar home, which the listing of each sync brings along: where nothing has changed,
/// nothing is asked or sent for them. The later word about a label counts. A server that keeps no such property is left
/// alone, and nothing of this is ever an error of a sync.
struct LabelTravel: Sendable {
    let store: ReminderStore
    let account: AccountRecord
    let client: CalDAVClient
    /// Seconds since 1970.
    let now: Int64
    let newID: @Sendable () -> String

    /// Takes over what is new there, then sends what is new here.
    func run() async throws(DatabaseError) {
        guard let home = self.account.homes.first else { return }
        let text = await self.client.labels(in: home)
        // What cannot be read may be a newer program's.
        guard let theirs = LabelWords(json: text ?? "{\"labels\":{}}") else { return }
        let mine = try self.store.read { snapshot throws(DatabaseError) in try snapshot.labelWords() }
        guard !mine.isEmpty || !theirs.isEmpty else { return }
        let both = mine.merged(with: theirs.mapValues { $0.notAhead(of: self.now) })
        let news = both.filter { mine[$0.key] != $0.value }
        if !news.isEmpty {
            _ = try self.store.write(.survivesKill) { transaction throws(DatabaseError) in
                try transaction.take(news, bringsBack: false, newID: self.newID)
            }
        }
        let outgoing = try self.outgoing(both, besides: theirs)
        guard outgoing != theirs, outgoing.count <= LabelWords.limit else { return }
        let words = outgoing.json
        guard words.utf8.count <= LabelWords.maximumBytes, await self.client.mayKeepLabels(in: home) else { return }
        await self.client.keep(labels: words, in: home)
    }

    /// What the server shall know: what it knows already, and of the rest the labels that the account's own reminders have.
    ///
    /// The names of others are none of its business.
    private func outgoing(_ words: LabelWords, besides theirs: LabelWords) throws(DatabaseError) -> LabelWords {
        let isNew = words.contains { $0.value.color != nil && theirs[$0.key] == nil }
        let carried: Set<LabelKey> = isNew ? try self.carried() : []
        return words.filter { key, word in
            if word.color == nil, word.updatedAt < self.now - labelMemorySeconds { return false }
            return theirs[key] != nil || word.color != nil && carried.contains(key)
        }
    }

    private func carried() throws(DatabaseError) -> Set<LabelKey> {
        try self.store.read { snapshot throws(DatabaseError) in
            var keys: Set<LabelKey> = []
            for list in try snapshot.lists() where list.account == self.account.id {
                for row in try snapshot.rows(in: list.id) { keys.formUnion(row.index.labels.map { LabelKey($0) }) }
            }
            return keys
        }
    }
}

extension AccountSync {
    /// Brings the labels here and there to the same state, unless this is a rehearsal.
    func carryLabels() async throws(DatabaseError) {
        guard !self.request.isRehearsal else { return }
        let randomBytes = self.useCases.configuration.randomBytes
        let travel = LabelTravel(
            store: self.store,
            account: self.account,
            client: self.client,
            now: self.useCases.seconds,
            newID: { NameUUID.random(randomBytes(16)) }
        )
        try await travel.run()
    }
}

extension LabelWord {
    /// A time that is more than a day ahead was written by a clock that was wrong, and would win for ever.
    fileprivate func notAhead(of now: Int64) -> Self {
        var word = self
        if word.updatedAt > now + 86_400 { word.updatedAt = now }
        return word
    }
}

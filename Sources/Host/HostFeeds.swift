import RemindavBridge
import RemindavPostgresStore
import RemindavStore
import RemindavWeb

/// The feeds of all tenants of a host.
struct HostFeeds: Sendable {
    let directory: TenantDirectory
    /// The use cases on the store of a tenant with a zone.
    let useCases: @Sendable (TenantID, _ zone: String) -> UseCases

    var source: FeedSource {
        FeedSource { hash in
            try self.directory.feed(hash)?.content
        } revisions: { hash in
            try self.useCases(of: hash)?.feedRevisions(hash)
        } content: { hash in
            try self.useCases(of: hash)?.feedContent(hash)
        }
    }

    /// Writes the visits, each to the store of its tenant.
    ///
    /// - Returns: the visits that were not written.
    func record(_ visits: [FeedVisit]) -> [FeedVisit] {
        var unwritten: [FeedVisit] = []
        var isUnavailable = false
        for visit in visits {
            guard !isUnavailable else {
                unwritten.append(visit)
                continue
            }
            do {
                try self.record(visit)
            } catch {
                // A commit without an answer is not repeated: a visit that is missing is better than one that is doubled.
                guard error.code != .outcomeUnknown else { continue }
                unwritten.append(visit)
                // The others would wait for the database, too.
                isUnavailable = error.code.isOfConnection
            }
        }
        return unwritten
    }

    private func record(_ visit: FeedVisit) throws(DatabaseError) {
        // The store of a tenant that was suspended meanwhile cannot be written.
        guard let useCases = try self.useCases(of: visit.tokenHash) else { return }
        try useCases.store.write(.survivesKill) { transaction throws(DatabaseError) in
            try transaction.addVisits(visit.record, ofFeedWith: visit.tokenHash)
        }
    }

    private func useCases(of hash: [UInt8]) throws(DatabaseError) -> UseCases? {
        try self.directory.feed(hash).map { self.useCases($0.tenant, $0.zone) }
    }
}

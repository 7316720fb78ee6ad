import Store

// Confirmation of the removals that a delta reports.
extension SyncExecutor {
    /// The same changes after a second request for all resources that they report as removed.
    ///
    /// A delta may be wrong: Nextcloud reports the highest operation per address, and deletion is the highest, so that
    /// an object that was deleted and restored, or moved away and back, is reported as removed. The next delta does not
    /// mention it. Removed addresses that are not known here are requested as well: an object that was deleted here and
    /// restored there is one of them.
    ///
    /// This takes one request, and only for a delta with removals; a full listing needs no confirmation. A resource
    /// that still exists counts as changed. A resource that cannot be read counts as unchanged, and the token stays, so
    /// that the next run asks again.
    mutating func confirmingRemovals(_ told: RemoteChanges) async throws -> RemoteChanges {
        guard !told.removed.isEmpty else { return told }
        let found = try await self.remote.fetch(removed: told.removed)
        for failure in found.failures {
            self.hasOpenRemovals = true
            self.report.failures.append(.init(id: nil, href: failure.href, error: failure.error))
        }
        let missing = Set(found.missing.map { self.remote.key(of: $0) })
        return RemoteChanges(
            changed: told.changed + found.items.map { RemoteChanges.Member(href: $0.href, etag: $0.etag) },
            removed: told.removed.filter { missing.contains(self.remote.key(of: $0)) },
            items: told.items + found.items,
            token: told.token,
            isComplete: told.isComplete
        )
    }
}

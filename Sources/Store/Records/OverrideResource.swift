package import Resources

/// A resource with only overrides of a reminder whose series is in another resource of the list.
///
/// Its text is a part of the reminder's. With the next edit the series' resource gets it, and this one is deleted.
package struct OverrideResource: Hashable, Sendable {
    /// The place of its overrides.
    package enum State: String, Hashable, Sendable {
        /// Only in this resource, as far as known.
        case found = "found"
        /// Possibly also in the resource of the series: they were being sent there.
        case sending = "sending"
        /// In the resource of the series: this one can be deleted.
        case joined = "joined"
    }

    /// The UID of the reminder; several such resources may have it.
    package let uid: String
    package let href: Href
    /// The version that was read; `nil` when the server sends none.
    package let etag: EntityTag?
    package let state: State

    package init(uid: String, href: Href, etag: EntityTag?, state: State = .found) {
        self.uid = uid
        self.href = href
        self.etag = etag
        self.state = state
    }
}

package struct OverrideText: Hashable, Sendable {
    package let resource: OverrideResource
    package let source: [UInt8]

    package init(_ resource: OverrideResource, source: [UInt8]) {
        self.resource = resource
        self.source = source
    }
}

extension StoreSnapshot {
    /// By UID.
    func overrides(in list: ListID) throws(DatabaseError) -> [OverrideResource] {
        let sql = "SELECT uid, href, etag, state FROM override_resource WHERE list = ?1 ORDER BY uid, href"
        return try self.database.rows(sql, [.id(list)]) { OverrideResource($0) }
    }

    package func overrideTexts(in list: ListID, uid: String) throws(DatabaseError) -> [OverrideText] {
        let sql = """
            SELECT uid, href, etag, state, source FROM override_resource WHERE list = ?1 AND uid = ?2 ORDER BY href
            """
        return try self.database.rows(sql, [.id(list), .text(uid)]) { row in
            OverrideText(OverrideResource(row), source: row.bytes("source"))
        }
    }
}

extension StoreTransaction {
    /// Records the resources of overrides in a reminder's text.
    ///
    /// Those that wait to be deleted stay; other known ones are removed.
    ///
    /// - Parameter href: the resource of the series.
    package func setOverrides(
        _ overrides: [OverrideText],
        of uid: String,
        at href: Href,
        in list: ListID
    ) throws(DatabaseError) {
        try self.database.run(
            "DELETE FROM override_resource WHERE list = ?1 AND (href = ?4 OR uid = ?2 AND state <> ?3)",
            [.id(list), .text(uid), .text(OverrideResource.State.joined.rawValue), .text(href.wire)]
        )
        for override in overrides {
            let resource = override.resource
            try self.clearUnreadable(resource.href, in: list)
            try self.database.upsert(
                "override_resource",
                key: ["list": .id(list), "uid": .text(uid), "href": .text(resource.href.wire)],
                [
                    "etag": .text(resource.etag?.wire), "source": .blob(override.source),
                    "state": .text(resource.state.rawValue),
                ]
            )
        }
    }

    /// Records that a reminder's text with all overrides is being sent; the outcome may stay unknown.
    package func markOverridesSending(of uid: String, in list: ListID) throws(DatabaseError) {
        try self.mark(.sending, after: .found, of: uid, in: list)
    }

    /// Records that the server has the text.
    package func markOverridesJoined(of uid: String, in list: ListID) throws(DatabaseError) {
        try self.mark(.joined, after: .sending, of: uid, in: list)
    }

    private func mark(
        _ state: OverrideResource.State,
        after old: OverrideResource.State,
        of uid: String,
        in list: ListID
    ) throws(DatabaseError) {
        try self.database.run(
            "UPDATE override_resource SET state = ?3 WHERE list = ?1 AND uid = ?2 AND state = ?4",
            [.id(list), .text(uid), .text(state.rawValue), .text(old.rawValue)]
        )
    }

    /// Removes a resource that the server no longer has.
    package func forgetOverride(_ resource: OverrideResource, in list: ListID) throws(DatabaseError) {
        try self.database.run(
            "DELETE FROM override_resource WHERE list = ?1 AND uid = ?2 AND href = ?3",
            [.id(list), .text(resource.uid), .text(resource.href.wire)]
        )
    }

    /// Removes those of a deleted reminder, except those that wait to be deleted.
    package func forgetOverrides(of uid: String, in list: ListID) throws(DatabaseError) {
        try self.database.run(
            "DELETE FROM override_resource WHERE list = ?1 AND uid = ?2 AND state <> ?3",
            [.id(list), .text(uid), .text(OverrideResource.State.joined.rawValue)]
        )
    }
}

extension OverrideResource {
    fileprivate init(_ row: Row) {
        self.uid = row.text("uid")
        self.href = Href(row.text("href"))
        self.etag = row.entityTag("etag")
        // The state that deletes nothing.
        self.state = State(rawValue: row.text("state")) ?? .found
    }
}

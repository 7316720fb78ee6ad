package import Resources

/// A resource with nothing but overrides of a reminder whose series lies in another resource of the list.
///
/// Its text is a part of the reminder's. With the next edit the series' resource gets it, and this one is deleted.
package struct OverrideResource: Hashable, Sendable {
    /// Where its overrides are.
    package enum State: String, Hashable, Sendable {
        /// Only there, as far as is known.
        case found
        /// Only there, or in the resource of the series, too: they were on their way into it.
        case sending
        /// In the resource of the series: this one can go.
        case joined
    }

    /// Of the reminder, and unique in the list but for such resources.
    package let uid: String
    /// Where the server has it.
    package let href: Href
    /// The version that was read; `nil` when the server does not say.
    package let etag: EntityTag?
    /// Where its overrides are.
    package let state: State

    /// A resource in one of its states.
    package init(uid: String, href: Href, etag: EntityTag?, state: State = .found) {
        self.uid = uid
        self.href = href
        self.etag = etag
        self.state = state
    }
}

/// A resource of overrides with its text.
package struct OverrideText: Hashable, Sendable {
    /// What it is.
    package let resource: OverrideResource
    /// As received.
    package let source: [UInt8]

    /// A resource and its text.
    package init(_ resource: OverrideResource, source: [UInt8]) {
        self.resource = resource
        self.source = source
    }
}

extension StoreSnapshot {
    /// The resources of overrides of a list, by UID.
    func overrides(in list: ListID) throws(DatabaseError) -> [OverrideResource] {
        let sql = "SELECT uid, href, etag, state FROM override_resource WHERE list = ?1 ORDER BY uid, href"
        return try self.database.rows(sql, [.id(list)]) { OverrideResource($0) }
    }

    /// Those of one reminder, with their texts.
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
    /// Records the resources of overrides that went into a reminder's text.
    ///
    /// Those that are waiting to be deleted stay; others that were known are forgotten.
    ///
    /// - Parameter href: where the series is.
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

    /// Notes that a reminder's text, with all overrides, is about to be sent; be it that the outcome is never known.
    package func markOverridesSending(of uid: String, in list: ListID) throws(DatabaseError) {
        try self.mark(.sending, after: .found, of: uid, in: list)
    }

    /// Notes that the text has arrived.
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

    /// Forgets a resource of overrides: it is gone.
    package func forgetOverride(_ resource: OverrideResource, in list: ListID) throws(DatabaseError) {
        try self.database.run(
            "DELETE FROM override_resource WHERE list = ?1 AND uid = ?2 AND href = ?3",
            [.id(list), .text(resource.uid), .text(resource.href.wire)]
        )
    }

    /// Forgets those of a reminder that is gone; what waits to be deleted stays.
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
        // A word that is not known stands for what deletes nothing.
        self.state = State(rawValue: row.text("state")) ?? .found
    }
}

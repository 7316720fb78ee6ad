package import RemindavResources

/// A resource on the server with overrides only; the series is in another resource of the same collection.
///
/// The reminder's text in the store includes these overrides. The next edit moves them to the resource of the series.
package struct OverrideResource: Hashable, Sendable {
    /// Which resource contains the overrides.
    package enum State: String, Hashable, Sendable {
        /// As far as the store knows, only this resource contains the overrides.
        case found = "found"
        /// A request that adds the overrides to the resource of the series is or was sent; its outcome is unknown.
        case sending = "sending"
        /// The resource of the series contains the overrides, so this resource can be deleted.
        case joined = "joined"
    }

    /// The UID of the reminder; several override resources may have the same UID.
    package let uid: String
    package let href: Href
    /// The entity tag of the version that was read; `nil` when the server sends none.
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
    /// Returns the override resources of a list, ordered by UID.
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
    /// Records the override resources whose overrides were read into a reminder's text.
    ///
    /// The other records of the UID are removed, except those of resources that must still be deleted on the server.
    /// - Parameter href: the address of the resource with the main component.
    package func setOverrides(
        _ overrides: [OverrideText],
        of uid: String,
        at href: Href,
        in list: ListID
    ) throws(DatabaseError) {
        try self.database.send(
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

    /// Records that a request with the series and all overrides is about to be sent; the outcome may stay unknown.
    package func markOverridesSending(of uid: String, in list: ListID) throws(DatabaseError) {
        try self.mark(.sending, after: .found, of: uid, in: list)
    }

    /// Records that the server has accepted the series with all overrides.
    package func markOverridesJoined(of uid: String, in list: ListID) throws(DatabaseError) {
        try self.mark(.joined, after: .sending, of: uid, in: list)
    }

    private func mark(
        _ state: OverrideResource.State,
        after old: OverrideResource.State,
        of uid: String,
        in list: ListID
    ) throws(DatabaseError) {
        try self.database.send(
            "UPDATE override_resource SET state = ?3 WHERE list = ?1 AND uid = ?2 AND state = ?4",
            [.id(list), .text(uid), .text(state.rawValue), .text(old.rawValue)]
        )
    }

    /// Removes the record of a resource that the server no longer has.
    package func forgetOverride(_ resource: OverrideResource, in list: ListID) throws(DatabaseError) {
        try self.database.send(
            "DELETE FROM override_resource WHERE list = ?1 AND uid = ?2 AND href = ?3",
            [.id(list), .text(resource.uid), .text(resource.href.wire)]
        )
    }

    /// Removes a deleted reminder's override resources, except those that must still be deleted on the server.
    package func forgetOverrides(of uid: String, in list: ListID) throws(DatabaseError) {
        try self.database.send(
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
        // An unknown state is read as `found`, because a sync deletes `joined` resources.
        self.state = State(rawValue: row.text("state")) ?? .found
    }
}

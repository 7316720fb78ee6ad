package import Resources
internal import XML

/// Requests the changes in a collection since a token (RFC 6578 §3.2).
///
/// It never sends a limit: Xandikos and Nextcloud truncate the answer at the limit and return a token that skips the
/// rest.
package struct SyncCollection: Sendable {
    private let token: SyncToken?
    private let properties: [any DAVProperty.Type]

    /// Creates the request.
    ///
    /// - Parameter token: `nil` for every member.
    package init(since token: SyncToken?, properties: [any DAVProperty.Type]) {
        self.token = token
        self.properties = properties
    }

    // <!ELEMENT sync-collection (sync-token, sync-level, limit?, prop)>
    package var body: [UInt8] {
        let children = [
            Element(.dav("sync-token"), text: self.token?.wire ?? ""),
            Element(.dav("sync-level"), text: "1"),
            Element.prop(self.properties),
        ]
        return ElementWriter.body(Element(.dav("sync-collection"), children: children))
    }
}

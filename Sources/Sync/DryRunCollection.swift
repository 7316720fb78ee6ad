package import Store

/// A collection that is read as it is and only pretends to be written.
///
/// A sync against it, on a copy of the store, does all that the real one would do and sends nothing that writes. What it
/// reports is what the real one reports, but for what only a writing can tell: refusals, and a server that cannot move.
package struct DryRunCollection: RemoteCollection {
    private let real: any RemoteCollection

    /// A rehearsal before the collection's own audience.
    package init(_ real: any RemoteCollection) { self.real = real }

    /// The version of everything that was not really written.
    private static let etag = EntityTag("\"rehearsed\"")

    package func key(of href: Href) -> String { self.real.key(of: href) }
    package func newHref() -> Href { self.real.newHref() }

    package func href(movedFrom href: Href) -> Href { self.real.href(movedFrom: href) }

    package func changes(since token: SyncToken?, wantsTexts: Bool) async throws(RemoteError) -> RemoteChanges {
        try await self.real.changes(since: token, wantsTexts: wantsTexts)
    }

    package func everything() async throws(RemoteError) -> RemoteChanges { try await self.real.everything() }

    package func listing() async throws(RemoteError) -> RemoteChanges { try await self.real.listing() }

    package func fetch(_ hrefs: [Href]) async throws(RemoteError) -> RemoteFetch {
        try await self.real.fetch(hrefs)
    }

    package func fetch(removed hrefs: [Href]) async throws(RemoteError) -> RemoteFetch {
        try await self.real.fetch(removed: hrefs)
    }

    package func create(_ text: [UInt8], at href: Href) async throws(RemoteError) -> EntityTag? { Self.etag }

    package func fill(_ text: [UInt8]) async throws(RemoteError) -> RemoteFilling { .notOffered }

    package func update(
        _ text: [UInt8],
        at href: Href,
        ifMatch etag: EntityTag
    ) async throws(RemoteError) -> EntityTag? { Self.etag }

    package func move(
        _ href: Href,
        ifMatch etag: EntityTag,
        to destination: Href
    ) async throws(RemoteError) -> RemoteMove { .moved(etag) }

    package func delete(_ href: Href, ifMatch etag: EntityTag?) async throws(RemoteError) -> Bool { true }
}

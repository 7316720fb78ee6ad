import RemindavCalDAV
import RemindavHTTP
import RemindavResources
import RemindavStore

/// A new push address of a feed.
package struct NewPushAddress: Sendable {
    package let url: String
    package let user: String
    package let password: PasswordSource
    /// The path of a PEM file with certificates that are trusted in addition to the system's certificates.
    package let caFile: String?

    package init(url: String, user: String, password: PasswordSource, caFile: String? = nil) {
        self.url = url
        self.user = user
        self.password = password
        self.caFile = caFile
    }
}

/// The result of pushing one feed.
package struct FeedPush: Sendable {
    package enum Outcome: Sendable {
        case stored
        /// The server already has this content, so nothing was sent.
        case unchanged
        case failed(FeedPushError)
    }

    package let feed: FeedView
    package let outcome: Outcome
}

extension UseCases {
    /// The numbers of the feeds with a push address.
    package func pushedFeeds() throws -> [String] { try self.feeds().filter { $0.push != nil }.map { String($0.id) } }

    /// Stores the content of a feed as a file on a WebDAV server.
    ///
    /// - Parameters:
    ///   - feed: the number or the name of the feed.
    ///   - address: the new address, which is stored after the first success; `nil` for the stored address.
    ///   - overwrites: whether to replace a file that another program has written or changed.
    /// - Throws: ``UseCaseError/Code/pushAddressMissing`` without an address, ``FeedPushError`` for a new address.
    package func pushFeed(
        _ feed: String,
        to address: NewPushAddress? = nil,
        overwrites: Bool = false
    ) async throws -> FeedPush {
        let (record, known) = try self.store.read { snapshot in
            let record = try snapshot.servedFeed(feed)
            return (record, try snapshot.push(of: record.id))
        }
        if let address {
            return try await self.pushFirst(record, to: address, replacing: known, overwrites: overwrites)
        }
        guard let known else { throw UseCaseError(.pushAddressMissing, subject: record.name) }
        let body = try self.feedFile(record)
        let digest = SHA256(body).bytes
        guard overwrites || known.error != nil || known.stored != digest else {
            return FeedPush(feed: try self.feedView(of: record), outcome: .unchanged)
        }
        var push = known
        push.sent = digest
        // If the answer is lost, the next attempt recognizes this content on the server.
        try self.save(push, of: record)
        var outcome = FeedPush.Outcome.stored
        do throws(FeedPushError) {
            let client = try self.client(for: known)
            push.etag = try await Self.put(body, known, by: client, overwrites: overwrites)?.wire
            push.stored = digest
            push.at = self.seconds
            push.error = nil
        } catch {
            // After an answer, the server does not have the new content.
            if error.code != .unreachable { push.sent = known.sent }
            push.error = error.code.identifier
            outcome = .failed(error)
        }
        try self.save(push, of: record)
        return FeedPush(feed: try self.feedView(of: record), outcome: outcome)
    }

    /// Removes the push address of a feed; the file on the server stays.
    package func forgetPush(of feed: String) throws -> FeedView {
        let (record, known) = try self.store.read { snapshot in
            let record = try snapshot.servedFeed(feed)
            return (record, try snapshot.push(of: record.id))
        }
        guard let known else { throw UseCaseError(.pushAddressMissing, subject: record.name) }
        try self.store.write { transaction throws(DatabaseError) in try transaction.deletePush(of: record.id) }
        self.secrets.forget(known.secret)
        return try self.feedView(of: record)
    }

    /// Checks that a text can be the address of a pushed feed, without a request.
    package static func check(pushAddress text: String) throws(FeedPushError) {
        do throws(CalDAVError) {
            let url = try CalDAVClient.url(of: text)
            guard !url.path.hasSuffix("/") else { throw CalDAVError(.badAddress) }
        } catch {
            throw FeedPushError(error, isNew: true)
        }
    }

    private func pushFirst(
        _ feed: FeedRecord,
        to address: NewPushAddress,
        replacing known: FeedPushRecord?,
        overwrites: Bool
    ) async throws -> FeedPush {
        let client: CalDAVClient
        try Self.check(pushAddress: address.url)
        var values: [AccountSetting: String] = [:]
        values[.caFile] = address.caFile
        let settings = try self.settings(values)
        let credentials = try self.secrets.credentials(user: address.user, address.password)
        do {
            client = try self.client(address: address.url, credentials: credentials, settings: settings)
        } catch let error as CalDAVError {
            throw FeedPushError(error, isNew: true)
        }
        // Nothing is stored before the server has the file.
        var draft = FeedPushRecord(
            url: address.url,
            user: address.user,
            secret: SecretReference(kind: "", reference: ""),
            caFile: settings.caFile
        )
        if let known, known.url == address.url {
            (draft.etag, draft.sent, draft.stored) = (known.etag, known.sent, known.stored)
        }
        let body = try self.feedFile(feed)
        let etag = try await Self.put(body, draft, by: client, overwrites: overwrites)
        let secret = try self.secrets.keep(
            address.password,
            identifier: self.newUID(),
            label: "Remindav: feed \(feed.name)"
        )
        var push = FeedPushRecord(url: address.url, user: address.user, secret: secret, caFile: settings.caFile)
        push.etag = etag?.wire
        push.sent = SHA256(body).bytes
        push.stored = push.sent
        push.at = self.seconds
        do {
            try self.store.write { transaction throws(DatabaseError) in try transaction.save(push, of: feed.id) }
        } catch {
            self.secrets.forget(secret)
            throw error
        }
        if let known { self.secrets.forget(known.secret) }
        return FeedPush(feed: try self.feedView(of: feed), outcome: .stored)
    }

    private func client(for push: FeedPushRecord) throws(FeedPushError) -> CalDAVClient {
        var settings = AccountSettings()
        settings.caFile = push.caFile
        do {
            let credentials = try self.secrets.credentials(user: push.user, push.secret)
            return try self.client(address: push.url, credentials: credentials, settings: settings)
        } catch let error as CalDAVError {
            throw FeedPushError(error, isNew: push.stored == nil)
        } catch {
            throw FeedPushError(.passwordMissing)
        }
    }

    private func save(_ push: FeedPushRecord, of feed: FeedRecord) throws {
        try self.store.write(.survivesKill) { transaction throws(DatabaseError) in
            try transaction.save(push, of: feed.id)
        }
    }

    /// Writes the file only if it is missing or if this feed wrote its present content; `overwrites` always writes it.
    private static func put(
        _ body: [UInt8],
        _ push: FeedPushRecord,
        by client: CalDAVClient,
        overwrites: Bool
    ) async throws(FeedPushError) -> EntityTag? {
        let isNew = push.stored == nil
        // Without an entity tag, an earlier change by another program cannot be detected.
        var condition: WriteCondition = isNew ? .create : .replace
        if let etag = push.etag { condition = .update(EntityTag(etag)) }
        if overwrites { condition = .replace }
        do throws(CalDAVError) {
            do throws(CalDAVError) {
                return try await self.put(body, if: condition, by: client)
            } catch  where error.code == .preconditionFailed {
                guard let current = try await client.getFile() else {
                    return try await self.put(body, if: .create, by: client)
                }
                let digest = SHA256(current.bytes).bytes
                // An earlier request has stored this content, but its answer was lost.
                if current.bytes == body { return current.etag }
                guard digest == push.sent || digest == push.stored, let etag = current.etag else { throw error }
                return try await self.put(body, if: .update(etag), by: client)
            }
        } catch {
            throw FeedPushError(error, isNew: isNew)
        }
    }

    private static func put(
        _ body: [UInt8],
        if condition: WriteCondition,
        by client: CalDAVClient
    ) async throws(CalDAVError) -> EntityTag? {
        let etag = try await client.putFile(body, type: "text/calendar; charset=utf-8", condition: condition)
        if let etag { return etag }
        // The file is stored; a failure of this question only makes the next write unconditional.
        return try? await client.fileTag()
    }
}

extension FeedPushError.Code {
    /// The identifier in the store and in JSON.
    var identifier: String { "\(self)" }

    init?(identifier: String) {
        guard let code = Self.allCases.first(where: { $0.identifier == identifier }) else { return nil }
        self = code
    }
}

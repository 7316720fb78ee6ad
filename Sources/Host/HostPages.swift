package import RemindavBridge
package import RemindavHTTP
import RemindavHTTPServer
import RemindavPlatform
import RemindavPostgresStore
import RemindavStore
import Synchronization

/// The tenant that pages are made for.
package struct TenantOfPages: Sendable {
    package let useCases: UseCases
    /// The zoneinfo name of the tenant's zone.
    package let zone: String
    /// Whether a person has this tenant now.
    package let isAllowed: @Sendable (Person) -> Bool
    /// Asks other processes to sync the account with a number, or all accounts, and returns the number of accounts that
    /// they will sync; `nil` if this process can read the passwords and so can sync itself.
    package let requestSync: (@Sendable (_ account: Int64?) throws -> Int)?
}

/// The settings of the web pages of a host.
package struct HostPages: Sendable {
    /// Answers the requests of one tenant.
    package typealias Handler = @Sendable (Request) async -> Response

    /// The public address of the pages.
    package let site: FeedSite
    /// The path of the Unix socket for the reverse proxy; `nil` for none.
    package let socket: String?
    package let trust: ProxyTrust
    /// The folder of the files of imports, which have no names.
    package let uploadFolder: String
    /// Makes the pages of a tenant; work after the answer to a request runs on the executor.
    package let makePages: @Sendable (TenantOfPages, any TaskExecutor) throws -> Handler
    /// Whether the form of a request may have a long body; its person is known to the proxy only.
    package let acceptsUpload: @Sendable (Request) -> Bool

    package init(
        site: FeedSite,
        socket: String?,
        trust: ProxyTrust,
        uploadFolder: String,
        makePages: @escaping @Sendable (TenantOfPages, any TaskExecutor) throws -> Handler,
        acceptsUpload: @escaping @Sendable (Request) -> Bool
    ) {
        self.site = site
        self.socket = socket
        self.trust = trust
        self.uploadFolder = uploadFolder
        self.makePages = makePages
        self.acceptsUpload = acceptsUpload
    }
}

/// The pages of the tenants that were used last.
///
/// A site has the last imports, the running syncs and the alarms of its tenant. If it is removed, open forms still work,
/// but an import has to begin again.
final class PageSites: Sendable {
    /// The maximum number of sites; the one that was unused for the longest time is removed.
    ///
    /// A site needs about 100 bytes for each open reminder.
    static let maximumCount = 256

    private struct Entry: Sendable {
        let handler: HostPages.Handler
        var lastUse: Int
    }

    private struct State: Sendable {
        var entries: [IdentifiedTenant: Entry] = [:]
        var uses = 0
    }

    private let state = Mutex(State())
    private let make: @Sendable (IdentifiedTenant) throws -> HostPages.Handler

    /// - Parameter make: makes a site without access to the database.
    init(make: @escaping @Sendable (IdentifiedTenant) throws -> HostPages.Handler) { self.make = make }

    /// The site of a tenant; a new one if the zone of the tenant has changed.
    func site(of tenant: IdentifiedTenant) throws -> HostPages.Handler {
        try self.state.withLock { state in
            state.uses += 1
            if let entry = state.entries[tenant] {
                state.entries[tenant]?.lastUse = state.uses
                return entry.handler
            }
            let handler = try self.make(tenant)
            if state.entries.count >= Self.maximumCount,
                let oldest = state.entries.min(by: { $0.value.lastUse < $1.value.lastUse })
            {
                state.entries[oldest.key] = nil
            }
            state.entries[tenant] = Entry(handler: handler, lastUse: state.uses)
            return handler
        }
    }
}

/// Answers the requests for pages of all tenants.
struct PageGate: Sendable {
    let pages: HostPages
    /// The tenant of a person; `nil` if there is none.
    let tenant: @Sendable (Person) throws -> IdentifiedTenant?
    let sites: PageSites

    func respond(to request: Request, by door: ProxyTrust.Door) async -> Response {
        do {
            let person = try self.pages.trust.person(of: request, by: door)
            // A proxy that does not forward the host would also forward requests for any other name.
            guard !request.isForThisComputer else { return .sentence(421, Self.hostAdvice) }
            guard let tenant = try self.tenant(person) else { throw ProxyTrust.Refusal.unknownPerson }
            var request = request
            request.isProxied = true
            request.person = person
            let handler = try self.sites.site(of: tenant)
            return await handler(request)
        } catch let refusal as ProxyTrust.Refusal {
            return .sentence(403, refusal.rawValue)
        } catch {
            var answer = Response.sentence(503, "The database of this host cannot be used now. Try again in a minute.")
            answer.headers[.retryAfter] = "\(Self.retrySeconds)"
            return answer
        }
    }

    /// Whether the body of a request may be long; the database is not asked, because a thread of the server waits.
    func acceptsUpload(_ request: Request, by door: ProxyTrust.Door) -> Bool {
        (try? self.pages.trust.person(of: request, by: door)) != nil && self.pages.acceptsUpload(request)
    }

    private static let retrySeconds = 60
    static let hostAdvice =
        "The pages are not published under this host name. Let the proxy forward the header Host, and compare it with "
        + "the setting 'web-address' of remindav."
}

extension Response {
    /// An answer with a sentence instead of a page.
    static func sentence(_ status: Int, _ sentence: String) -> Response {
        Response(
            status: status,
            headers: [
                .contentType: "text/plain; charset=utf-8", .cacheControl: "no-store",
                "X-Content-Type-Options": "nosniff",
            ],
            body: Array("\(sentence)\n".utf8)
        )
    }
}

extension Host {
    /// The maximum number of connections of the proxy: each visible page keeps one open.
    private static let proxyConnections = 1024

    /// The limits of a server that pages come from.
    static var proxyLimits: ServerLimits {
        var limits = ServerLimits()
        limits.connections = Self.proxyConnections
        limits.answeredConnections = 2 * Self.proxyConnections
        return limits
    }

    func pageGate(
        _ pages: HostPages,
        _ configuration: Configuration,
        _ executor: BlockingExecutor
    ) throws -> PageGate {
        let syncsItself = try self.directory.readsPasswords()
        @Sendable func tenant(of person: Person) throws -> IdentifiedTenant? {
            try self.directory.tenant(of: Identity(issuer: person.issuer, subject: person.subject))
        }
        var configuration = configuration
        configuration.spoolFolder = pages.uploadFolder
        let sites = PageSites { [configuration] identified in
            var requestSync: (@Sendable (Int64?) throws -> Int)?
            if !syncsItself {
                requestSync = { (account: Int64?) throws -> Int in
                    try self.directory.requestSync(of: identified.tenant, account: account)
                }
            }
            let owner = TenantOfPages(
                useCases: self.useCases(of: identified.tenant, zone: identified.zone, configuration),
                zone: identified.zone,
                // While the database is unavailable, the person stays.
                isAllowed: { person in
                    do { return try tenant(of: person)?.tenant == identified.tenant } catch { return true }
                },
                requestSync: requestSync
            )
            return try pages.makePages(owner, executor)
        }
        return PageGate(pages: pages, tenant: tenant, sites: sites)
    }

    /// Serves the pages and the feeds for the proxy by its socket; `nil` without a socket.
    func serve(
        _ gate: PageGate?,
        _ executor: BlockingExecutor,
        onSocketWith respond: @escaping @Sendable (Request, ProxyTrust.Door) async -> Response
    ) throws -> Server? {
        guard let gate, let path = gate.pages.socket else { return nil }
        return try Server(
            .socket(try UnixListener.open(path)),
            hosts: [gate.pages.site.host],
            hostAdvice: PageGate.hostAdvice,
            limits: Self.proxyLimits,
            uploads: Uploads(folder: gate.pages.uploadFolder) { gate.acceptsUpload($0, by: .socket) },
            executor: executor
        ) { await respond($0, .socket) }
    }
}

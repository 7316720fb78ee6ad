package import RemindavBridge
package import RemindavDatePhrases
import RemindavHTML
package import RemindavHTTP
package import RemindavReminders
import RemindavStore
import Synchronization

/// Answers requests for web pages.
///
/// The checks of a request are, in this order: the user of the client's process or the person of the reverse proxy, the
/// method, the sign-in, and for a change the origin and the token of the form.
package struct Site: Sendable {
    let useCases: UseCases
    /// The use cases of pages that only read: they do not wait for a change, which may wait for another process.
    let reading: UseCases
    let preferences: Preferences
    let alarms: AlarmTable
    let access: Access
    let imports = RecentImports()
    let lists = ListCache()
    private let guesses = GuessLimit()
    let notes = Notes()
    let syncs: SyncJobs
    let connections: Connections
    private let openPages: OpenPages

    /// The settings of the program that pages need.
    package struct Preferences: Sendable {
        /// The zone of all dates and times on the pages.
        package let zone: LocalZone
        /// The settings with which alarms fire.
        package var alarms = AlarmSettings()
        /// The lists and labels without alarms.
        package var muted = MuteRules()
        /// The public address of feeds; `nil` for none.
        package var feedSite: FeedSite?
        /// The port in the addresses of feeds without a public address.
        package var port = UseCases.defaultPort
        /// The public address of the pages, for requests that a reverse proxy sends; `nil` for none.
        package var webSite: FeedSite?
        /// Asks other processes to sync the account with a number, or all accounts, and returns the number of accounts
        /// that they will sync; `nil` if this process syncs itself.
        package var requestSync: (@Sendable (_ account: Int64?) throws -> Int)?
        /// The due time of a new reminder without a stated one.
        package let standardDue: When

        package init(zone: LocalZone, standardDue: When) {
            self.zone = zone
            self.standardDue = standardDue
        }
    }

    /// - Parameters:
    ///   - reading: the same use cases with a connection of their own to the store.
    ///   - alarms: a table with another connection.
    ///   - isOwnProcess: whether the client is a process of the user of this process.
    package init(
        _ useCases: UseCases,
        reading: UseCases,
        alarms: AlarmTable,
        _ signIns: SignIns,
        _ preferences: Preferences,
        _ computer: Computer,
        isOwnProcess: @escaping @Sendable (Request) -> Bool
    ) {
        self.init(
            useCases,
            reading: reading,
            alarms: alarms,
            preferences,
            .computer(Access.Machine(signIns: signIns, computer: computer, isOwnProcess: isOwnProcess))
        )
    }

    /// - Parameters:
    ///   - reading: the same use cases with a connection of their own to the store.
    ///   - alarms: a table with another connection.
    ///   - executor: runs the syncs and other work after the answer to a request; `nil` for Swift's own threads.
    package init(
        _ useCases: UseCases,
        reading: UseCases,
        alarms: AlarmTable,
        _ preferences: Preferences,
        _ access: Access,
        executor: (any TaskExecutor)? = nil
    ) {
        self.useCases = useCases
        self.reading = reading
        self.preferences = preferences
        self.access = access
        self.alarms = alarms
        self.syncs = SyncJobs(executor)
        self.connections = Connections(executor)
        self.openPages = OpenPages(StoreWatch(alarms))
    }

    /// Answers a request of a browser on this computer or of the reverse proxy; errors become pages.
    package func respond(to request: Request) async -> Response {
        guard request.isProxied else { return await self.response(to: request) }
        guard let prefix = self.preferences.webSite?.prefix else { return self.message(.notFound, status: 404) }
        var request = request
        // The proxy may keep the path of the address or remove it.
        if !prefix.isEmpty, request.url == prefix || request.url.hasPrefix("\(prefix)/") {
            request.url = String(request.url.dropFirst(prefix.count))
            if !request.url.hasPrefix("/") { request.url = "/\(request.url)" }
        }
        return await Address.$base.withValue(prefix) { [request] in await self.response(to: request) }
    }

    private func response(to request: Request) async -> Response {
        guard self.access.accepts(request) else { return self.message(.foreignUser, status: 403) }
        guard ["GET", "HEAD", "POST"].contains(request.method) else { return self.message(.methodUnknown, status: 405) }
        guard let target = Target(request.url) else { return self.message(.tooManyFields, status: 400) }
        if target.path.first == "a" {
            guard let asset = Asset.at(target.path) else { return self.message(.notFound, status: 404) }
            return .file(asset.bytes, type: asset.type)
        }
        do {
            return try await self.answer(request, target)
        } catch {
            return self.failure(error)
        }
    }

    private func answer(_ request: Request, _ target: Target) async throws -> Response {
        if target.path.count == 2, target.path[0] == "in", let machine = self.access.machine {
            return try self.signIn(target.path[1], target.query, request, machine.signIns)
        }
        guard RequestOrigin.isNavigation(request.headers), let pass = try self.pass(request) else {
            return self.signedOut(request, target)
        }
        do {
            return self.adding(pass, to: try await self.answer(request, target, pass), for: request)
        } catch {
            return self.adding(pass, to: self.failure(error), for: request)
        }
    }

    /// The right of a request; `nil` without a sign-in.
    private func pass(_ request: Request) throws -> Pass? {
        let cookie = Cookies(request.headers)[self.cookieName(request)]
        switch self.access {
        case .computer(let machine): return try Pass(machine, cookie: cookie)
        case .people(let isAllowed):
            let randomBytes = self.useCases.configuration.randomBytes
            return request.person.map { Pass($0, cookie: cookie, randomBytes: randomBytes, isAllowed: isAllowed) }
        }
    }

    /// The answer with the cookie of a new pass.
    private func adding(_ pass: Pass, to response: Response, for request: Request) -> Response {
        guard pass.isNewCookie else { return response }
        var response = response
        let name = self.cookieName(request)
        response.headers.append(
            .setCookie,
            self.cookie(name, pass.cookie, seconds: SignIns.validSeconds, for: request)
        )
        return response
    }

    private func answer(_ request: Request, _ target: Target, _ pass: Pass) async throws -> Response {
        let visit = Visit(site: self, token: pass.token, request: request)
        // The stream ends with the sign-in.
        if request.method == "GET", target.path == ["events"] {
            return .events(self.openPages.open(while: pass.isValid))
        }
        guard request.method == "POST" else { return try await visit.page(target).unlessKnown(to: request) }
        guard RequestOrigin.isOwn(request.headers, of: self.site(of: request)) else {
            return self.message(.foreignOrigin, status: 403)
        }
        if target.path == ["import"] { return try self.upload(request, visit) }
        guard let form = FormFields(String(decoding: request.body, as: UTF8.self)) else {
            return self.message(.tooManyFields, status: 400)
        }
        guard form["token"] == visit.token else {
            return try visit.formAgain(target, form) ?? self.refusedForm(.oldForm, request, form, token: visit.token)
        }
        if target.path == ["out"], let machine = self.access.machine {
            try machine.signIns.signOut(cookie: pass.cookie)
            return self.signedOut(request)
        }
        return try await visit.change(target, form)
    }

    // MARK: Uploads

    /// Whether the body of a request may be long: only a signed-in browser imports files.
    package func acceptsUpload(_ request: Request) -> Bool {
        guard request.method == "POST", Target(request.url)?.path.last == "import",
            self.access.accepts(request), RequestOrigin.isOwn(request.headers, of: self.site(of: request)),
            let pass = try? self.pass(request)
        else { return false }
        return !pass.isNewCookie
    }

    private func upload(_ request: Request, _ visit: Visit) throws -> Response {
        if request.bodyFile?.isCut == true {
            return try visit.importForm(ImportFields(), problem: Message.tooLongUpload.text, status: 413)
        }
        do {
            guard let received = try self.useCases.receivedForm(request) else {
                return self.message(.tooManyFields, status: 400)
            }
            let token = received.fields.first { $0.name == "token" }?.value
            guard token == visit.token else { return self.message(.oldForm, status: 403) }
            return try visit.uploadForImport(received)
        } catch ReceivedForm.Problem.tooLong {
            return try visit.importForm(ImportFields(), problem: Message.tooLongText.text, status: 413)
        } catch is ReceivedForm.Problem {
            return self.message(.brokenUpload, status: 400)
        }
    }

    // MARK: Sign-in

    /// The answer to a browser that has just signed out.
    func signedOut(_ request: Request) -> Response {
        var response = Response.see(.list, cookie: self.cookie(self.cookieName(request), "", seconds: 0, for: request))
        // The next user of this browser must not find pages in its cache.
        response.headers["Clear-Site-Data"] = "\"cache\", \"storage\""
        return response
    }

    /// The public address by which a request came; `nil` for a request of this computer.
    private func site(of request: Request) -> FeedSite? { request.isProxied ? self.preferences.webSite : nil }

    /// The page without a sign-in; it keeps the text of a form of this site.
    private func signedOut(_ request: Request, _ target: Target) -> Response {
        // A person is always signed in, so another site has asked.
        guard self.access.machine != nil else { return self.message(.foreignOrigin, status: 403) }
        guard request.method == "POST", RequestOrigin.isOwn(request.headers, of: self.site(of: request)),
            let form = FormFields(String(decoding: request.body, as: UTF8.self))
        else { return self.message(.signedOut, status: 403) }
        return self.refusedForm(.signedOutForm, request, form, token: nil)
    }

    private func refusedForm(_ message: Message, _ request: Request, _ form: FormFields, token: String?) -> Response {
        guard let target = Target(request.url) else { return self.message(message, status: 403) }
        let address = Address(target.path, query: target.query.pairs)
        let page = RefusedForm(message: message, address: address, fields: form.pairs, token: token)
        return .page(Frame(message.title, current: nil, token: nil) { page }, status: 403)
    }

    /// The name contains the port, because a browser sends the cookies of 127.0.0.1 to all of its ports.
    ///
    /// With TLS, a prefix makes the browser refuse the cookie from a page without TLS (RFC 6265bis §4.1.3).
    func cookieName(_ request: Request) -> String {
        guard let site = self.site(of: request) else { return "remindav-\(request.peer?.serverPort ?? 0)" }
        return Self.cookieName(of: site)
    }

    static func cookieName(of site: FeedSite) -> String {
        site.prefix.isEmpty ? "__Host-remindav" : "__Secure-remindav"
    }

    /// The header that sets a cookie.
    func cookie(_ name: String, _ value: String, seconds: Int64, for request: Request) -> String {
        let site = self.site(of: request)
        let path = (site?.prefix ?? "") + "/"
        let attributes = "Path=\(path); HttpOnly; SameSite=Strict; Max-Age=\(seconds)"
        return "\(name)=\(value); \(attributes)\(site == nil ? "" : "; Secure")"
    }

    /// Signs a browser in, and opens the list, or the reminder whose number is in the query.
    private func signIn(
        _ ticket: String,
        _ query: FormFields,
        _ request: Request,
        _ signIns: SignIns
    ) throws -> Response {
        guard ["GET", "HEAD"].contains(request.method) else { return self.message(.methodUnknown, status: 405) }
        // A program asks by HEAD whether this server uses its store.
        if request.method == "HEAD", try signIns.isValid(ticket: ticket) { return Response(status: 204) }
        let agent = request.headers[.userAgent] ?? ""
        guard let cookie = try signIns.cookie(for: ticket, agent: agent) else {
            // A valid ticket is accepted at any time, so that another site cannot prevent sign-ins by wrong ones.
            guard self.guesses.mayTry(at: self.useCases.now) else { return self.message(.tooManyTickets, status: 429) }
            self.guesses.note(at: self.useCases.now)
            return self.message(.oldTicket, status: 403)
        }
        let destination = query.number("reminder").map { Address.reminder($0) } ?? .list
        let name = self.cookieName(request)
        // A browser that is signed in keeps its cookie, because forms in its other tabs depend on it.
        if let present = Cookies(request.headers)[name], try signIns.isSignedIn(present) {
            try signIns.signOut(cookie: cookie)
            return .see(destination)
        }
        return .see(destination, cookie: self.cookie(name, cookie, seconds: SignIns.validSeconds, for: request))
    }

    // MARK: Messages

    func message(_ message: Message, status: Int) -> Response {
        .page(Frame(message.title, current: nil, token: nil) { MessageText(message) }, status: status)
    }

    private func failure(_ error: any Error) -> Response {
        let missing: [UseCaseError.Code] = [
            .reminderNotFound, .listNotFound, .labelNotFound, .accountNotFound, .runNotFound, .changeNotFound,
            .notInTrash, .feedNotFound,
        ]
        if let error = error as? UseCaseError, missing.contains(error.code) {
            return self.message(.notFound, status: 404)
        }
        let isSuspended = (error as? DatabaseError)?.code == .suspended
        return self.message(Message(error), status: isSuspended ? 403 : error is UseCaseError ? 422 : 503)
    }
}

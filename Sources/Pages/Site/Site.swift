package import Bridge
package import DatePhrases
import HTML
package import HTTP
package import Reminders
import Store
import Synchronization

/// Answers requests for web pages.
///
/// The checks of a request are, in this order: the user of the client's process, the method, the sign-in, and for a
/// change the origin and the token of the form.
package struct Site: Sendable {
    let useCases: UseCases
    let preferences: Preferences
    let computer: Computer
    let firedAlarms: FiredAlarmCounter
    private let signIns: SignIns
    private let isOwnProcess: @Sendable (Request) -> Bool
    private let guesses = GuessLimit()
    let notes = Notes()
    let syncs = SyncJobs()
    let connections = Connections()
    private let openPages: OpenPages

    /// The settings of the program that pages need.
    package struct Preferences: Sendable {
        package let zone: LocalZone
        /// The settings with which alarms fire, and the lists and labels without alarms.
        package var alarms = AlarmSettings()
        package var muted = MuteRules()
        /// The due time of a new reminder without a stated one.
        package let standardDue: When

        package init(zone: LocalZone, standardDue: When) {
            self.zone = zone
            self.standardDue = standardDue
        }
    }

    /// - Parameter isOwnProcess: whether the client is a process of the user of this process.
    package init(
        _ useCases: UseCases,
        _ signIns: SignIns,
        _ preferences: Preferences,
        _ computer: Computer,
        isOwnProcess: @escaping @Sendable (Request) -> Bool
    ) {
        self.useCases = useCases
        self.signIns = signIns
        self.preferences = preferences
        self.computer = computer
        self.firedAlarms = FiredAlarmCounter(useCases, settings: preferences.alarms, muted: preferences.muted)
        self.isOwnProcess = isOwnProcess
        self.openPages = OpenPages(StoreWatch(useCases))
    }

    package func respond(to request: Request) async -> Response {
        guard self.isOwnProcess(request) else { return self.message(.foreignUser, status: 403) }
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
        if target.path.count == 2, target.path[0] == "in" {
            return try self.signIn(target.path[1], target.query, request)
        }
        let cookieName = Self.cookieName(request)
        guard RequestOrigin.isNavigation(request.headers),
            let cookie = Cookies(request.headers)[cookieName], try self.signIns.isSignedIn(cookie)
        else { return self.signedOut(request, target) }
        let visit = Visit(site: self, token: SignIns.token(of: cookie), request: request)
        if request.method == "GET", target.path == ["events"] { return .events(self.openPages.open()) }
        guard request.method == "POST" else { return try await visit.page(target).unlessKnown(to: request) }
        guard RequestOrigin.isOwn(request.headers) else { return self.message(.foreignOrigin, status: 403) }
        guard let form = FormFields(String(decoding: request.body, as: UTF8.self)) else {
            return self.message(.tooManyFields, status: 400)
        }
        guard form["token"] == visit.token else {
            return try visit.formAgain(target, form) ?? self.typedAgain(.oldForm, request, form, token: visit.token)
        }
        if target.path == ["out"] {
            try self.signIns.signOut(cookie: cookie)
            return .see(.list, cookie: "\(cookieName)=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict")
        }
        return try await visit.change(target, form)
    }

    // MARK: Sign-in

    /// The page without a sign-in; it keeps the text of a form of this site.
    private func signedOut(_ request: Request, _ target: Target) -> Response {
        guard request.method == "POST", RequestOrigin.isOwn(request.headers),
            let form = FormFields(String(decoding: request.body, as: UTF8.self))
        else { return self.message(.signedOut, status: 403) }
        return self.typedAgain(.signedOutForm, request, form, token: nil)
    }

    private func typedAgain(_ message: Message, _ request: Request, _ form: FormFields, token: String?) -> Response {
        guard let target = Target(request.url) else { return self.message(message, status: 403) }
        let address = Address(target.path, query: target.query.pairs)
        let page = TypedAgain(message: message, address: address, fields: form.pairs, token: token)
        return .page(Frame(message.title, current: nil, token: nil) { page }, status: 403)
    }

    /// The name contains the port, because a browser sends the cookies of 127.0.0.1 to all of its ports.
    static func cookieName(_ request: Request) -> String { "remindav-\(request.peer?.serverPort ?? 0)" }

    /// Signs a browser in, and opens the list, or the reminder whose number is in the query.
    private func signIn(_ ticket: String, _ query: FormFields, _ request: Request) throws -> Response {
        guard request.method == "GET" else { return self.message(.methodUnknown, status: 405) }
        guard self.guesses.mayTry(at: self.useCases.now) else { return self.message(.tooManyTickets, status: 429) }
        let agent = request.headers[.userAgent] ?? ""
        guard let cookie = try self.signIns.cookie(for: ticket, agent: agent) else {
            self.guesses.note(at: self.useCases.now)
            return self.message(.oldTicket, status: 403)
        }
        let destination = query["reminder"].flatMap { Int64($0) }.map { Address.reminder($0) } ?? .list
        // A browser that is signed in keeps its cookie, because forms in its other tabs depend on it.
        if let present = Cookies(request.headers)[Self.cookieName(request)], try self.signIns.isSignedIn(present) {
            try self.signIns.signOut(cookie: cookie)
            return .see(destination)
        }
        let attributes = "Path=/; HttpOnly; SameSite=Strict; Max-Age=\(SignIns.validSeconds)"
        return .see(destination, cookie: "\(Self.cookieName(request))=\(cookie); \(attributes)")
    }

    // MARK: Messages

    func message(_ message: Message, status: Int) -> Response {
        .page(Frame(message.title, current: nil, token: nil) { MessageText(message) }, status: status)
    }

    private func failure(_ error: any Error) -> Response {
        let missing: [UseCaseError.Code] = [
            .reminderNotFound, .listNotFound, .labelNotFound, .accountNotFound, .runNotFound, .changeNotFound,
            .notInTrash,
        ]
        if let error = error as? UseCaseError, missing.contains(error.code) {
            return self.message(.notFound, status: 404)
        }
        return self.message(Message(error), status: error is UseCaseError ? 422 : 503)
    }
}

/// The values of the header Cookie (RFC 6265 §4.2).
struct Cookies {
    private var values: [String: String] = [:]

    init(_ headers: Headers) {
        for field in headers.values(of: .cookie) {
            for pair in field.split(separator: ";") {
                let parts = pair.split(separator: "=", maxSplits: 1)
                guard parts.count == 2 else { continue }
                self.values[parts[0].drop { $0 == " " }.description] = String(parts[1])
            }
        }
    }

    subscript(name: String) -> String? { self.values[name] }
}

package import RemindavBridge
package import RemindavHTTP
import RemindavICalendar

/// The clients that get the pages of a site.
package enum Access: Sendable {
    /// Processes of the user of this computer, in browsers that a ticket has signed in.
    case computer(Machine)
    /// People whom a reverse proxy has signed in (docs/decisions/0083); such a site shows nothing of the machine.
    ///
    /// - isAllowed: whether a person still has the reminders of the site; asked before each event.
    case people(isAllowed: @Sendable (Person) -> Bool)

    /// The computer of one user, with its sign-ins.
    package struct Machine: Sendable {
        let signIns: SignIns
        let computer: Computer
        /// Whether the client is a process of the user of this process.
        let isOwnProcess: @Sendable (Request) -> Bool
    }

    /// `nil` for a site that shows nothing of the machine.
    var machine: Machine? { if case .computer(let machine) = self { machine } else { nil } }

    /// Whether a client may ask at all; the sign-in is checked later.
    func accepts(_ request: Request) -> Bool {
        switch self {
        // Only a user of the group of the socket can be the proxy, so the system is not asked for its user.
        case .computer(let machine): request.isProxied || machine.isOwnProcess(request)
        case .people: request.isProxied && request.person != nil
        }
    }
}

/// The right of a request to see pages, and to change something with the token.
struct Pass: Sendable {
    /// The token for the forms of the page.
    let token: String
    let cookie: String
    /// Whether the browser does not have the cookie yet.
    var isNewCookie = false
    /// Whether the right still exists.
    let isValid: @Sendable () -> Bool

    /// The number of random bytes in the cookie of a person, as in that of a sign-in.
    private static let cookieBytes = 32

    /// The right of a browser that a ticket has signed in; `nil` without a sign-in.
    init?(_ machine: Access.Machine, cookie: String?) throws {
        guard let cookie, try machine.signIns.isSignedIn(cookie) else { return nil }
        self.cookie = cookie
        self.token = SignIns.token(of: cookie)
        self.isValid = { (try? machine.signIns.isSignedIn(cookie)) == true }
    }

    /// The right of a person whom a proxy has signed in.
    ///
    /// Another site cannot read or set the cookie, so it does not know the token of a form (double submit). The token
    /// also depends on the person: a form of an earlier person in the same browser is refused.
    ///
    /// - Parameter cookie: the cookie of the browser; without a valid one, a new one is made.
    init(
        _ person: Person,
        cookie: String?,
        randomBytes: (Int) -> [UInt8],
        isAllowed: @escaping @Sendable (Person) -> Bool
    ) {
        let isKnown = cookie.map(Self.isCookie) ?? false
        self.cookie = isKnown ? cookie ?? "" : randomBytes(Self.cookieBytes).hexadecimal
        self.isNewCookie = !isKnown
        self.token = Self.token(of: person, cookie: self.cookie)
        self.isValid = { isAllowed(person) }
    }

    static func token(of person: Person, cookie: String) -> String {
        // The lengths make the parts unambiguous.
        let parts = [cookie, person.issuer, person.subject].map { "\($0.utf8.count) \($0)" }
        return SHA256("form of a person \(parts.joined(separator: " "))".utf8).hexadecimal
    }

    static func isCookie(_ text: String) -> Bool {
        text.utf8.count == 2 * Self.cookieBytes
            && text.allSatisfy { $0.isASCII && $0.isHexDigit && !$0.isUppercase }
    }
}

extension Site {
    /// Whether a request of a person sends files; its cookie and its origin are checked, and the person is not.
    ///
    /// - Parameter site: the public address of the pages.
    package static func isUpload(_ request: Request, of site: FeedSite) -> Bool {
        request.method == "POST" && Target(request.url)?.path.last == "import"
            && RequestOrigin.isOwn(request.headers, of: site)
            && Cookies(request.headers)[self.cookieName(of: site)].map(Pass.isCookie) == true
    }
}

import RemindavBridge
import Synchronization

/// The attempts to connect a server that are not finished; they exist only in this process.
///
/// A password is only here until the account is saved, never in a page or in an address.
final class Connections: Sendable {
    /// The maximum number of attempts; a new one ends the oldest one.
    private static let maximum = 8
    private let attempts = Mutex<[Connection]>([])
    private let executor: (any TaskExecutor)?

    init(_ executor: (any TaskExecutor)? = nil) { self.executor = executor }

    /// The seconds after which an attempt ends, so that its password does not stay in memory.
    private static let validSeconds = 3600.0

    func begin(_ form: ConnectForm) -> Connection {
        let new = Connection(form, self.executor)
        Task {
            try? await Task.sleep(for: .seconds(Self.validSeconds))
            self.end(new)
        }
        let oldest = self.attempts.withLock { attempts in
            attempts.append(new)
            return attempts.count > Self.maximum ? attempts.removeFirst() : nil
        }
        oldest?.cancel()
        return new
    }

    subscript(id: String?) -> Connection? { self.attempts.withLock { all in all.first { $0.id == id } } }

    func end(_ connection: Connection) {
        connection.cancel()
        self.attempts.withLock { $0.removeAll { $0.id == connection.id } }
    }
}

/// An attempt to connect a server.
final class Connection: Sendable {
    enum Stage: Sendable {
        /// The server is being asked.
        case asking
        /// The first form again, with the problem of the address.
        case address(problem: String)
        /// The user name and the password are needed.
        case signIn(problem: String?)
        /// The server waits until the user grants the access on its own page (Nextcloud Login Flow v2).
        case granting(page: String)
        case certificate(CertificateView)
        /// The account is on another host; the user decides whether it gets the password.
        case otherHost(host: String, address: String)
        case choosing(FoundAccount)
    }

    struct State: Sendable {
        var form: ConnectForm
        var stage = Stage.asking
        /// `nil` before the user has entered a password or granted the access.
        var password: PasswordSource?
        var isAppPassword = false
        fileprivate var task: Task<Void, Never>?
        /// The number of the last step, so that the end of an earlier step changes nothing.
        fileprivate var step = 0
    }

    let id = RandomID.make()
    private let state: Mutex<State>

    private let executor: (any TaskExecutor)?

    init(_ form: ConnectForm, _ executor: (any TaskExecutor)? = nil) {
        self.state = Mutex(State(form: form))
        self.executor = executor
    }

    var current: State { self.state.withLock { $0 } }

    var isAsking: Bool { if case .asking = self.current.stage { true } else { false } }

    /// Ends the step in progress; its result changes nothing any more.
    func cancel() {
        self.state.withLock { state in
            state.task?.cancel()
            state.step += 1
            state.password = nil
        }
    }

    func change(_ change: (inout State) -> Void) { self.state.withLock { change(&$0) } }

    /// Begins a step that asks the server; its result is the next stage.
    ///
    /// A step in progress ends.
    func perform(_ work: @escaping @Sendable (Step) async -> Stage) {
        self.state.withLock { state in
            state.task?.cancel()
            state.stage = .asking
            state.step += 1
            let step = Step(connection: self, number: state.step)
            state.task = Task(executorPreference: self.executor) {
                let stage = await work(step)
                step.change { $0.stage = stage }
            }
        }
    }

    /// A step in progress, which changes the attempt only until another step begins.
    struct Step: Sendable {
        fileprivate let connection: Connection
        fileprivate let number: Int

        var current: State { self.connection.current }

        func change(_ change: (inout State) -> Void) {
            self.connection.state.withLock { if $0.step == self.number { change(&$0) } }
        }
    }
}

// MARK: Steps

extension Connection {
    /// The seconds in which a server must offer its own page for the sign-in; otherwise a password is asked for.
    private static let offerSeconds = 10.0

    /// Asks the server whether it offers a sign-in with the browser, and then waits for it.
    func begin(_ useCases: UseCases) {
        self.perform { step in
            let form = step.current.form
            if form.isMail { return .signIn(problem: nil) }
            do {
                let login = try await useCases.browserLogin(
                    at: form.address,
                    settings: form.settings.values,
                    answerSeconds: Self.offerSeconds
                )
                return await step.wait(for: login, useCases)
            } catch {
                return await step.stage(after: error, useCases, else: { _ in .signIn(problem: nil) })
            }
        }
    }

    /// Looks for the lists of the account with the password of the state.
    func search(_ useCases: UseCases) { self.perform { await $0.find(useCases) } }
}

extension Connection.Step {
    fileprivate func wait(for login: BrowserLogin, _ useCases: UseCases) async -> Connection.Stage {
        self.change { $0.stage = .granting(page: login.page) }
        do {
            let grant = try await useCases.wait(for: login)
            self.change { state in
                state.stage = .asking
                state.form.user = grant.user
                state.password = grant.password
                state.isAppPassword = true
            }
            return await self.find(useCases)
        } catch {
            return .signIn(problem: ErrorWords(error).text)
        }
    }

    fileprivate func find(_ useCases: UseCases) async -> Connection.Stage {
        let state = self.current
        guard let password = state.password else { return .signIn(problem: nil) }
        var request = NewAccount(
            address: state.form.address,
            user: state.form.user,
            password: password,
            name: state.form.name.isEmpty ? nil : state.form.name,
            settings: state.form.settings.values
        )
        request.isAppPassword = state.isAppPassword
        request.keyPassword = state.form.keyPassword
        do {
            return .choosing(await useCases.counted(try await useCases.findAccount(request)))
        } catch {
            return await self.stage(after: error, useCases) { .signIn(problem: $0) }
        }
    }

    /// The stage after an error: a decision of the user, or a form with the problem.
    fileprivate func stage(after error: any Error, _ useCases: UseCases, else other: (String) -> Connection.Stage) async
        -> Connection.Stage
    {
        let words = ErrorWords(error).text
        guard let category = ErrorCategory.of(error) else {
            return error is UseCaseError ? .address(problem: words) : other(words)
        }
        switch category.kind {
        case .badAddress, .notSecure: return .address(problem: words)
        case .redirectElsewhere:
            guard let target = category.target, target != self.current.form.address, self.current.password != nil else {
                return other(words)
            }
            return .otherHost(host: category.subject ?? target, address: target)
        case .certificateUnknown, .certificateExpired, .certificateWrongHost:
            let address = category.subject ?? self.current.form.address
            guard let certificate = try? await useCases.certificate(of: address) else {
                return .address(problem: words)
            }
            return .certificate(certificate)
        default: return other(words)
        }
    }
}

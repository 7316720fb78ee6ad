import RemindavBridge
import RemindavHTML
import RemindavHTTP
import RemindavReminders

// "Connect a server": the address, the sign-in, the choice of lists, the first sync.
extension Visit {
    /// The seconds that a request waits for a server; a slower server is asked further, and the page shows the state.
    private static let waitingSeconds = 8.0
    /// The number of lists in the sentence about lists that are on this computer only; the page Lists has all.
    private static let shownLists = 3

    func connectPage(_ query: FormFields) throws -> Response {
        guard query["id"] != nil else { return try self.addressForm(ConnectForm()) }
        guard let connection = self.site.connections[query["id"]] else {
            return try self.addressForm(ConnectForm(), problem: "This attempt is over. Enter the address again.")
        }
        return try self.stage(of: connection)
    }

    func connect(_ query: FormFields, _ fields: FormFields) async throws -> Response {
        guard query["id"] != nil else { return try await self.begin(fields) }
        guard let connection = self.site.connections[query["id"]] else {
            return try self.addressForm(ConnectForm(), problem: "This attempt is over. Enter the address again.")
        }
        switch (fields["do"] ?? "", connection.current.stage) {
        case ("cancel", _): return self.cancel(connection)
        case ("address", _):
            self.site.connections.end(connection)
            return try self.addressForm(connection.current.form)
        case ("password", .granting): connection.perform { _ in .signIn(problem: nil) }
        case ("password", _): return try await self.signIn(connection, fields)
        case ("trust", .certificate(let certificate)) where fields["key"] == certificate.key:
            connection.change { $0.form.settings.trust(certificate.key) }
            self.resume(connection)
        case ("host", .otherHost(_, let address)):
            connection.change { $0.form.address = address }
            self.resume(connection)
        case ("connect", .choosing(let found)): return try await self.save(found, connection, fields)
        default: return .see(.connect(connection.id))
        }
        return try await self.next(connection)
    }

    private func begin(_ fields: FormFields) async throws -> Response {
        let form = ConnectForm(fields)
        guard !form.address.isEmpty else {
            return try self.addressForm(form, problem: "Enter the address of the server, or your email address.")
        }
        let problems = form.settings.problems()
        guard problems.isEmpty else { return try self.addressForm(form, settings: problems) }
        if try self.useCases.accounts().contains(where: { $0.name == form.name }) {
            return try self.addressForm(form, problem: "There is already an account with the name '\(form.name)'.")
        }
        do {
            if try self.useCases.encryptedKey(form.settings.values) != nil, form.keyPassword == nil {
                return try self.addressForm(form, problem: "The client key is encrypted. Enter its password, too.")
            }
        } catch let error as UseCaseError {
            let problems = form.settings.problems(error)
            let problem = problems.isEmpty ? ErrorWords(error).text : nil
            return try self.addressForm(form, problem: problem, settings: problems)
        }
        let connection = self.site.connections.begin(form)
        connection.begin(self.useCases)
        return try await self.next(connection)
    }

    private func signIn(_ connection: Connection, _ fields: FormFields) async throws -> Response {
        let user = (fields["user"] ?? "").trimmingWhiteSpace
        connection.change { $0.form.user = user }
        guard !user.isEmpty else { return try self.stage(of: connection, problem: "Enter the user name.") }
        do {
            let password = try PasswordField.source(fields)
            connection.change { ($0.password, $0.isAppPassword) = (password, false) }
        } catch {
            return try self.stage(of: connection, problem: error.sentence)
        }
        connection.search(self.useCases)
        return try await self.next(connection)
    }

    private func resume(_ connection: Connection) {
        if connection.current.password == nil {
            connection.begin(self.useCases)
        } else {
            connection.search(self.useCases)
        }
    }

    private func cancel(_ connection: Connection) -> Response {
        self.site.connections.end(connection)
        guard connection.current.isAppPassword else { return .see(.sync) }
        let note =
            "Nothing was changed here. The server still has the new app password; delete it there, in Settings, Security."
        return .see(Address.sync.with(note: self.site.notes.keep(note)))
    }

    /// Waits for the server for a short time, and shows a problem in the form, or the page of the next stage.
    private func next(_ connection: Connection) async throws -> Response {
        await Waiting.until(seconds: Self.waitingSeconds) { !connection.isAsking }
        switch connection.current.stage {
        case .address(let problem):
            self.site.connections.end(connection)
            return try self.addressForm(connection.current.form, problem: problem)
        case .signIn(.some): return try self.stage(of: connection)
        default: return .see(.connect(connection.id))
        }
    }

    private func save(_ found: FoundAccount, _ connection: Connection, _ fields: FormFields) async throws -> Response {
        let chosen = Set(fields.values(of: "list").compactMap { Int($0) }.filter(found.lists.indices.contains))
        let standard: DefaultListChoice
        switch (fields["default"] ?? "").split(separator: " ", maxSplits: 1).map(String.init) {
        case let parts where parts.count == 2 && parts[0] == "found":
            guard let index = Int(parts[1]), chosen.contains(index), !found.lists[index].isReadOnly else {
                return try self.stage(of: connection, problem: "Choose a default list that is connected and writable.")
            }
            standard = .found(index)
        case let parts where parts.count == 2 && parts[0] == "existing": standard = .existing(parts[1])
        default: standard = .automatic
        }
        let account: AccountView
        do {
            account = try self.useCases.keep(found, lists: chosen, default: standard)
        } catch {
            return try self.stage(of: connection, problem: ErrorWords(error).text)
        }
        self.site.connections.end(connection)
        var note = "Added the account \"\(account.name)\" with \(account.lists.count.counted("list"))."
        note += " The password is \(account.passwordOrigin)."
        if found.isNextcloud, !connection.current.isAppPassword {
            note +=
                " An app password of the server is faster: with your own password, each sync opens a session."
        }
        let local = try self.useCases.localLists()
        if !local.isEmpty {
            let names = local.map { "\"\($0)\"" }.listed(atMost: Self.shownLists)
            note += " On this computer only: \(names). To upload a list, open it on the page Lists."
        }
        if !account.lists.isEmpty {
            self.site.syncs.start(SyncRequest(account: account.name), self.useCases)
            await self.site.syncs.wait(for: [account.name])
        }
        return .see(Address.sync.with(note: self.site.notes.keep(note)))
    }

    // MARK: Pages

    private func addressForm(
        _ form: ConnectForm,
        problem: String? = nil,
        settings: [AccountSetting: String] = [:]
    ) throws -> Response {
        let screen = AddressScreen(values: form, problem: problem, settings: settings, token: self.token)
        return try self.connectResponse(screen, isWrong: problem != nil || !settings.isEmpty)
    }

    private func stage(of connection: Connection, problem: String? = nil) throws -> Response {
        let state = connection.current
        let (id, token) = (connection.id, self.token)
        switch state.stage {
        case .asking: return try self.connectResponse(AskingScreen(id: id, address: state.form.address, token: token))
        case .address(let problem): return try self.addressForm(state.form, problem: problem)
        case .signIn(let old):
            let problem = problem ?? old
            let screen = SignInScreen(id: id, values: state.form, problem: problem, token: token)
            return try self.connectResponse(screen, isWrong: problem != nil)
        case .granting(let page):
            return try self.connectResponse(GrantScreen(id: id, page: ForeignAddress(page), token: token))
        case .certificate(let certificate):
            let screen = CertificatePage(
                certificate: certificate,
                action: .connect(id),
                back: .connect,
                isTrusted: false,
                token: token
            )
            return try self.connectResponse(screen)
        case .otherHost(let host, _):
            return try self.connectResponse(OtherHostScreen(id: id, host: host, token: token))
        case .choosing(let found):
            let screen = ChoiceScreen(
                id: id,
                found: found,
                existing: try self.useCases.lists().filter { !$0.isReadOnly && $0.state != .detached },
                problem: problem,
                token: token
            )
            return try self.connectResponse(screen, isWrong: problem != nil)
        }
    }

    private func connectResponse(_ screen: some HTML, isWrong: Bool = false) throws -> Response {
        try self.show(screen, "Connect a server", .sync, isRefused: isWrong)
    }
}

extension AccountForm {
    /// Sets the key of the server that the user trusts.
    mutating func trust(_ key: String) { self[.trustKey] = key }
}

import RemindavBridge
import RemindavHTML
import RemindavHTTP

// One account: settings, password, certificate and removal.
extension Visit {
    // MARK: Showing

    func accountPage(_ query: FormFields) throws -> Response {
        let account = try self.namedAccount(query)
        return try self.accountPage(account, AccountForm(account), note: self.note(query))
    }

    private func accountPage(
        _ account: AccountView,
        _ values: AccountForm,
        problems: [AccountSetting: String] = [:],
        passwordProblem: String? = nil,
        pageProblem: String? = nil,
        note: NoteLine? = nil
    ) throws -> Response {
        let screen = AccountPage(
            account: account,
            values: values,
            problems: problems,
            passwordProblem: passwordProblem,
            pageProblem: pageProblem,
            note: note ?? NoteLine(nil, run: nil, self.token),
            token: self.token
        )
        let isWrong = !problems.isEmpty || passwordProblem != nil || pageProblem != nil
        return try self.show(screen, account.name, .sync, isRefused: isWrong)
    }

    /// Shows the certificate of the server, which is read now.
    func certificate(_ query: FormFields) async throws -> Response {
        let account = try self.namedAccount(query)
        do {
            let certificate = try await self.useCases.certificate(of: account.name)
            let screen = CertificatePage(
                certificate: certificate,
                action: .account(account.name, "certificate"),
                back: .account(account.name),
                isTrusted: account.settings[.trustKey] == certificate.key,
                token: self.token
            )
            return try self.show(screen, "Certificate", .sync)
        } catch {
            return try self.accountPage(account, AccountForm(account), pageProblem: ErrorWords(error).text)
        }
    }

    func accountRemoval(_ query: FormFields) throws -> Response {
        let account = try self.namedAccount(query)
        let unsent = try self.useCases.unsentChanges(ofAccount: account.name, mayLoseThem: true)
        var isAtRisk = false
        do {
            _ = try self.useCases.unsentChanges(ofAccount: account.name, mayLoseThem: false)
        } catch let error as UseCaseError where error.code == .unsentChanges {
            isAtRisk = true
        }
        let question = AccountRemovalQuestion(account: account, isAtRisk: isAtRisk, unsent: unsent, token: self.token)
        return try self.show(question, "Remove Account", .sync)
    }

    /// - Throws: `accountNotFound`.
    private func namedAccount(_ query: FormFields) throws -> AccountView {
        let name = query["name"] ?? ""
        guard let account = try self.useCases.accounts().first(where: { $0.name == name }) else {
            throw UseCaseError(.accountNotFound, subject: name)
        }
        return account
    }

    // MARK: Changes

    func changeAccount(_ query: FormFields, _ fields: FormFields) throws -> Response {
        let account = try self.namedAccount(query)
        let values = AccountForm(fields)
        let changes = values.changes(of: account, shown: fields)
        let problems = values.problems()
        guard problems.isEmpty else { return try self.accountPage(account, values, problems: problems) }
        guard !changes.isEmpty else { return .see(.account(account.name)) }
        do {
            _ = try self.useCases.set(changes, for: account.name)
        } catch let error as UseCaseError where error.code != .accountNotFound {
            let problems = values.problems(error)
            let other = problems.isEmpty ? ErrorWords(error).text : nil
            return try self.accountPage(account, values, problems: problems, pageProblem: other)
        }
        return self.see(account, "The settings of \"\(account.name)\" are saved.")
    }

    /// Changes the password, or the password of the client key, after the server has accepted it.
    func changePassword(_ query: FormFields, _ fields: FormFields) async throws -> Response {
        let account = try self.namedAccount(query)
        let isOfKey = fields["of"] == "key"
        do {
            let password = try PasswordField.source(fields)
            if isOfKey {
                _ = try await self.useCases.changeKeyPassword(of: account.name, to: password)
            } else {
                _ = try await self.useCases.changePassword(of: account.name, to: password)
            }
        } catch let error as PasswordField.Problem {
            return try self.accountPage(account, AccountForm(account), passwordProblem: error.sentence)
        } catch {
            let problem = "The password was not changed. \(ErrorWords(error).text)"
            return try self.accountPage(account, AccountForm(account), passwordProblem: problem)
        }
        let result = isOfKey ? "The password of the client key is changed." : "The password is changed."
        return self.see(account, result)
    }

    func trustCertificate(_ query: FormFields, _ fields: FormFields) throws -> Response {
        let account = try self.namedAccount(query)
        _ = try self.useCases.set([.trustKey: fields["key"] ?? ""], for: account.name)
        return self.see(account, "The account \"\(account.name)\" now trusts only this key.")
    }

    func removeAccount(_ query: FormFields, _ fields: FormFields) throws -> Response {
        let account = try self.namedAccount(query)
        // The question has named the number of unsent changes; without its check box, they prevent the removal.
        _ = try self.useCases.removeAccount(named: account.name, discardUnsent: fields["discard"] != nil)
        let note = "Removed the account \"\(account.name)\"; its lists stay on the server."
        return .see(Address.sync.with(note: self.site.notes.keep(note)))
    }

    private func see(_ account: AccountView, _ result: String) -> Response {
        .see(Address.account(account.name).with(note: self.site.notes.keep(result)))
    }
}

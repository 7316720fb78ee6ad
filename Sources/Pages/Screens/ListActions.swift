import RemindavBridge
import RemindavHTML
import RemindavHTTP
import RemindavReminders

// The lists: pages and changes.
extension Visit {
    // MARK: Showing

    func lists(_ query: FormFields) throws -> Response {
        let screen = ListsScreen(
            lists: try self.useCases.lists(),
            ignored: try self.useCases.ignoredLists().map { ListsScreen.Ignored(name: $0.name, account: $0.account) },
            problem: try self.useCases.defaultListError().map { ErrorWords($0).text },
            note: self.note(query),
            token: self.token
        )
        return try self.show(screen, "Lists", .lists)
    }

    func newList() throws -> Response { try self.newList(ListForm()) }

    private func newList(_ values: ListForm, problems: [ListForm.Field: String] = [:]) throws -> Response {
        let screen = NewListScreen(
            values: values,
            accounts: try self.useCases.accounts().map(\.name),
            problems: problems,
            token: self.token
        )
        return try self.show(screen, "New List", .lists, isRefused: !problems.isEmpty)
    }

    func listPage(_ query: FormFields) throws -> Response {
        let list = try self.namedList(query)
        return try self.listPage(list, ListForm(list), note: self.note(query))
    }

    private func listPage(
        _ list: ListView,
        _ values: ListForm,
        problems: [ListForm.Field: String] = [:],
        note: NoteLine? = nil
    ) throws -> Response {
        let screen = ListPage(
            list: list,
            values: values,
            accounts: try self.useCases.accounts().map(\.name),
            problems: problems,
            note: note ?? NoteLine(nil, run: nil, self.token),
            token: self.token
        )
        return try self.show(screen, list.name, .lists, isRefused: !problems.isEmpty)
    }

    func listDeletion(_ query: FormFields) throws -> Response {
        let list = try self.namedList(query)
        return try self.listDeletion(list)
    }

    private func listDeletion(_ list: ListView, problem: String? = nil) throws -> Response {
        let deletion = try self.useCases.listDeletion(of: list.name, localOnly: false)
        let question = ListDeletionQuestion(deletion: deletion, problem: problem, token: self.token)
        return try self.show(question, "Delete List", .lists, isRefused: problem != nil)
    }

    func discarding(_ query: FormFields) throws -> Response {
        let list = try self.namedList(query)
        let waiting = try self.useCases.listDeletion(of: list.name, localOnly: true)
        let question = DiscardQuestion(waiting: waiting, token: self.token)
        return try self.show(question, "Discard Changes", .lists)
    }

    func note(_ query: FormFields) -> NoteLine {
        NoteLine(self.site.notes[query["note"]], run: query.number("did"), self.token)
    }

    /// - Throws: `listNotFound`.
    private func namedList(_ query: FormFields) throws -> ListView {
        let name = query["name"] ?? ""
        guard let list = try self.useCases.lists().first(where: { $0.name == name }) else {
            throw UseCaseError(.listNotFound, subject: name)
        }
        return list
    }

    // MARK: Changes

    func addList(_ fields: FormFields) async throws -> Response {
        let values = ListForm(fields)
        guard !values.name.isEmpty else { return try self.newList(values, problems: [.name: Self.missingName]) }
        let before = try self.newestRun()
        do {
            let account = values.account.isEmpty ? nil : values.account
            let addition = try await self.useCases.addList(
                named: values.name,
                account: account,
                color: values.chosenColor
            )
            let verb = addition.isJoined ? "Connected" : "Created"
            let server = account.map { " on \($0)" } ?? ""
            return try self.see(.lists, "\(verb) the list \"\(addition.list.name)\"\(server).", after: before)
        } catch {
            return try self.newList(values, problems: try Self.problem(error))
        }
    }

    /// Downloads a list that was removed from this computer only.
    func downloadList(_ fields: FormFields) async throws -> Response {
        let name = fields["list"] ?? ""
        let addition = try await self.useCases.addList(named: name, account: fields["account"], color: nil)
        self.site.syncs.start(SyncRequest(account: addition.list.account ?? ""), self.useCases)
        return .see(.listPage(name).with(note: self.site.notes.keep("The list is connected; a sync downloads it.")))
    }

    func editList(_ query: FormFields, _ fields: FormFields) async throws -> Response {
        var list = try self.namedList(query)
        var values = ListForm(fields)
        values.takeUnchanged(from: list, shown: fields)
        guard !values.name.isEmpty else {
            return try self.listPage(list, values, problems: [.name: Self.missingName])
        }
        guard let alarms = values.alarmChange else {
            let known = "Enter due, times before the due time such as 15m, 1h or 1d, with commas between them, or none."
            return try self.listPage(list, values, problems: [.alarms: known])
        }
        let before = try self.newestRun()
        var results: [String] = []
        do {
            if values.name != list.name {
                let old = list.name
                let change = try await self.useCases.renameList(old, to: values.name)
                list = change.list
                results.append("Renamed the list \"\(old)\" to \"\(list.name)\".")
                if let shown = change.serverValue, shown != list.name {
                    results.append("The server still shows \"\(shown)\"; some servers apply changes later.")
                }
            }
            if values.color != ListForm(list).color {
                let change = try await self.useCases.recolorList(list.name, to: values.chosenColor)
                list = change.list
                results.append("Changed the colour of \"\(list.name)\".")
                if let shown = change.serverValue, shown != list.color ?? "" {
                    let color = shown.isEmpty ? "no colour yet" : "the old colour"
                    results.append("The server shows \(color); some servers apply changes later.")
                }
            }
            let former = list.defaults
            let defaults = try self.useCases.setDefaults(ofList: list.name, due: values.dueChange, alarms: alarms)
            if defaults != former { results.append("Changed the defaults of new reminders in \"\(list.name)\".") }
        } catch {
            return try self.listPage(list, values, problems: try Self.problem(error))
        }
        if results.isEmpty { return .see(.lists) }
        return try self.see(.lists, results.joined(separator: " "), after: before)
    }

    func deleteList(_ query: FormFields, _ fields: FormFields) async throws -> Response {
        let list = try self.namedList(query)
        let isOnlyHere = fields["only-here"] != nil
        let deletion = try self.useCases.listDeletion(of: list.name, localOnly: isOnlyHere)
        let before = try self.newestRun()
        do {
            try await self.useCases.deleteList(list.name, localOnly: isOnlyHere)
        } catch let error where UseCaseError.isMissing(error) {
            throw error
        } catch {
            return try self.listDeletion(list, problem: ErrorWords(error).text)
        }
        let result =
            if deletion.state == .synced, isOnlyHere {
                "Removed the list \"\(list.name)\" from this computer; it stays on \(deletion.account ?? "the server")."
            } else {
                "Deleted the list \"\(list.name)\" with \(deletion.reminders.counted("reminder"))."
            }
        return try self.see(.lists, result, after: before)
    }

    func discardEdits(_ query: FormFields) throws -> Response {
        let list = try self.namedList(query)
        let count = try self.useCases.discardEdits(in: list.name)
        let note = self.site.notes.keep("Discarded \(count.counted("change")) in \"\(list.name)\".")
        return .see(Address.lists.with(note: note))
    }

    func keepList(_ query: FormFields) throws -> Response {
        let list = try self.useCases.keepList(try self.namedList(query).name)
        return .see(Address.lists.with(note: self.site.notes.keep("The list \"\(list.name)\" is a local list.")))
    }

    func uploadList(_ query: FormFields, _ fields: FormFields) async throws -> Response {
        let list = try self.namedList(query)
        let account = fields["account"] ?? ""
        do {
            _ = try await self.useCases.addList(named: list.name, account: account, color: nil)
        } catch let error where UseCaseError.isMissing(error) {
            throw error
        } catch {
            return try self.listPage(list, ListForm(list), problems: [.page: ErrorWords(error).text])
        }
        self.site.syncs.start(SyncRequest(account: account), self.useCases)
        let note = "The list \"\(list.name)\" is on \(account) now; a sync sends its reminders."
        return .see(Address.lists.with(note: self.site.notes.keep(note)))
    }

    func makeDefault(_ query: FormFields) throws -> Response {
        let list = try self.useCases.setDefaultList(try self.namedList(query).name)
        return .see(Address.lists.with(note: self.site.notes.keep("New reminders go to \"\(list.name)\".")))
    }

    private static let missingName = "The name of a list cannot be empty."

    /// The problem by its field of the form; an error of a missing list is thrown again.
    private static func problem(_ error: any Error) throws -> [ListForm.Field: String] {
        if UseCaseError.isMissing(error) { throw error }
        let words = ErrorWords(error).text
        guard let code = (error as? UseCaseError)?.code, [.listExists, .listOnServer].contains(code) else {
            return [.page: words]
        }
        return [.name: words]
    }

    /// Shows a page with the result of an operation; if it recorded one run after `before`, the page offers to undo it.
    private func see(_ address: Address, _ result: String, after before: Int64) throws -> Response {
        let runs = try self.useCases.log(limit: 2).filter { $0.account == nil && $0.id > before }
        let text = runs.count > 1 ? "\(result) The log can undo each change." : result
        return .see(address.with(note: self.site.notes.keep(text), run: runs.count == 1 ? runs[0].id : nil))
    }

    /// The number of the newest run; 0 if there is none.
    private func newestRun() throws -> Int64 { try self.useCases.log(limit: 1).first?.id ?? 0 }
}

extension UseCaseError {
    /// Whether the list of a page does not exist any more.
    static func isMissing(_ error: any Error) -> Bool { (error as? UseCaseError)?.code == .listNotFound }
}

import RemindavHTML
import RemindavHTTP

// The addresses of the pages and of the forms.
extension Visit {
    /// The page at an address.
    func page(_ target: Target) async throws -> Response {
        let path = target.path
        if path.isEmpty { return try self.list(target.query) }
        switch path {
        case ["add"]: return try self.newForm()
        case ["alarms"]: return try self.alarms(target.query)
        case ["log"]: return try self.log(target.query)
        case ["trash"]: return try self.trash(target.query)
        case ["labels"]: return try self.labels(target.query)
        case ["labels", "add"]: return try self.newLabel()
        case ["label"]: return try self.editLabel(target.query)
        case ["label", "delete"]: return try self.labelDeletion(target.query)
        case ["lists"]: return try self.lists(target.query)
        case ["lists", "add"]: return try self.newList()
        case ["list"]: return try self.listPage(target.query)
        case ["list", "delete"]: return try self.listDeletion(target.query)
        case ["list", "discard"]: return try self.discarding(target.query)
        case ["sync"]: return try self.syncPage(target.query)
        case ["account"]: return try self.accountPage(target.query)
        case ["account", "certificate"]: return try await self.certificate(target.query)
        case ["account", "remove"]: return try self.accountRemoval(target.query)
        case ["accounts", "add"]: return try self.connectPage(target.query)
        case ["conflicts"]: return try self.conflicts(target.query)
        case ["feeds"]: return try self.feeds()
        case ["settings"]: return try self.settings()
        case ["doctor"]: return try await self.doctor(asksServers: false)
        case ["help"]: return try self.show(HelpScreen(hasCommands: self.site.access.machine != nil), "Help", .help)
        case ["export"]: return try self.export(target.query)
        case ["export", "file"]: return try self.exportFile(target.query)
        case ["import"]: return try self.importForm()
        default: return try self.numberedPage(path) ?? self.site.message(.notFound, status: 404)
        }
    }

    /// The page at an address with a number or a key, such as `/r/12/snooze`; `nil` for an unknown one.
    private func numberedPage(_ path: [String]) throws -> Response? {
        guard (2...3).contains(path.count) else { return nil }
        let part = path.count == 3 ? path[2] : nil
        switch (path[0], part) {
        case ("log", nil): return try self.log(run: path[1])
        case ("import", nil): return try self.importPreview(path[1])
        default: break
        }
        guard let number = Int64(path[1]) else { return nil }
        switch (path[0], part) {
        case ("r", nil): return try self.editForm(number)
        case ("r", let part?): return try self.reminderPage(number, part)
        case ("feeds", nil): return try self.feed(number)
        case ("feeds", "file"): return try self.feedFile(number)
        case ("feeds", "revoke"): return try self.feedRevocation(number)
        default: return nil
        }
    }

    /// Makes the change that a form asks for.
    func change(_ target: Target, _ form: FormFields) async throws -> Response {
        switch target.path {
        case ["quick"]: return try self.quickAdd(form)
        case ["act"]: return try self.act(form)
        case ["undo"]: return try self.undo(form)
        case ["add"]: return try self.add(form)
        case ["alarms"]: return try self.clearAlarms(form)
        case ["alarms", "enable"]: return try form["later"] == nil ? self.enableAlarms() : self.hideAlarmBanner()
        case ["trash"]: return try self.restore(form)
        case ["labels", "add"]: return try self.addLabel(form)
        case ["label"]: return try self.editLabel(target.query, form)
        case ["label", "delete"]: return try self.deleteLabel(target.query)
        case ["lists", "add"]: return try await self.addList(form)
        case ["lists", "download"]: return try await self.downloadList(form)
        case ["list"]: return try await self.editList(target.query, form)
        case ["list", "delete"]: return try await self.deleteList(target.query, form)
        case ["list", "discard"]: return try self.discardEdits(target.query)
        case ["list", "keep"]: return try self.keepList(target.query)
        case ["list", "upload"]: return try await self.uploadList(target.query, form)
        case ["list", "default"]: return try self.makeDefault(target.query)
        case ["sync"]: return try await self.sync(form)
        case ["account"]: return try self.changeAccount(target.query, form)
        case ["account", "password"]: return try await self.changePassword(target.query, form)
        case ["account", "certificate"]: return try self.trustCertificate(target.query, form)
        case ["account", "remove"]: return try self.removeAccount(target.query, form)
        case ["accounts", "add"]: return try await self.connect(target.query, form)
        case ["conflicts"]: return try self.settleConflict(form)
        case ["feeds"]: return try self.createFeed(form)
        case ["settings"]: return try self.signOut(form)
        // The answer is the page itself: the result is not stored, and a second check after a reload is harmless.
        case ["doctor"]: return try await self.doctor(asksServers: true)
        default: return try self.numberedChange(target.path, form) ?? self.site.message(.notFound, status: 404)
        }
    }

    /// Makes the change of a form at an address with a number or a key; `nil` for an unknown one.
    private func numberedChange(_ path: [String], _ form: FormFields) throws -> Response? {
        guard (2...3).contains(path.count) else { return nil }
        let part = path.count == 3 ? path[2] : nil
        if path[0] == "import", part == nil { return try self.confirmImport(path[1]) }
        guard let number = Int64(path[1]) else { return nil }
        switch (path[0], part) {
        case ("r", nil): return try self.edit(number, form)
        case ("feeds", nil): return try self.renameFeed(number, form)
        case ("feeds", "revoke"): return try self.revokeFeed(number)
        default: return nil
        }
    }
}

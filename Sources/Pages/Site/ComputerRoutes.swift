import HTML
import HTTP

extension Visit {
    /// The page about feeds, files, settings or this computer at an address; `nil` for another address.
    func computerPage(_ target: Target) async throws -> Response? {
        switch target.path {
        case ["feeds"]: return try self.feeds()
        case ["settings"]: return try self.settings()
        case ["doctor"]: return try await self.doctor(asksServers: false)
        case ["help"]: return try self.show(HelpScreen(), "Help", .help)
        case ["export"]: return try self.export(target.query)
        case ["export", "file"]: return try self.exportFile(target.query)
        case ["import"]: return try self.importForm()
        default: break
        }
        if target.path.count == 2, target.path[0] == "import" { return try self.importPreview(target.path[1]) }
        guard let number = Self.feedNumber(target) else { return nil }
        switch target.path.dropFirst(2) {
        case []: return try self.feed(number)
        case ["file"]: return try self.feedFile(number)
        case ["revoke"]: return try self.feedRevocation(number)
        default: return nil
        }
    }

    /// Makes a change about feeds, files, settings or this computer; `nil` for another address.
    func computerChange(_ target: Target, _ form: FormFields) async throws -> Response? {
        switch target.path {
        case ["feeds"]: return try self.createFeed(form)
        case ["settings"]: return try self.signOut(form)
        // The answer is the page itself: the result is not stored, and a second check after a reload is harmless.
        case ["doctor"]: return try await self.doctor(asksServers: true)
        default: break
        }
        if target.path.count == 2, target.path[0] == "import" { return try self.confirmImport(target.path[1]) }
        guard let number = Self.feedNumber(target) else { return nil }
        switch target.path.dropFirst(2) {
        case []: return try self.renameFeed(number, form)
        case ["revoke"]: return try self.revokeFeed(number)
        default: return nil
        }
    }

    private static func feedNumber(_ target: Target) -> Int64? {
        target.path.first == "feeds" && target.path.count > 1 ? Int64(target.path[1]) : nil
    }
}

import Bridge
import HTML
import HTTP
import ICalendar
import Reminders

/// A request of a signed-in browser.
struct Visit: Sendable {
    let site: Site
    /// The token for the forms of the page.
    let token: String
    let request: Request

    var useCases: UseCases { self.request.method == "POST" ? self.site.useCases : self.site.reading }

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
        default: break
        }
        if path.count == 2, path[0] == "log" { return try self.log(run: path[1]) }
        if path.count == 2, path[0] == "r", let id = Int64(path[1]) { return try self.editForm(id) }
        if path.count == 3, path[0] == "r", let id = Int64(path[1]), let page = try self.reminderPage(id, path[2]) {
            return page
        }
        return try await self.computerPage(target) ?? self.site.message(.notFound, status: 404)
    }

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
        default:
            if let response = try await self.computerChange(target, form) { return response }
            guard target.path.count == 2, target.path[0] == "r", let id = Int64(target.path[1]) else {
                return self.site.message(.notFound, status: 404)
            }
            return try self.edit(id, form)
        }
    }

    var dueText: DueText { DueText(zone: self.site.preferences.zone, now: self.useCases.now) }

    /// A page with the number of unacknowledged alarms in its bar, and the failed syncs.
    ///
    /// - Parameters:
    ///   - side: the filters of the list, beside or below the content.
    ///   - isRefused: whether the content is a form with problems; then the title begins with `Error`.
    ///   - status: `nil` for 200, or 422 if `isRefused`.
    ///   - isSecret: whether a browser must not keep the page.
    func show<Content: HTML>(
        _ content: Content,
        _ title: String,
        _ current: Frame<Content>.Screen? = .reminders,
        side: FilterPart? = nil,
        isRefused: Bool = false,
        status: Int? = nil,
        isSecret: Bool = false
    ) throws -> Response {
        let title = isRefused ? "Error: \(title)" : title
        var frame = Frame(title, current: current, token: self.token, alarms: try self.firedAlarms) { content }
        frame.problems = (try? self.syncProblems()) ?? []
        frame.side = side
        return .page(frame, status: status ?? (isRefused ? 422 : 200), isSecret: isSecret)
    }

    /// The number of reminders with an unacknowledged alarm; 0 until it is known.
    var firedAlarms: Int { get throws { try self.site.alarms.count() ?? 0 } }

    /// The run that the parameter `did` names; `nil` also if the log no longer has it.
    func run(_ query: FormFields) throws -> RunView? {
        guard let number = query["did"].flatMap({ Int64($0) }) else { return nil }
        do {
            return try self.useCases.log(run: number).run
        } catch let error as UseCaseError where error.code == .runNotFound {
            return nil
        }
    }

    /// The accounts whose last sync failed, for the frame of the page.
    private func syncProblems() throws -> [SyncProblem] {
        try self.useCases.accountStates(countsUnsent: false).compactMap { SyncProblem($0, self.dueText) }
    }
}

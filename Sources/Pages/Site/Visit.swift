import RemindavBridge
import RemindavHTML
import RemindavHTTP
import RemindavICalendar
import RemindavReminders

/// A request of a signed-in browser.
struct Visit: Sendable {
    let site: Site
    /// The token for the forms of the page.
    let token: String
    let request: Request

    /// The use cases for a change, or for a page, which does not wait for a change.
    var useCases: UseCases { self.request.method == "POST" ? self.site.useCases : self.site.reading }

    /// Due times in words at the time of the request.
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
        frame.hasSignOut = self.site.access.machine != nil
        return .page(frame, status: status ?? (isRefused ? 422 : 200), isSecret: isSecret)
    }

    /// The number of reminders with an unacknowledged alarm; 0 until it is known.
    var firedAlarms: Int { get throws { try self.site.alarms.count() ?? 0 } }

    /// The run that the parameter `did` names; `nil` also if the log no longer has it.
    func runDetails(_ query: FormFields) throws -> RunDetails? {
        guard let number = query.number("did") else { return nil }
        do {
            return try self.useCases.log(run: number)
        } catch let error as UseCaseError where error.code == .runNotFound {
            return nil
        }
    }

    /// The accounts whose last sync failed, for the frame of the page.
    private func syncProblems() throws -> [SyncProblem] {
        try self.useCases.accountStates(countsUnsent: false).compactMap { SyncProblem($0, self.dueText) }
    }
}

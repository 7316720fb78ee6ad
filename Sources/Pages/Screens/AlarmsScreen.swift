import RemindavBridge
import RemindavHTML
import RemindavHTTP
import RemindavICalendar
import RemindavReminders

extension Visit {
    func alarms(_ query: FormFields) throws -> Response {
        let limit = query["all"] == nil ? AlarmsScreen.limit : nil
        let screen = AlarmsScreen(
            state: self.site.access.machine?.computer.alarms(),
            fired: try self.site.alarms.fired(limit: limit),
            next: try self.site.alarms.pending(limit: limit),
            hasMuted: self.site.preferences.muted != MuteRules(),
            run: try self.runDetails(query)?.run,
            moment: self.useCases.now,
            dueText: self.dueText,
            token: self.token
        )
        return try self.show(screen, "Alarms", .alarms)
    }

    /// Acknowledges the alarms of one reminder, or of all, that fired before the page was shown.
    ///
    /// The button has the word of the command `alarms clear`.
    func clearAlarms(_ fields: FormFields) throws -> Response {
        let id = fields.number("clear")
        guard id != nil || fields["clear"] == "all" else { return self.site.message(.notFound, status: 404) }
        let now = self.useCases.now
        let shown = fields.number("until").map { Instant(secondsSince1970: $0) } ?? now
        let clearing = try self.useCases.clearAlarms(
            of: id,
            upTo: min(shown, now),
            settings: self.site.preferences.alarms,
            muted: self.site.preferences.muted
        )
        return .see(Address.alarms.with(run: clearing.run))
    }

    func enableAlarms() throws -> Response {
        guard let machine = self.site.access.machine else { return self.site.message(.notFound, status: 404) }
        let report = machine.computer.enableAlarms()
        if report.isComplete { return .see(.alarms) }
        return try self.show(EnablingProblem(sentences: report.sentences), "Not Complete", .alarms, status: 422)
    }

    // MARK: The banner

    /// Seconds for which "Maybe Later" hides the banner.
    private static let bannerPauseSeconds: Int64 = 30 * 86400

    /// The browser keeps the answer "Maybe Later" as a cookie, which it removes at the end of the pause.
    private var bannerCookie: String { "\(self.site.cookieName(self.request))-later" }

    var showsAlarmBanner: Bool {
        guard let machine = self.site.access.machine else { return false }
        return Cookies(self.request.headers)[self.bannerCookie] == nil && !machine.computer.deliversAlarms()
    }

    func hideAlarmBanner() -> Response {
        let pause = Self.bannerPauseSeconds
        return .see(.list, cookie: self.site.cookie(self.bannerCookie, "1", seconds: pause, for: self.request))
    }
}

/// The next alarms, those that fired, and whether alarms are delivered.
struct AlarmsScreen: Part {
    /// The maximum number of alarms of each section on a page; few people read more at a time.
    static let limit = 50

    /// `nil` for a person of a host, whose alarms no service of this machine delivers.
    let state: Computer.AlarmState?
    let fired: AlarmTable.Part<FiredAlarm>
    let next: AlarmTable.Part<AlarmView>
    let hasMuted: Bool
    let run: RunView?
    /// The time of the page; its buttons do not acknowledge later alarms.
    let moment: Instant
    let dueText: DueText
    let token: String

    var body: some HTML {
        let (dueText, token) = (self.dueText, self.token)
        h1 { "Alarms" }
        StatusLine(self.run, token)
        if let state = self.state {
            if state.isOn {
                p { state.sentence }
            } else {
                AlarmBanner(sentence: state.sentence, token: token)
            }
        }
        h2 { "Unacknowledged alarms (\(self.fired.count))" }
        if self.fired.count == 0 {
            p { "There are no unacknowledged alarms." }
        } else {
            form(.action(.alarms), .isPosted) {
                TokenField(token)
                input(.type(.hidden), .name("until"), .value(String(self.moment.secondsSince1970)))
                ul(.class("rows card"), .role(.list)) {
                    Each(self.fired.alarms) { alarm in
                        AlarmRow(alarm: alarm.view, dueText: dueText, isReadOnly: alarm.isReadOnly, isFired: true)
                    }
                }
                p { button(.class("button"), .name("clear"), .value("all")) { "Clear all" } }
            }
            if self.fired.alarms.count < self.fired.count {
                p { a(.class("button"), .href(.allAlarms)) { "Show all \(self.fired.count) fired alarms" } }
            }
        }
        h2 { "Next alarms (\(self.next.count))" }
        if self.next.count == 0 { p { "No alarm is pending." } }
        ul(.class("rows card"), .role(.list)) {
            Each(self.next.alarms) { alarm in
                AlarmRow(alarm: alarm, dueText: dueText, isReadOnly: false, isFired: false)
            }
        }
        if self.next.alarms.count < self.next.count {
            p { a(.class("button"), .href(.allAlarms)) { "Show all \(self.next.count)" } }
        }
        if self.hasMuted { p { "Alarms of muted lists and labels are not shown." } }
    }
}

/// An alarm with the link to its reminder and, if it fired, the button that acknowledges it.
private struct AlarmRow: Part {
    let alarm: AlarmView
    let dueText: DueText
    let isReadOnly: Bool
    let isFired: Bool

    var body: some HTML {
        let title = self.alarm.alarm.title.shownTitle
        li(.class("row")) {
            a(.class("open"), .href(.reminder(self.alarm.reminder))) {
                bdi { title }
                small {
                    self.dueText.moment(self.alarm.alarm.fires)
                    if self.alarm.repeats { ", repeats" }
                    if self.alarm.alarm.cause == .snooze { ", snoozed" }
                    ", in "
                    bdi { self.alarm.list }
                    if self.isReadOnly { ", which is read-only, so the alarm stays" }
                }
            }
            if self.isFired, !self.isReadOnly {
                button(
                    .class("button"),
                    .name("clear"),
                    .value(String(self.alarm.reminder)),
                    .label("Clear: \(title)")
                ) { "Clear" }
            }
        }
    }
}

/// The steps of an attempt to enable alarms that is not complete.
struct EnablingProblem: Part {
    let sentences: [String]

    var body: some HTML {
        h1 { "Notifications are not enabled yet" }
        Each(self.sentences) { sentence in p { sentence } }
        p(.class("bar")) { a(.class("button"), .href(.alarms), .hasFocus) { "Alarms" } }
    }
}

/// The offer to turn alarms on.
struct AlarmBanner: Part {
    /// The remaining step for the user; empty before the service is installed.
    var sentence = ""
    let token: String

    var body: some HTML {
        form(.class("card form"), .action(.enableAlarms), .isPosted) {
            TokenField(self.token)
            h2 { Words.enableNotifications }
            p { Words.whyNotifications }
            if !self.sentence.isEmpty { p { self.sentence } }
            p(.class("bar")) {
                button(.class("button main-button")) { Words.enableNotifications }
                button(.class("button"), .name("later"), .value("1")) { Words.maybeLater }
            }
        }
    }
}

import RemindavHTML

/// The parts that all pages have: the title, the bar with the links to the screens, and the content.
struct Frame<Content: HTML>: Part {
    enum Screen: CaseIterable, Sendable {
        case reminders, labels, lists, sync, alarms, feeds, log, trash, settings, help

        var name: String {
            switch self {
            case .reminders: "Reminders"
            case .labels: "Labels"
            case .lists: "Lists"
            case .sync: "Sync"
            case .alarms: "Alarms"
            case .feeds: "Feeds"
            case .log: "Log"
            case .trash: "Trash"
            case .settings: "Settings"
            case .help: "Help"
            }
        }

        var address: Address {
            switch self {
            case .reminders: .list
            case .labels: .labels
            case .lists: .lists
            case .sync: .sync
            case .alarms: .alarms
            case .feeds: .feeds
            case .log: .log
            case .trash: .trash
            case .settings: .settings
            case .help: .help
            }
        }
    }

    let name: String
    let current: Screen?
    /// The token of the sign-in; `nil` for a page without one.
    let token: String?
    /// The number of unacknowledged alarms.
    let alarms: Int
    /// The failed syncs.
    var problems: [SyncProblem] = []
    let content: Content
    /// The filters of the list, in the column of the bar on wide screens, and below the content on others.
    var side: FilterPart?
    /// Whether the page can end the sign-in; that of a reverse proxy ends there.
    var hasSignOut = true

    init(_ name: String, current: Screen?, token: String?, alarms: Int = 0, @HTMLBuilder content: () -> Content) {
        self.name = name
        self.current = current
        self.token = token
        self.alarms = alarms
        self.content = content()
    }

    var body: some HTML {
        let (current, alarms) = (self.current, self.alarms)
        Document {
            title { self.name }
            meta(.name("viewport"), .content("width=device-width, initial-scale=1"))
            link(.isIcon, .href(Asset.icon.address))
            link(.isStylesheet, .href(Asset.style.address))
            if self.token != nil { ScriptFile(Asset.script.address) }
        } content: {
            a(.class("skip"), .href(Address.anchor("main"))) { "Skip to content" }
            if let token = self.token {
                nav(.class("bar"), .label("Main")) {
                    Each(Screen.allCases) { screen in
                        a(.href(screen.address), screen == current ? .currentPage : nil) {
                            screen.name
                            if screen == .reminders, alarms > 0 {
                                " "
                                span(.class("count")) {
                                    "\(alarms)"
                                    span(.class("hint")) {
                                        alarms == 1 ? " unacknowledged alarm" : " unacknowledged alarms"
                                    }
                                }
                            }
                        }
                    }
                    if self.hasSignOut {
                        form(.action(.signOut), .isPosted) {
                            TokenField(token)
                            button(.class("button")) { "Sign out" }
                        }
                    }
                }
            }
            main(.id("main"), .tabIndex(-1)) {
                SyncProblemLines(self.problems)
                self.content
            }
            self.side
        }
    }
}

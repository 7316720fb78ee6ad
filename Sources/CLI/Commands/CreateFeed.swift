import RemindavBridge

struct CreateFeed: Command {
    static let page = CommandPage(
        name: "feed create",
        summary: "Create an address that a calendar can subscribe to",
        usage: [
            "[--name NAME] [--list NAME] [--label NAME]... [--style STYLE]",
            "[--private] [--alarms] [--feed-address URL] [--json]",
        ],
        options: [
            Option("--name", value: "NAME", "The name of the calendar; default: that of the list or label"),
            Option("--list", value: "NAME", "Only reminders in this list"),
            .labelFilter,
            Option("--style", value: "STYLE", "event, todo or both; default: event"),
            Option("--private", "Publish PRIVATE and CONFIDENTIAL reminders in full"),
            Option("--alarms", "Publish the alarms that the reminders have"),
            .feedAddress,
            .json,
        ],
        details: """
            Every user of the address can read the feed. The address is shown only once, because
            the store does not contain it. The feed is available while 'remindav serve' runs, and that
            of a tenant while 'remindav host run' runs.
            Without --private, a reminder marked PRIVATE has the title Busy and no notes, and a
            reminder marked CONFIDENTIAL is omitted.

            Without --alarms, an event has one alarm when its reminder is due, and a to-do has no
            alarm. Most calendar programs ignore the alarms of a subscription, or ask first.

            The style event shows dated reminders in all calendar programs. todo and both are for
            the few programs that show tasks of a subscription.
            """,
        examples: [
            "remindav feed create --label work": "an address for the reminders with the label work",
            "remindav feed create --name Family --list Home": "a calendar with the name Family",
        ],
        exits: [.notFound]
    )

    let name: String?
    let list: String?
    let labels: [String]
    let style: FeedForm
    let showsPrivate: Bool
    let showsAlarms: Bool
    let site: FeedSite?
    let isJSON: Bool

    init(_ arguments: inout Arguments) throws(UsageError) {
        self.name = arguments.value("--name")
        self.list = arguments.value("--list")
        self.labels = try ArgumentValues.labels(arguments.values("--label"))
        self.style =
            try arguments.value("--style").map { word throws(UsageError) in
                guard let style = FeedForm(rawValue: word) else {
                    throw UsageError(
                        .badValue,
                        "'--style' must be event, todo or both, not '\(Sanitizer.excerpt(word))'."
                    )
                }
                return style
            } ?? .event
        self.showsPrivate = arguments.flag("--private")
        self.showsAlarms = arguments.flag("--alarms")
        self.site = try arguments.feedAddress()
        self.isJSON = arguments.flag("--json")
    }

    func run(in context: Context) async throws -> ExitStatus {
        let useCases = try context.useCases(.create)
        try useCases.check(list: self.list, labels: [])
        let unknown = try useCases.unknownLabel(among: self.labels)
        let feed = try useCases.createFeed(
            named: self.name,
            list: self.list,
            labels: self.labels,
            style: self.style,
            showsPrivate: self.showsPrivate,
            showsAlarms: self.showsAlarms
        )
        let isOfTenant = context.options.tenant != nil
        let settings = context.settings
        let site = self.site ?? (isOfTenant ? settings.hostFeedAddress : settings.feedAddress)
        let subscription = Subscription(feed.path ?? "", site: site, port: context.settings.port)
        if self.isJSON {
            try context.output.print(json: PublishedFeed(feed: feed, subscription: subscription))
        } else {
            if let unknown {
                context.output.complain(ErrorMessages.explain(unknown))
                context.output.remark("The feed exists, and is empty until a reminder has the label.")
            }
            // Standard output has only the address, for scripts.
            try context.output.print(StyledText(subscription.address))
            for line in subscription.advice(number: feed.id, tenant: context.options.tenant) {
                context.output.remark(StyledText(line))
            }
        }
        return .success
    }
}

extension Subscription {
    /// Lines for the user after the creation of the feed; `number` is that of the feed.
    ///
    /// - Parameter tenant: the name of the tenant whose feed it is; `nil` for the store of this user.
    func advice(number: Int64, tenant: String?) -> [String] {
        let server =
            tenant != nil
            ? "'remindav host run' runs."
            : "'remindav serve' runs; 'remindav service install --web' starts it at each sign-in."
        let help = tenant == nil ? ": 'remindav help serve'" : " of the host"
        let once = "This address is shown only once. It is available while \(server)"
        let webcal = "As a webcal address: \(self.webcal)"
        guard self.isPublic else {
            return [
                webcal, once,
                "Only programs on this computer can use it. For Google, Outlook and phones there are three ways:",
                "- a web server with TLS as a proxy, and its address in the setting 'feed-address'\(help)",
                "- a file on a web server: 'remindav feed write \(number) -o FILE'",
                "- a file on a WebDAV server such as Nextcloud: 'remindav feed push \(number) URL --user NAME'",
            ]
        }
        return [webcal] + Self.programs + [once]
    }
}

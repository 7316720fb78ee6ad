import RemindavBridge
import RemindavDatePhrases
import RemindavICalendar
import RemindavJSON

/// Expands a file; with `--dtstart` it expands a rule, as ``ExpandRule`` does.
struct ExpandFile: Command {
    static let page = CommandPage(
        name: "ics expand",
        summary: "Show the occurrences in an .ics file",
        usage: [
            "FILE|- [--from T] [--to T] [--limit N] [--json]",
            "--dtstart T [--tzid ZONE] [--rrule RULE]... (as 'remindav expand')",
        ],
        operands: [Operand("FILE", .optional, "The file; '-' is standard input")],
        options: [.from, .to, .limit, Option("--json", "Answer in JSON, for programs; only with FILE")]
            + ExpandRule.ruleOptions,
        details: """
            One occurrence per line, in order of time, with tabs between: start, end or due time,
            component, UID, RECURRENCE-ID, 'cancelled', 'moved', 'changed' or '-', and title. A
            missing value is '-'. A time is in its own zone, with its offset; a floating time has no
            offset. Overrides, exceptions and additional dates are applied.
            --from and --to are in the local zone; an occurrence is shown if it overlaps this time. A
            to-do without a date has no occurrence. If a rule has no end, the first 1000 are shown
            unless --to or --limit is given. Components that cannot be expanded are reported
            (status 3).
            """,
        examples: [
            "remindav ics expand tasks.ics --from today --to 2026-12-31": "the occurrences until the end of the year",
            "remindav ics expand - --from 20260101 --to 20270101 --json": "standard input, for programs",
        ],
        exits: [.partial]
    )

    static let isPaged = true

    private enum Task {
        case rule(ExpandRule)
        case file(String)
    }

    private let task: Task
    let from: TimeBound?
    let to: TimeBound?
    let limit: Int?
    let isJSON: Bool

    init(_ arguments: inout Arguments) throws(UsageError) {
        self.from = try ArgumentValues.bound(arguments, "--from")
        self.to = try ArgumentValues.bound(arguments, "--to")
        self.limit = try ArgumentValues.limit(arguments)
        self.isJSON = arguments.flag("--json")
        let path = arguments.optionalOperand()
        let isRule = ExpandRule.ruleOptions.contains { !arguments.values($0.name).isEmpty }
        switch (path, isRule) {
        case (let path?, false): self.task = .file(path)
        case (nil, true):
            if self.isJSON { throw UsageError(.badValue, "'--json' needs a FILE: the dates of a rule are plain text.") }
            var rule = try ExpandRule(&arguments)
            rule.command = Self.page.name
            self.task = .rule(rule)
        case (_?, true): throw UsageError(.badValue, "FILE cannot be combined with the options of a rule.")
        case (nil, false): throw UsageError(.missingOperand, "FILE is missing, or '--dtstart' for a rule.")
        }
    }

    func run(in context: Context) async throws -> ExitStatus {
        switch self.task {
        case .rule(let rule): try await rule.run(in: context)
        case .file(let path): try self.expand(path, context)
        }
    }

    private func expand(_ path: String, _ context: Context) throws -> ExitStatus {
        let source = try context.source(path)
        let bytes = try source.contents(limit: CheckFile.limit, line: CheckFile.longestLine)
        var expansion = try self.expansion(of: bytes, named: source.name, context)
        let isOpen = self.limit == nil && self.to == nil && expansion.isOpen
        let limit = self.limit ?? (isOpen ? ExpandRule.defaultLimit : Expansion.maximum)
        var writer = ChunkWriter(context.output)
        var count = 0
        let hasMore = try expansion.forEach(limit: limit) { occurrence in
            if self.isJSON {
                try writer.add((count == 0 ? "[\n" : ",\n").utf8)
                try writer.add(occurrence.json)
            } else {
                try writer.line(Self.line(occurrence))
            }
            count += 1
        }
        if self.isJSON { try writer.add((count == 0 ? "[]\n" : "\n]\n").utf8) }
        try writer.flush()
        context.output.complain(about: expansion.issues, of: expansion.issueCount, in: source.name)
        let status: ExitStatus = expansion.issues.isEmpty ? .success : .partial
        guard hasMore, self.limit == nil else { return status }
        let more = Expansion.reportMore(after: limit, isOpen: isOpen, context.output)
        return status == .success ? more : status
    }

    private func expansion(of bytes: [UInt8], named name: String, _ context: Context) throws -> FileExpansion {
        let zone = try context.localZone()
        return try FileExpansion(
            bytes,
            named: name,
            from: self.from?.moment(now: context.now, zone: zone),
            to: self.to?.moment(now: context.now, zone: zone),
            zones: Configuration.systemZones(environment: context.environment),
            localZone: zone.name
        )
    }

    private static func line(_ occurrence: OccurrenceView) -> String {
        let state =
            occurrence.status == "CANCELLED"
            ? "cancelled" : occurrence.isMoved ? "moved" : occurrence.isOverridden ? "changed" : nil
        let fields = [
            occurrence.start, occurrence.end, occurrence.component, occurrence.uid, occurrence.recurrenceID, state,
            occurrence.summary,
        ]
        return fields.map { $0.map(Sanitizer.line) ?? "-" }.joined(separator: "\t")
    }
}

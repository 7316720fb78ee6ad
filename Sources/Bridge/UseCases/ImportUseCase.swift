import ICalendar
import Reminders
import Store

extension UseCases {
    /// Bytes read from a file at a time.
    private static let pieceBytes = 1 << 18

    /// Brings the to-dos of an iCalendar stream into a list, in one transaction: all of them or, if the stream breaks off,
    /// none.
    ///
    /// A to-do that is here already is replaced where the file's is newer; the same one stays as it is. The memory
    /// needed is that of the largest to-do, however long the stream.
    ///
    /// - Parameters:
    ///   - list: the list's name; made when there is none. `nil` for the one that is used when none is named.
    ///   - progress: called now and then with the number of to-dos so far.
    package func importCalendar(
        _ source: ByteSource,
        list name: String?,
        dryRun: Bool,
        progress: @Sendable (Int) -> Void
    ) throws -> ImportReport {
        let reader = self.reader
        let now = self.seconds
        if let existing = try self.existingList(name), existing.isReadOnly {
            throw UseCaseError(.listIsReadOnly, subject: existing.name)
        }
        return try self.store.write { transaction in
            var target = try transaction.list(namedOrStandard: name)
            if target == nil {
                let id = try transaction.insertList(named: name ?? Self.firstListName, at: now)
                target = try transaction.list(id)
            }
            guard let target else { throw UseCaseError(.listNotFound, subject: name) }
            var stream = StreamImport(list: target, searchesEverywhere: name == nil, reader: reader)
            try stream.run(source, pieceBytes: Self.pieceBytes, in: transaction, progress: progress)
            if dryRun { transaction.discard() }
            return stream.report
        }
    }

    private func existingList(_ name: String?) throws -> ListRecord? {
        try self.store.read { snapshot in try snapshot.list(namedOrStandard: name) }
    }
}

extension IssueView {
    init(_ issue: ParseIssue) {
        self.init(
            line: issue.line,
            code: issue.code.rawValue,
            severity: issue.code.severity.rawValue,
            subject: issue.subject,
            message: issue.message,
            advice: issue.advice,
            more: issue.more
        )
    }
}

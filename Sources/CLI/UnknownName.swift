import RemindavBridge
import RemindavDatePhrases
import RemindavReminders

/// The error about an unknown list, label or account, with the most similar existing name.
struct UnknownName: Error, Hashable, Sendable {
    let error: UseCaseError
    let nearest: String?
    /// The label with the name of an unknown list of a filter; `nil` if there is none.
    var label: String?
}

extension UseCases {
    /// - Throws: ``UnknownName`` for a list or label that does not exist; an empty result would look correct.
    func check(list: String?, labels: [String]) throws {
        if let list {
            let names = try self.listNames()
            guard names.contains(where: { $0.lowercased() == list.lowercased() }) else {
                throw UnknownName(.listNotFound, list, among: names)
            }
        }
        if let unknown = try self.unknownLabel(among: labels) { throw unknown }
    }

    /// - Parameter shown: the found reminders; the store is read only for labels that none of these reminders has.
    func unknownLabel(among labels: [String], shown: some Sequence<ReminderView>) throws -> UnknownName? {
        var unseen = labels.map { (name: $0, key: LabelKey($0)) }
        for reminder in shown {
            if unseen.isEmpty { return nil }
            let keys = Set(reminder.labels.map { LabelKey($0) })
            unseen.removeAll { keys.contains($0.key) }
        }
        return try self.unknownLabel(among: unseen.map(\.name))
    }

    func unknownLabel(among labels: [String]) throws -> UnknownName? {
        guard !labels.isEmpty else { return nil }
        let names = try self.labels().map(\.name)
        let keys = Set(names.map { LabelKey($0) })
        return labels.first { !keys.contains(LabelKey($0)) }.map { UnknownName(.labelNotFound, $0, among: names) }
    }
}

extension UnknownName {
    /// Adds the most similar name to an error about an unknown list, label or account.
    static func guessing(_ error: any Error, _ useCases: () throws -> UseCases) -> any Error {
        guard let unknown = error as? UseCaseError, let name = unknown.subject else { return error }
        let names: [String]?
        switch unknown.code {
        case .listNotFound: names = try? useCases().listNames()
        case .labelNotFound, .noLabelToMergeInto: names = try? useCases().labels().map(\.name)
        case .accountNotFound: names = try? useCases().accounts().map(\.name)
        default: names = nil
        }
        return names.map { UnknownName(unknown.code, name, among: $0) } ?? error
    }

    fileprivate init(_ code: UseCaseError.Code, _ name: String, among names: [String]) {
        self.error = UseCaseError(code, subject: name)
        self.nearest = Spelling.nearestName(to: name, among: names)
    }
}

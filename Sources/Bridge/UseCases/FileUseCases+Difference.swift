import ICalendar
package import JSON

/// What one component of two files says differently.
package struct DifferenceView: Hashable, Sendable {
    /// What happened to it from the first file to the second.
    package enum Kind: String, Sendable {
        case added, removed, changed
    }

    /// What one property says differently.
    package struct Property: Hashable, Sendable {
        /// The name in capitals.
        package let name: String
        /// The values in the first file; none when it is new.
        package let old: [String]
        /// The values in the second file; none when it is gone.
        package let new: [String]
    }

    /// What happened.
    package let kind: Kind
    /// The component's name in capitals: `VTODO`.
    package let component: String
    /// UID, or of a time zone TZID; `nil` when there is none.
    package let uid: String?
    /// RECURRENCE-ID as it is written; `nil` when there is none.
    package let recurrenceID: String?
    /// The title; `nil` when there is none.
    package let summary: String?
    /// The line of its BEGIN, in the second file; of one that was removed, in the first.
    package let line: Int
    /// What its properties say differently.
    package let properties: [Property]
    /// What the components inside say differently.
    package let components: [DifferenceView]

    init(_ difference: ComponentDifference) {
        let component = difference.component
        self.kind =
            switch difference.kind {
            case .added: .added
            case .removed: .removed
            case .changed: .changed
            }
        self.component = component.name.canonical
        self.uid = component.first(component.name == .vtimezone ? .tzid : .uid)?.text
        self.recurrenceID = component.recurrenceID?.value
        self.summary = component.first(.summary)?.text
        self.line = component.line
        self.properties = difference.properties.map { Property(name: $0.name, old: $0.old, new: $0.new) }
        self.components = difference.components.map { Self($0) }
    }
}

extension UseCases {
    /// What two files say differently; none when both say the same.
    package static func diff(
        _ old: (bytes: [UInt8], name: String),
        _ new: (bytes: [UInt8], name: String)
    ) throws -> [DifferenceView] {
        let documents = try [old, new].map { file in
            let document = ICalendarDocument(file.bytes)
            guard document.isICalendar else { throw UseCaseError.noCalendar(file.bytes, named: file.name) }
            return document
        }
        return ComponentDifference.between(documents[0], documents[1]).map { DifferenceView($0) }
    }
}

extension DifferenceView: JSONRecord {
    package static let jsonMembers: [JSONMember<Self>] = [
        JSONMember("change") { $0.kind.rawValue },
        JSONMember("component") { $0.component },
        JSONMember("uid") { $0.uid },
        JSONMember("recurrenceId") { $0.recurrenceID },
        JSONMember("summary") { $0.summary },
        JSONMember("line") { $0.line },
        JSONMember("properties") { $0.properties },
        JSONMember("components") { $0.components },
    ]
}

extension DifferenceView.Property: JSONRecord {
    package static let jsonMembers: [JSONMember<Self>] = [
        JSONMember("name") { $0.name },
        JSONMember("old") { $0.old },
        JSONMember("new") { $0.new },
    ]
}

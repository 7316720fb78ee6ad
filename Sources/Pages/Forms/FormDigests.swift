import RemindavHTTP

/// The digests of the fields as a form showed them, in a fixed order; the form contains them as a hidden field.
///
/// They tell which fields a person has changed, so that a field that was changed elsewhere meanwhile is not overwritten.
struct FormDigests: Sendable {
    /// 64 bits are enough to notice a change, and a collision in a form harms only its own user.
    private static let digits = 16
    private let digests: [String]

    init(_ texts: [String]) { self.digests = texts.map { Self.digest($0) } }

    /// - Returns: `nil` if the text has not one digest for each field.
    init?(_ text: String?, count: Int) {
        self.digests = (text ?? "").split(separator: " ").map(String.init)
        guard self.digests.count == count else { return nil }
    }

    var text: String { self.digests.joined(separator: " ") }

    /// The digest of a text as a browser returns it, so that a field that a person did not touch counts as unchanged.
    ///
    /// A page shows control characters as U+FFFD, and a browser sends each line end as CR LF.
    private static func digest(_ text: String) -> String {
        var returned = String.UnicodeScalarView()
        for scalar in text.replacing("\r\n", with: "\n").unicodeScalars {
            switch scalar {
            case "\n", "\r": returned.append("\n")
            case "\t": returned.append(scalar)
            default: returned.append(scalar.properties.generalCategory == .control ? "\u{FFFD}" : scalar)
            }
        }
        return String(SHA256(String(returned).utf8).hexadecimal.prefix(self.digits))
    }

    /// Whether the field at a position showed a text.
    func match(_ position: Int, _ text: String) -> Bool { self.digests[position] == Self.digest(text) }
}

extension FormDigests {
    init(_ form: ReminderForm) { self.init(ReminderForm.Field.allCases.map { form.returnedText(of: $0) }) }

    /// The digests in the form of a reminder; `nil` without them.
    init?(_ fields: FormFields) { self.init(fields["was"], count: ReminderForm.Field.allCases.count) }

    /// Whether a form has the text of a field that these digests were made of.
    func match(_ field: ReminderForm.Field, of form: ReminderForm) -> Bool {
        ReminderForm.Field.allCases.firstIndex(of: field).map { self.match($0, form.returnedText(of: field)) } ?? false
    }
}

extension ReminderForm {
    /// The text of a field as a browser returns it: a field of one line has no line ends.
    fileprivate func returnedText(of field: Field) -> String {
        let text = self.text(of: field)
        if field == .notes { return text }
        return String(String.UnicodeScalarView(text.unicodeScalars.filter { $0 != "\n" && $0 != "\r" }))
    }
}

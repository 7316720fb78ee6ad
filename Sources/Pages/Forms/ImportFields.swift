import RemindavBridge
import RemindavHTML
import RemindavHTTP
import RemindavICalendar
import RemindavReminders
import RemindavTaskFormats

/// The texts and choices in the form of an import.
struct ImportFields: Hashable, Sendable {
    /// The pasted text.
    var text = ""
    /// The name of the list; empty for the lists of the file or the default list.
    var list = ""
    var newList = ""
    /// The name of the format; empty to detect it.
    var format = ""
    /// The word for the order of day and month; empty to find it from the dates.
    var dateOrder = ""
    var makesLists = false
    var importsEvents = false
    var copies = false

    init() {}

    init(_ fields: FormFields) {
        self.text = fields["text"] ?? ""
        self.list = fields["list"] ?? ""
        self.newList = fields["new-list"] ?? ""
        self.format = fields["format"] ?? ""
        self.dateOrder = fields["date-order"] ?? ""
        self.makesLists = fields["make-lists"] != nil
        self.importsEvents = fields["events"] != nil
        self.copies = fields["copies"] != nil
    }

    var options: ImportOptions {
        var options = ImportOptions(
            format: ImportFormat(word: self.format),
            importsEvents: self.importsEvents,
            copies: self.copies
        )
        options.makesLists = self.makesLists && self.list.isEmpty && self.newList.trimmingWhiteSpace.isEmpty
        options.dateOrder = DateOrder(word: self.dateOrder)
        return options
    }

    var source: ImportSource {
        let bytes = Array(self.text.utf8)
        return ImportSource(name: "the text", isStream: false) { .bytes(bytes, name: "the text") }
    }
}

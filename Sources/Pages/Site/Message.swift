import RemindavBridge
import RemindavHTML
import RemindavStore

/// A page with a title and sentences instead of a screen.
struct Message: Sendable {
    let title: String
    let sentences: [String]

    static let notFound = Self(
        "Page not found",
        "There is no page at this address.",
        "It may have been deleted, or the address is wrong."
    )
    static let methodUnknown = Self("Not possible", "This server does not know this kind of request.")
    static let tooManyFields = Self("Not possible", "The request has more fields than any form of this site.")
    static let foreignUser = Self(
        "Not permitted",
        "This page belongs to another user of this computer, or the system does not report the user of the request."
    )
    static let signedOut = Self(
        "Not signed in",
        "Type 'remindav web' in a terminal, or use a link that it made."
    )
    static let oldTicket = Self(
        "Link not valid",
        "This link was used already, or it is too old.",
        "Run 'remindav web' again for a new one."
    )
    static let tooManyTickets = Self("Too many attempts", "There were too many wrong links. Try again in a minute.")
    static let uploadGone = Self(
        "Upload not found",
        "remindav keeps an upload for an hour, and only while it runs.",
        "Choose the file again."
    )
    static let tooLongUpload = Self("Too large", "The files have more than 32 MiB. Import them in parts.")
    static let tooLongText = Self("Too large", "The text has more than 1 MiB. Save it as a file, and choose the file.")
    static let brokenUpload = Self("Not possible", "The upload is not complete. Go back and try again.")
    static let foreignOrigin = Self("Not permitted", "Another site sent this request, so nothing was changed.")
    static let oldForm = Self(
        "Send the form again?",
        "This form belongs to an earlier sign-in, so nothing was changed."
    )
    static let noBase = Self(
        "Form not valid",
        "The form does not say which values it showed, so nothing was changed.",
        "Load the page of the reminder again."
    )
    static let undoneBefore = Self("Not possible", "This was undone before, so there is nothing to change.")
    static let signedOutForm = Self(
        "Not signed in",
        "This browser is not signed in any more, so nothing was saved.",
        "Run 'remindav web' on this computer, and then send the form again here."
    )

    /// The sentences as one text.
    var text: String { self.sentences.joined(separator: " ") }

    private init(_ title: String, _ sentences: String...) {
        self.title = title
        self.sentences = sentences
    }

    /// A failure of the store or of an operation: the problem, and the next step.
    init(_ error: any Error) {
        let words = ErrorWords(error)
        self.title = "Not possible"
        self.sentences = [words.problem, "Nothing was changed.", words.advice].filter { !$0.isEmpty }
    }
}

/// A message as the content of a page.
struct MessageText: Part {
    let message: Message
    init(_ message: Message) { self.message = message }

    var body: some HTML {
        h1 { self.message.title }
        Each(self.message.sentences) { sentence in p { sentence } }
        p { a(.href(.list)) { "Reminders" } }
    }
}

extension DatabaseError {
    /// The status of a form that could not be saved.
    var pageStatus: Int {
        switch self.code {
        case .busy, .unavailable, .signInRefused, .databaseMissing, .libraryMissing: 503
        case .suspended, .quotaExceeded: 403
        case .corrupt, .cutOff, .full, .readOnly, .newerVersion, .unsuitable, .outcomeUnknown, .leaseLost,
            .syncIsRunning, .cannotOpen, .cannotAccess, .notFound, .alreadyExists, .keyTooLong, .other:
            500
        }
    }
}

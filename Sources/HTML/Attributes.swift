import RemindavHTTP

/// An attribute of an element; its value is escaped.
///
/// There is no attribute for styles and event handlers, because the policy of the pages forbids both.
package struct Attribute: Sendable {
    private let name: StaticString
    private let value: String

    private init(_ name: StaticString, _ value: String) {
        self.name = name
        self.value = value
    }

    func write(to page: inout HTMLBuffer) { page.append(attribute: self.name, self.value) }

    /// A name from page.css; several names have spaces between them.
    package static func `class`(_ name: StaticString) -> Self { Self("class", "\(name)") }
    package static func id(_ name: String) -> Self { Self("id", name) }
    package static func name(_ name: String) -> Self { Self("name", name) }
    package static func value(_ value: String) -> Self { Self("value", value) }
    package static func type(_ type: InputType) -> Self { Self("type", type.rawValue) }
    package static func content(_ value: StaticString) -> Self { Self("content", "\(value)") }
    package static func placeholder(_ text: String) -> Self { Self("placeholder", text) }
    package static func autocomplete(_ value: StaticString) -> Self { Self("autocomplete", "\(value)") }
    /// The machine-readable form of a `time`.
    package static func datetime(_ value: String) -> Self { Self("datetime", value) }
    /// -1 for an element that only a script or a link moves the focus to.
    package static func tabIndex(_ index: Int) -> Self { Self("tabindex", String(index)) }

    /// The first possible date of a field for a date, such as `2026-12-01`.
    package static func min(_ value: String) -> Self { Self("min", value) }
    package static func rows(_ count: Int) -> Self { Self("rows", String(count)) }
    /// The word on the Enter key of a screen keyboard.
    package static func enterKeyHint(_ hint: StaticString) -> Self { Self("enterkeyhint", "\(hint)") }
    /// The version of a row; a script replaces only rows with another version.
    package static func version(_ value: String) -> Self { Self("data-v", value) }
    /// For a group of details that is open at first.
    package static let isOpen = Self("open", "")

    /// The accessible name, if the content of the element is no sufficient name.
    package static func label(_ text: String) -> Self { Self("aria-label", text) }
    /// The identifier of the element with the note or the problem of a field.
    package static func describedBy(_ id: String) -> Self { Self("aria-describedby", id) }
    package static func `for`(_ id: String) -> Self { Self("for", id) }
    package static func role(_ role: Role) -> Self { Self("role", role.rawValue) }

    /// For the link to the page that contains it.
    package static let currentPage = Self("aria-current", "page")
    /// For a field whose value was refused.
    package static let isInvalid = Self("aria-invalid", "true")
    /// For a part that only decorates the text beside it.
    package static let isHidden = Self("aria-hidden", "true")
    package static let isChecked = Self("checked", "")
    package static let isReadOnly = Self("readonly", "")
    /// A field for several files.
    package static let acceptsSeveral = Self("multiple", "")
    package static let isRequired = Self("required", "")
    package static let isSelected = Self("selected", "")
    /// For the element with the focus after the page is loaded; a page has at most one.
    package static let hasFocus = Self("autofocus", "")
    /// The server checks the form, not the browser.
    package static let isUnchecked = Self("novalidate", "")

    // MARK: Pictures (SVG)

    /// The coordinates of a picture, from 0 to 24.
    package static let viewBox = Self("viewBox", "0 0 24 24")
    package static func fill(_ color: String) -> Self { Self("fill", color) }
    package static func stroke(_ color: String) -> Self { Self("stroke", color) }
    /// The outline of a shape, in the coordinates of ``viewBox``.
    package static func shape(_ commands: StaticString) -> Self { Self("d", "\(commands)") }
    /// A circle that leaves room for its outline; its middle is that of ``viewBox``, by page.css.
    package static let radius = Self("r", "10")

    // MARK: Addresses

    package static func href(_ address: Address) -> Self { Self("href", address.text) }
    package static func href(_ address: ForeignAddress) -> Self { Self("href", address.text) }
    /// The address of a form; without ``isPosted``, its fields become the query.
    package static func action(_ address: Address) -> Self { Self("action", address.text) }
    /// The address for one button of a form, instead of that of the form.
    package static func formAction(_ address: Address) -> Self { Self("formaction", address.text) }
    /// A form with files (RFC 7578).
    package static let hasFiles = Self("enctype", "multipart/form-data")
    /// For a form that makes a change.
    package static let isPosted = Self("method", "post")
    package static let isIcon = Self("rel", "icon")
    package static let isStylesheet = Self("rel", "stylesheet")
    /// For a link to another site, which then learns nothing of this one.
    package static let isForeign = Self("rel", "noopener noreferrer")

    /// For a link that opens in a tab of its own.
    package static let opensTab = Self("target", "_blank")

    /// The kind of an `input`: the value of its attribute `type`.
    package enum InputType: String, Sendable {
        case text, search, date, time, radio, checkbox, password, file, hidden
    }

    /// A role of WAI-ARIA; `status` and `alert` make a screen reader say a changed text.
    package enum Role: String, Sendable {
        case list, status, alert, search
    }
}

/// The address of a page of this server: an absolute path, and a query.
package struct Address: Hashable, Sendable {
    /// The path and the query, or the name of a place on the page.
    private let target: String

    /// The path in front of all addresses, such as `/reminders`, for a request that a reverse proxy sent.
    @TaskLocal package static var base = ""

    private init(text: String) { self.target = text }

    /// The address as it is in a page, with ``base`` in front.
    package var text: String { self.target.hasPrefix("#") ? self.target : Self.base + self.target }

    /// The element with this identifier on the page.
    package func at(_ id: String) -> Self { Self(text: "\(self.target)#\(Self.encoded(id))") }

    /// A place on the same page.
    package static func anchor(_ id: StaticString) -> Self { Self(text: "#\(id)") }

    /// - Parameters:
    ///   - path: the parts between the slashes, which are percent-encoded; empty for the root.
    ///   - query: the names and values of the query, which are percent-encoded, in their order.
    package init(_ path: [String] = [], query: [(name: String, value: String)] = []) {
        let pairs = query.map { "\(Self.encoded($0.name))=\(Self.encoded($0.value))" }
        self.target =
            "/" + path.map(Self.encoded).joined(separator: "/")
            + (pairs.isEmpty ? "" : "?" + pairs.joined(separator: "&"))
    }

    /// The address with more of the query.
    package func adding(_ query: [(name: String, value: String)]) -> Address {
        let pairs = query.map { "\(Self.encoded($0.name))=\(Self.encoded($0.value))" }
        guard !pairs.isEmpty else { return self }
        return Self(text: self.target + (self.target.contains("?") ? "&" : "?") + pairs.joined(separator: "&"))
    }

    private static func encoded(_ text: String) -> String { PercentCoding.encode(text.utf8) }
}

/// An address outside of this server, from the text of a user or a server.
package struct ForeignAddress: Hashable, Sendable {
    /// The address as it was received.
    package let text: String
    private static let schemes = ["http", "https", "mailto", "tel"]

    /// `nil` for another scheme, such as `javascript`, and for a text with white space or control characters.
    package init?(_ text: String) {
        guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")),
            Self.schemes.contains(text[..<colon].lowercased()), text.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F })
        else { return nil }
        self.text = text
    }
}

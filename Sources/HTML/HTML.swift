/// A part of a page.
package protocol HTML: Sendable {
    /// Adds the markup of the part.
    func write(to page: inout HTMLBuffer)
}

/// A part of a page that consists of other parts.
package protocol Part: HTML {
    associatedtype Body: HTML
    @HTMLBuilder var body: Body { get }
}

extension Part {
    package func write(to page: inout HTMLBuffer) { self.body.write(to: &page) }
}

extension HTML {
    /// The markup of the part alone.
    package var markup: String {
        var page = HTMLBuffer()
        self.write(to: &page)
        return String(decoding: page.bytes, as: UTF8.self)
    }
}

/// A string is text, which is escaped.
extension String: HTML {
    package func write(to page: inout HTMLBuffer) { page.append(text: self) }
}

extension Optional: HTML where Wrapped: HTML {
    package func write(to page: inout HTMLBuffer) { self?.write(to: &page) }
}

/// A part for each element of a collection, in its order.
package struct Each<Values: Collection & Sendable, Content: HTML>: HTML where Values.Element: Sendable {
    private let values: Values
    private let content: @Sendable (Values.Element) -> Content

    package init(_ values: Values, @HTMLBuilder _ content: @escaping @Sendable (Values.Element) -> Content) {
        self.values = values
        self.content = content
    }

    package func write(to page: inout HTMLBuffer) {
        for value in self.values { self.content(value).write(to: &page) }
    }
}

/// Joins the statements of a block of markup.
@resultBuilder
package enum HTMLBuilder {
    package static func buildBlock<each Content: HTML>(_ parts: repeat each Content) -> Several<repeat each Content> {
        Several(repeat each parts)
    }

    package static func buildBlock<Content: HTML>(_ part: Content) -> Content { part }
    package static func buildOptional<Content: HTML>(_ part: Content?) -> Content? { part }
    package static func buildEither<First: HTML, Second: HTML>(first: First) -> Either<First, Second> { .first(first) }
    package static func buildEither<First: HTML, Second: HTML>(second: Second) -> Either<First, Second> {
        .second(second)
    }
}

/// Parts in a fixed order.
package struct Several<each Content: HTML>: HTML {
    private let parts: (repeat each Content)

    init(_ parts: repeat each Content) { self.parts = (repeat each parts) }

    package func write(to page: inout HTMLBuffer) {
        for part in repeat each self.parts { part.write(to: &page) }
    }
}

/// The part of one of two branches.
package enum Either<First: HTML, Second: HTML>: HTML {
    case first(First)
    case second(Second)

    package func write(to page: inout HTMLBuffer) {
        switch self {
        case .first(let part): part.write(to: &page)
        case .second(let part): part.write(to: &page)
        }
    }
}

/// The name of an element that may have content, such as `p`.
///
/// There is no element for scripts and styles inside a page, because the policy of the pages forbids both.
package struct Tag: Sendable {
    private let name: StaticString
    fileprivate init(_ name: StaticString) { self.name = name }

    /// An element with content.
    package func callAsFunction<Content: HTML>(
        _ attributes: Attribute?...,
        @HTMLBuilder content: () -> Content
    ) -> Element<Content> {
        Element(name: self.name, attributes: attributes.compactMap { $0 }, content: content())
    }

    /// An element without content.
    package func callAsFunction(_ attributes: Attribute?...) -> Element<Several<>> {
        Element(name: self.name, attributes: attributes.compactMap { $0 }, content: Several())
    }
}

/// The name of an element that never has content and has no end tag, such as `input` (HTML, void elements).
package struct VoidTag: Sendable {
    private let name: StaticString
    fileprivate init(_ name: StaticString) { self.name = name }

    package func callAsFunction(_ attributes: Attribute?...) -> VoidElement {
        VoidElement(name: self.name, attributes: attributes.compactMap { $0 })
    }
}

/// An element with its content and its end tag.
package struct Element<Content: HTML>: HTML {
    fileprivate let name: StaticString
    fileprivate let attributes: [Attribute]
    fileprivate let content: Content

    package func write(to page: inout HTMLBuffer) {
        VoidElement(name: self.name, attributes: self.attributes).write(to: &page)
        self.content.write(to: &page)
        page.append(markup: "</")
        page.append(markup: self.name)
        page.append(markup: ">")
    }
}

/// An element without content and end tag.
package struct VoidElement: HTML {
    fileprivate let name: StaticString
    fileprivate let attributes: [Attribute]

    package func write(to page: inout HTMLBuffer) {
        page.append(markup: "<")
        page.append(markup: self.name)
        for attribute in self.attributes { attribute.write(to: &page) }
        page.append(markup: ">")
    }
}

/// A text area; the first line feed of its text is kept.
package struct TextArea: HTML {
    private let attributes: [Attribute]
    private let text: String

    package init(_ text: String, _ attributes: Attribute?...) {
        self.text = text
        self.attributes = attributes.compactMap { $0 }
    }

    package func write(to page: inout HTMLBuffer) {
        VoidElement(name: "textarea", attributes: self.attributes).write(to: &page)
        // A browser drops a line feed directly after the tag.
        page.append(markup: "\n")
        page.append(text: self.text)
        page.append(markup: "</textarea>")
    }
}

/// The script of a page, which is a file of this server.
package struct ScriptFile: HTML {
    private let address: Address
    package init(_ address: Address) { self.address = address }

    package func write(to page: inout HTMLBuffer) {
        // A module runs after the page is parsed, and old browsers without modules skip it.
        page.append(markup: "<script type=\"module\"")
        page.append(attribute: "src", self.address.text)
        page.append(markup: "></script>")
    }
}

/// A whole page with its document type.
package struct Document<Head: HTML, Content: HTML>: HTML {
    private let head: Head
    private let content: Content

    package init(@HTMLBuilder head: () -> Head, @HTMLBuilder content: () -> Content) {
        self.head = head()
        self.content = content()
    }

    package func write(to page: inout HTMLBuffer) {
        page.append(markup: "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">")
        self.head.write(to: &page)
        page.append(markup: "</head><body>")
        self.content.write(to: &page)
        page.append(markup: "</body></html>\n")
    }
}

package let a = Tag("a")
package let bdi = Tag("bdi")
package let button = Tag("button")
package let circle = Tag("circle")
package let dd = Tag("dd")
package let details = Tag("details")
package let div = Tag("div")
package let dl = Tag("dl")
package let dt = Tag("dt")
package let fieldset = Tag("fieldset")
package let form = Tag("form")
package let h1 = Tag("h1")
package let h2 = Tag("h2")
package let h3 = Tag("h3")
package let label = Tag("label")
package let legend = Tag("legend")
package let li = Tag("li")
package let main = Tag("main")
package let nav = Tag("nav")
package let option = Tag("option")
package let output = Tag("output")
package let p = Tag("p")
package let path = Tag("path")
package let select = Tag("select")
package let small = Tag("small")
package let span = Tag("span")
package let summary = Tag("summary")
package let svg = Tag("svg")
package let time = Tag("time")
package let title = Tag("title")
package let ul = Tag("ul")

package let input = VoidTag("input")
package let link = VoidTag("link")
package let meta = VoidTag("meta")

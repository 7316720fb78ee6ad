import RemindavReminders
import Testing

@testable import RemindavPages

@Suite("web pages: colours and size of page.css")
struct StyleTests {
    private static let css = String(decoding: Asset.style.bytes, as: UTF8.self)

    /// The colours of a theme by their names; the first block of page.css is the light theme, the second the dark one.
    private static func colors(dark: Bool) throws -> [String: LabelColor] {
        let blocks = self.css.split(separator: ":root {", omittingEmptySubsequences: false).dropFirst().map {
            $0.prefix { $0 != "}" }
        }
        let block = try #require(blocks.count == 2 ? blocks[dark ? 1 : 0] : nil)
        var colors: [String: LabelColor] = [:]
        for part in block.split(separator: ";") {
            let pair = part.split(separator: ":").map { $0.trimmingPrefix { $0.isWhitespace } }
            if pair.count == 2, pair[1].hasPrefix("#") { colors[String(pair[0])] = LabelColor(String(pair[1])) }
        }
        return colors
    }

    @Test(
        "text has a contrast of at least 4.5, and controls and outlines of at least 3",
        arguments: [
            ("--text", "--page", 7.0), ("--text", "--card", 7.0), ("--text", "--selected", 7.0),
            ("--text", "--tint", 7.0),
            ("--muted", "--page", 4.5), ("--muted", "--card", 4.5), ("--brand", "--page", 4.5),
            ("--brand", "--card", 4.5), ("--brand", "--tint", 4.5), ("--on-brand", "--brand", 4.5),
            ("--danger", "--page", 6.0), ("--danger", "--card", 6.0), ("--danger", "--danger-card", 4.5),
            ("--warning", "--page", 4.5), ("--warning", "--card", 4.5), ("--border", "--page", 3.0),
            ("--border", "--card", 3.0), ("--focus", "--page", 3.0), ("--focus", "--card", 3.0),
        ],
        [false, true]
    )
    func contrast(_ pair: (String, String, Double), dark: Bool) throws {
        let colors = try Self.colors(dark: dark)
        let (front, back) = (try #require(colors[pair.0]), try #require(colors[pair.1]))
        #expect(front.contrast(with: back) >= pair.2, "\(pair.0) on \(pair.1), dark: \(dark)")
    }

    @Test("the outline of each swatch and dot has a contrast of 3 with the card, and the check mark with the swatch")
    func swatches() throws {
        for dark in [false, true] {
            let colors = try Self.colors(dark: dark)
            let (border, card) = (try #require(colors["--border"]), try #require(colors["--card"]))
            #expect(border.contrast(with: card) >= 3)
        }
        for swatch in LabelColor.palette {
            let mark = LabelColor(rgb: swatch.color.checkMark == .black ? 0x000000 : 0xFFFFFF)
            #expect(mark.contrast(with: swatch.color) >= 3, "\(swatch.name)")
        }
    }

    @Test("page.css has at most 16 kB")
    func size() { #expect(Asset.style.bytes.count <= 16_000) }
}

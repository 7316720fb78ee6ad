import RemindavCAssets
import RemindavHTML
import RemindavHTTP

/// A file of the pages, which is part of the program.
struct Asset: Sendable {
    let name: String
    let type: String
    let bytes: [UInt8]
    /// The address with a hash of the content, so that a browser keeps the file until it changes.
    let address: Address

    @unsafe private init(_ name: String, type: String, _ asset: RemindavAsset) {
        self.name = name
        self.type = type
        self.bytes = unsafe [UInt8](UnsafeBufferPointer(start: asset.bytes, count: asset.count))
        self.address = .asset(name, hash: String(SHA256(self.bytes).hexadecimal.prefix(Self.hashDigits)))
    }

    private static let hashDigits = 16
    // The bytes are constants of the program, so the pointer is always valid.
    static let style = unsafe Asset("page.css", type: "text/css; charset=utf-8", remindav_page_css)
    static let script = unsafe Asset("page.js", type: "text/javascript; charset=utf-8", remindav_page_js)
    static let icon = unsafe Asset("icon.svg", type: "image/svg+xml", remindav_icon_svg)
    private static let all = [style, script, icon]

    /// The file at an address; `nil` for another name or another hash.
    static func at(_ path: [String]) -> Asset? { self.all.first { $0.address == Address(path) } }
}

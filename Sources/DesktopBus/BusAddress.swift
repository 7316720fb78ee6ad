/// The address of the session bus (D-Bus specification, "Server Addresses").
package struct BusAddress: Hashable, Sendable {
    /// The maximum length in bytes; a text has a few addresses, each with a socket path of at most 108 bytes.
    static let longest = 4096
    let text: String

    /// Accepts only sockets of this machine, because the lookup of a host name can take minutes.
    package init(_ text: String) throws(DesktopBusError) {
        guard text.utf8.count <= Self.longest, !text.utf8.contains(0) else { throw DesktopBusError(.badAddress) }
        let local = text.split(separator: ";").filter { $0.hasPrefix("unix:") && $0.count > "unix:".count }
        guard !local.isEmpty else { throw DesktopBusError(.badAddress) }
        self.text = local.joined(separator: ";")
    }

    /// Returns the address in DBUS_SESSION_BUS_ADDRESS, or the standard address below XDG_RUNTIME_DIR.
    package static func session(in environment: [String: String]) throws(DesktopBusError) -> Self {
        if let address = environment["DBUS_SESSION_BUS_ADDRESS"], !address.isEmpty { return try Self(address) }
        // The XDG Base Directory Specification requires that a relative path is ignored.
        guard let folder = environment["XDG_RUNTIME_DIR"], folder.hasPrefix("/") else {
            throw DesktopBusError(.noAddress)
        }
        return try Self("unix:path=\(self.escaped(folder))/bus")
    }

    /// Returns a path as a value of an address: all bytes except the following ones are written as %xx.
    static func escaped(_ path: String) -> String {
        var text = ""
        for byte in path.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "/"),
                UInt8(ascii: "."), UInt8(ascii: "\\"), UInt8(ascii: "*"):
                text.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                let digits = String(byte, radix: 16)
                text += "%" + (digits.count < 2 ? "0" : "") + digits
            }
        }
        return text
    }
}

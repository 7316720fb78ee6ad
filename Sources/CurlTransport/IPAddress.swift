internal import Glibc

/// An address of the Internet Protocol: 4 bytes of version 4, or 16 bytes of version 6.
package struct IPAddress: Hashable, Sendable {
    let bytes: [UInt8]

    /// Parses `192.0.2.1` or `2001:db8::1`; `nil` for any other text.
    package init?(_ text: String) {
        var bytes = [UInt8](repeating: 0, count: 16)
        if inet_pton(AF_INET, text, &bytes) == 1 {
            self.bytes = Array(bytes.prefix(4))
        } else if inet_pton(AF_INET6, text, &bytes) == 1 {
            self.bytes = bytes
        } else {
            return nil
        }
    }

    init(_ bytes: some Sequence<UInt8>) { self.bytes = Array(bytes) }

    /// The addresses of version 4 to which a gateway may send the packets for this address of version 6.
    var embedded: [IPAddress] {
        guard self.bytes.count == 16 else { return [] }
        return Self.embeddings.filter { $0.range.contains(self) }.flatMap { embedding in
            embedding.places.map { place in
                IPAddress(self.bytes[place..<place + 4].map { embedding.isInverted && place == 12 ? ~$0 : $0 })
            }
        }
    }

    private struct Embedding: Sendable {
        let range: AddressRange
        /// The positions of the first bytes of the addresses.
        let places: [Int]
        /// Whether the bits of the last address are inverted.
        let isInverted: Bool

        init(_ range: AddressRange, _ places: [Int], isInverted: Bool = false) {
            (self.range, self.places, self.isInverted) = (range, places, isInverted)
        }
    }

    private static let embeddings = [
        // RFC 4291 §2.5.5: IPv4-compatible and IPv4-mapped addresses; RFC 2765 §2.1: IPv4-translated addresses.
        Embedding("::/96", [12]), Embedding("::ffff:0:0/96", [12]), Embedding("::ffff:0:0:0/96", [12]),
        // RFC 6052 §2.1: NAT64.
        Embedding("64:ff9b::/96", [12]),
        // RFC 3056 §2: 6to4.
        Embedding("2002::/16", [2]),
        // RFC 4380 §4: Teredo, with the address of its server and the inverted address of the client.
        Embedding("2001::/32", [4, 12], isInverted: true),
    ]
}

/// A network: the addresses that begin with the same bits.
package struct AddressRange: Hashable, Sendable, ExpressibleByStringLiteral {
    private let start: IPAddress
    private let bits: Int

    /// Parses `10.0.0.0/8`, `fd00::/8` or one address; `nil` if a bit after the prefix is set.
    package init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count <= 2, let start = IPAddress(String(parts[0])) else { return nil }
        let all = start.bytes.count * 8
        guard let bits = parts.count == 1 ? all : Int(parts[1]), (0...all).contains(bits) else { return nil }
        self.start = start
        self.bits = bits
        guard (bits..<all).allSatisfy({ start.bytes[$0 / 8] & Self.mask(of: $0) == 0 }) else { return nil }
    }

    /// A network of the tables below.
    package init(stringLiteral text: String) {
        guard let range = Self(text) else { preconditionFailure("no network: \(text)") }
        self = range
    }

    /// The network in the form that ``init(_:)`` parses.
    package var text: String {
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        let family = self.start.bytes.count == 4 ? AF_INET : AF_INET6
        _ = inet_ntop(family, self.start.bytes, &text, socklen_t(text.count))
        return "\(String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self))/\(self.bits)"
    }

    func contains(_ address: IPAddress) -> Bool {
        guard address.bytes.count == self.start.bytes.count else { return false }
        return (0..<self.bits).allSatisfy { bit in
            (address.bytes[bit / 8] ^ self.start.bytes[bit / 8]) & Self.mask(of: bit) == 0
        }
    }

    private static func mask(of bit: Int) -> UInt8 { 0x80 >> UInt8(bit % 8) }
}

/// The address and the port of a server, as the operating system connects to it.
package struct SocketAddress: Hashable, Sendable {
    package let address: IPAddress
    package let port: UInt16

    package init(_ address: IPAddress, port: UInt16) {
        self.address = address
        self.port = port
    }

    /// Reads a `sockaddr_in` or `sockaddr_in6`; `nil` for any other family.
    init?(_ bytes: UnsafeRawBufferPointer) {
        guard bytes.count >= MemoryLayout<sa_family_t>.size else { return nil }
        switch Int32(bytes.loadUnaligned(as: sa_family_t.self)) {
        case AF_INET where bytes.count >= MemoryLayout<sockaddr_in>.size: self.address = IPAddress(bytes[4..<8])
        case AF_INET6 where bytes.count >= MemoryLayout<sockaddr_in6>.size: self.address = IPAddress(bytes[8..<24])
        default: return nil
        }
        // Both structures have the port in network byte order after the family.
        self.port = UInt16(bytes[2]) << 8 | UInt16(bytes[3])
    }
}

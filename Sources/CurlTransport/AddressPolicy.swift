package import RemindavHTTP

/// The servers to which the users of a host may connect: those of the public Internet, and those that the operator names.
///
/// A user chooses the address of a server, and the connection comes from the machine of the host. Without this policy, a
/// user could reach services that only this machine and its network can reach.
package struct AddressPolicy: Hashable, Sendable {
    /// The networks that are allowed although they are not public.
    package var networks: [AddressRange]
    /// The ports that are allowed besides ``standardPorts``.
    package var ports: Set<UInt16>

    package static let standardPorts: Set<UInt16> = [443, 8443]

    package init(networks: [AddressRange] = [], ports: Set<UInt16> = []) {
        self.networks = networks
        self.ports = ports
    }

    /// The reason to refuse a connection; `nil` if it is allowed.
    ///
    /// - Parameters:
    ///   - server: `nil` means an address that is none of the Internet Protocol.
    ///   - isEncrypted: whether TLS protects the connection; plain HTTP is allowed only in ``networks``.
    package func refusal(of server: SocketAddress?, isEncrypted: Bool) -> TransportError.Code? {
        guard let server else { return .addressRefused }
        let isNamed = self.contains(server.address)
        guard isNamed || Self.isPublic(server.address) else { return .addressRefused }
        guard isNamed || isEncrypted else { return .plainRefused }
        return Self.standardPorts.contains(server.port) || self.ports.contains(server.port) ? nil : .portRefused
    }

    /// Whether ``networks`` contain an address, or each address of version 4 to which its packets may be sent.
    private func contains(_ address: IPAddress) -> Bool {
        if self.networks.contains(where: { $0.contains(address) }) { return true }
        let forms = address.embedded
        return !forms.isEmpty && forms.allSatisfy(self.contains)
    }

    /// Whether an address belongs to the public Internet.
    static func isPublic(_ address: IPAddress) -> Bool {
        guard address.bytes.count == 16 else { return !self.reserved.contains { $0.contains(address) } }
        let forms = address.embedded
        guard forms.isEmpty else { return forms.allSatisfy(self.isPublic) }
        return self.global.contains(address) && !self.reservedGlobal.contains { $0.contains(address) }
    }

    /// The addresses of version 4 that are not public (the IANA registry of special-purpose addresses).
    private static let reserved: [AddressRange] = [
        "0.0.0.0/8",  // this network, and the unspecified address
        "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16",  // private networks
        "100.64.0.0/10",  // shared by the customers of a provider
        "127.0.0.0/8",  // loopback
        "169.254.0.0/16",  // link-local; clouds offer their metadata here
        "192.0.0.0/24",  // assignments for protocols
        "192.0.2.0/24", "198.51.100.0/24", "203.0.113.0/24",  // documentation
        "192.88.99.0/24",  // relays of 6to4
        "198.18.0.0/15",  // benchmarks
        "224.0.0.0/4",  // multicast
        "240.0.0.0/4",  // reserved, and broadcast
    ]

    /// The only addresses of version 6 that are public.
    ///
    /// Outside are loopback, link-local, unique local and multicast addresses, and the prefix 64:ff9b:1::/48, whose
    /// translation to version 4 is chosen by each network.
    private static let global: AddressRange = "2000::/3"

    private static let reservedGlobal: [AddressRange] = [
        "2001::/23",  // assignments for protocols, benchmarks and identifiers
        "2001:db8::/32", "3fff::/20",  // documentation
    ]
}

/// The policy of one transfer, with its decisions: libcurl tries the addresses of a server one after another.
///
/// `@unchecked Sendable`: only the thread that calls libcurl uses it.
final class AddressGate: @unchecked Sendable {
    private let policy: AddressPolicy
    private let isEncrypted: Bool
    private var hasAllowed = false
    /// The reason if each address was refused; libcurl only reports that it could not connect.
    private(set) var refusal: TransportError.Code?

    init(_ policy: AddressPolicy, url: String) {
        self.policy = policy
        self.isEncrypted = URL(url)?.scheme == "https"
    }

    func allows(_ server: SocketAddress?) -> Bool {
        let refusal = self.policy.refusal(of: server, isEncrypted: self.isEncrypted)
        self.hasAllowed = self.hasAllowed || refusal == nil
        self.refusal = self.hasAllowed ? nil : refusal
        return refusal == nil
    }
}

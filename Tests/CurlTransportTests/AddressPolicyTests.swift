import Glibc
import RemindavHTTP
import Testing

@testable import RemindavCurlTransport

@Suite("refused addresses")
struct AddressPolicyTests {
    /// Addresses that are not public, from the IANA registries of special-purpose addresses and from the forms of version
    /// 6 that contain them.
    static let refused = [
        "0.0.0.0", "0.1.2.3", "10.0.0.1", "10.255.255.255", "100.64.0.1", "100.127.255.255", "127.0.0.1", "127.1.2.3",
        "169.254.169.254", "172.16.0.1", "172.31.255.255", "192.0.0.1", "192.0.2.1", "192.88.99.1", "192.168.0.1",
        "198.18.0.1", "198.19.255.255", "198.51.100.1", "203.0.113.1", "224.0.0.1", "239.255.255.255", "240.0.0.1",
        "255.255.255.255",
        "::", "::1", "fc00::1", "fdff::1", "fe80::1", "febf::1", "fec0::1", "ff02::1", "100::1", "2001:db8::1",
        "3fff::1", "2001:2::1", "2001:10::1", "2001:20::1", "4000::1", "5f00::1",
        // IPv4-mapped, IPv4-compatible and IPv4-translated.
        "::ffff:127.0.0.1", "::ffff:10.0.0.1", "::ffff:169.254.169.254", "::127.0.0.1", "::192.168.0.1",
        "::ffff:0:10.0.0.1",
        // 6to4 with 10.0.0.1 and 192.168.1.1.
        "2002:a00:1::", "2002:c0a8:101::1",
        // Teredo: a private client, and a private server.
        "2001:0:808:808:0:0:f5ff:fffe", "2001:0:a00:1:0:0:f7f7:f7f7",
        // NAT64.
        "64:ff9b::10.0.0.1", "64:ff9b::127.0.0.1", "64:ff9b:1::8.8.8.8", "64:ff9b:1::10.0.0.1",
    ]

    static let allowed = [
        "8.8.8.8", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "126.255.255.255", "128.0.0.1",
        "169.253.255.255", "172.15.255.255", "172.32.0.0", "192.167.255.255", "192.169.0.0", "198.17.255.255",
        "198.20.0.0", "223.255.255.255", "2001:4860:4860::8888", "2a00::1", "2620:fe::fe", "::ffff:8.8.8.8",
        "64:ff9b::8.8.8.8", "2002:808:808::1", "2001:0:808:808:0:0:f7f7:f7f7",
    ]

    private func server(_ text: String, _ port: UInt16 = 443) throws -> SocketAddress {
        SocketAddress(try #require(IPAddress(text)), port: port)
    }

    @Test("an address that is not public is refused", arguments: refused)
    func refuses(_ text: String) throws {
        #expect(AddressPolicy().refusal(of: try self.server(text), isEncrypted: true) == .addressRefused)
    }

    @Test("a public address is allowed", arguments: allowed)
    func allows(_ text: String) throws {
        #expect(AddressPolicy().refusal(of: try self.server(text), isEncrypted: true) == nil)
    }

    @Test("an address of another family is refused")
    func otherFamily() {
        #expect(AddressPolicy().refusal(of: nil, isEncrypted: true) == .addressRefused)
    }

    @Test("a named network is allowed, in each form of its addresses, and no other")
    func named() throws {
        let policy = AddressPolicy(networks: ["10.1.0.0/16", "fd00:1::/32"])
        for text in ["10.1.0.0", "10.1.255.255", "::ffff:10.1.2.3", "64:ff9b::10.1.2.3", "fd00:1::5"] {
            #expect(policy.refusal(of: try self.server(text), isEncrypted: true) == nil, "\(text)")
        }
        for text in ["10.0.255.255", "10.2.0.0", "::ffff:10.2.0.0", "fd00:2::5", "127.0.0.1"] {
            #expect(policy.refusal(of: try self.server(text), isEncrypted: true) == .addressRefused, "\(text)")
        }
        let loopback = AddressPolicy(networks: ["::1"])
        #expect(loopback.refusal(of: try self.server("::1"), isEncrypted: true) == nil)
    }

    @Test("only the ports 443, 8443 and the named ones are allowed")
    func ports() throws {
        let policy = AddressPolicy(networks: ["10.0.0.0/8"], ports: [5232])
        for address in ["8.8.8.8", "10.0.0.1"] {
            for port: UInt16 in [443, 8443, 5232] {
                #expect(policy.refusal(of: try self.server(address, port), isEncrypted: true) == nil)
            }
            for port: UInt16 in [0, 22, 25, 80, 5233, 6379] {
                #expect(policy.refusal(of: try self.server(address, port), isEncrypted: true) == .portRefused)
            }
        }
    }

    @Test("plain HTTP is allowed only in a named network, and at an allowed port")
    func plain() throws {
        let policy = AddressPolicy(networks: ["10.0.0.0/8"], ports: [5232])
        #expect(policy.refusal(of: try self.server("10.0.0.1", 5232), isEncrypted: false) == nil)
        #expect(policy.refusal(of: try self.server("10.0.0.1", 80), isEncrypted: false) == .portRefused)
        #expect(policy.refusal(of: try self.server("8.8.8.8", 5232), isEncrypted: false) == .plainRefused)
        #expect(policy.refusal(of: try self.server("127.0.0.1", 5232), isEncrypted: false) == .addressRefused)
    }

    @Test("a refusal is the reason of a failure only if each address of the server was refused")
    func gate() throws {
        let gate = AddressGate(AddressPolicy(), url: "https://nas.example/")
        #expect(gate.refusal == nil)
        #expect(!gate.allows(try self.server("10.0.0.1")) && gate.refusal == .addressRefused)
        #expect(!gate.allows(try self.server("8.8.8.8", 22)) && gate.refusal == .portRefused)
        #expect(gate.allows(try self.server("8.8.8.8")) && gate.refusal == nil)
        #expect(!gate.allows(try self.server("10.0.0.1")) && gate.refusal == nil)
        let plain = AddressGate(AddressPolicy(), url: "http://nas.example:443/")
        #expect(!plain.allows(try self.server("8.8.8.8")) && plain.refusal == .plainRefused)
    }

    @Test("a network has a valid address, a length, and no bit after its prefix")
    func ranges() {
        for text in ["10.0.0.0/8", "192.168.1.4/32", "0.0.0.0/0", "fd00::/8", "::1/128", "::/0"] {
            #expect(AddressRange(text)?.text == text)
        }
        let address = "10.0.0.1"
        #expect(AddressRange(address)?.text == "10.0.0.1/32")
        for text in [
            "", "10", "10.0.0.0/", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.1/8", "10.0.0.0/8/8", "fd00::/129",
            "fd00::1/8",
            "nas.example", "10.0.0.0/x", " 10.0.0.0/8",
        ] { #expect(AddressRange(text) == nil, "\(text)") }
    }

    @Test("the address and the port are read from the structures of the operating system")
    func structures() throws {
        var old = sockaddr_in()
        old.sin_family = sa_family_t(AF_INET)
        old.sin_port = UInt16(8443).bigEndian
        #expect(inet_pton(AF_INET, "192.0.2.7", &old.sin_addr) == 1)
        #expect(try withUnsafeBytes(of: &old) { SocketAddress($0) } == self.server("192.0.2.7", 8443))
        #expect(withUnsafeBytes(of: &old) { SocketAddress(UnsafeRawBufferPointer(rebasing: $0[..<8])) } == nil)
        var new = sockaddr_in6()
        new.sin6_family = sa_family_t(AF_INET6)
        new.sin6_port = UInt16(443).bigEndian
        #expect(inet_pton(AF_INET6, "2001:db8::7", &new.sin6_addr) == 1)
        #expect(try withUnsafeBytes(of: &new) { SocketAddress($0) } == self.server("2001:db8::7", 443))
        var other = sockaddr_un()
        other.sun_family = sa_family_t(AF_UNIX)
        #expect(withUnsafeBytes(of: &other) { SocketAddress($0) } == nil)
    }

    @Test("a session with a policy connects to no private address, and to a named one only at a named port")
    func session() async throws {
        let server = Loopback { _ in .ok("") }
        defer { server.stop() }
        let port = server.port
        func send(_ policy: AddressPolicy?, _ host: String = "127.0.0.1") async throws(TransportError) -> Int {
            try await CurlSession(addresses: policy).send(Request(url: "http://\(host):\(port)/")).status
        }
        for host in ["127.0.0.1", "localhost", "0x7f000001", "[::ffff:127.0.0.1]"] {
            let error = await #expect(throws: TransportError(.addressRefused)) {
                try await send(AddressPolicy(), host)
            }
            #expect(error?.host == "\(host):\(port)")
        }
        let named = AddressPolicy(networks: ["127.0.0.0/8"])
        await #expect(throws: TransportError(.portRefused)) { try await send(named) }
        #expect(server.connectionCount == 0)
        let open = AddressPolicy(networks: ["127.0.0.0/8"], ports: [UInt16(port)])
        #expect(try await send(open) == 200)
        #expect(try await send(nil) == 200)
    }

    @Test("a session with a policy uses no proxy of the environment")
    func proxy() async throws {
        let session = CurlSession(addresses: AddressPolicy())
        setenv("https_proxy", "http://127.0.0.1:9", 1)
        defer { unsetenv("https_proxy") }
        // Through the proxy, the error would be about the address of the proxy.
        await #expect(throws: TransportError(.portRefused)) {
            try await session.send(Request(url: "https://8.8.8.8:1/"))
        }
    }

    @Test("a certificate is read only from a server with an allowed address")
    func certificate() async throws {
        let url = try #require(URL("https://127.0.0.1:443/"))
        await #expect(throws: TransportError(.addressRefused)) {
            try await ServerCertificate.shown(by: url, addresses: AddressPolicy())
        }
    }
}

import Bridge

/// `account trust PLACE`: shows a server's certificate, and trusts its key when the person says so.
struct TrustServer: Command {
    static let page = CommandPage(
        name: "account trust",
        group: .servers,
        summary: "Look at a server's certificate, and trust its key",
        usage: ["PLACE [--yes]"],
        operands: [Operand("PLACE", .once, "An account's name, a host, or an address that begins with https://")],
        options: [Option("--yes", short: "y", "Do not ask; for a fingerprint that you have compared")],
        details: [
            """
            For a server of your own, whose certificate no authority has signed. Compare the
            fingerprint with what the server itself shows:

              openssl x509 -in CERTIFICATE -noout -fingerprint -sha256

            From then on the account's server is whoever has this key, and nobody else: no
            authority is asked, and a renewed certificate with the same key is accepted.
            'remindav account set NAME --trust-key none' takes it back.
            """
        ],
        examples: [.init("remindav account trust nas.example:8443", "shows the certificate and asks")],
        exits: [.network]
    )

    let place: String
    let isSure: Bool

    init(_ arguments: inout Arguments) throws(UsageError) {
        self.place = try ArgumentValues.name(arguments.operand("PLACE"), of: "The place")
        self.isSure = arguments.flag("--yes")
    }

    func run(in context: Context) async throws -> ExitStatus {
        let useCases = try context.useCases(.temporary)
        let certificate = try await useCases.certificate(of: self.place)
        try context.output.print(Self.description(certificate))
        let untrusting = certificate.accounts.filter { !certificate.trustedBy.contains($0) }
        guard !certificate.accounts.isEmpty else {
            context.output.remark(
                "No account has this server. If the fingerprint is right, add one: "
                    + "remindav account add \(certificate.address) --user NAME --trust-key \(certificate.key)"
            )
            return .success
        }
        guard !untrusting.isEmpty else {
            try context.output.note("This key is trusted already")
            return .success
        }
        guard try self.isSure || context.confirm(Self.question) else {
            try context.output.note("Nothing was changed")
            return .success
        }
        for name in untrusting {
            _ = try useCases.set([.trustKey: certificate.key], for: name)
            try context.output.note("The account \(Sanitizer.line(name)) trusts this key now, and no other")
        }
        return .success
    }

    static let question = "Is this the fingerprint that the server itself shows? Trust its key?"

    /// What a person compares.
    static func description(_ certificate: CertificateView) -> StyledText {
        Table.text([
            ["Server", certificate.address], ["Names", certificate.subject], ["Signed by", certificate.issuer],
            ["Valid", "\(certificate.validFrom) to \(certificate.validUntil)"],
            ["Fingerprint", "SHA-256 \(certificate.fingerprint)"], ["Key", certificate.key],
        ])
    }
}

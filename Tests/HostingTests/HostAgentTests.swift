import Testing

@testable import RemindavHosting

@Suite("the User-Agent of a host")
struct HostAgentTests {
    @Test(
        "the header names the installation and the contact, if they are known",
        arguments: [
            (nil, nil, "Remindav"), ("todo.example.org", nil, "Remindav (todo.example.org)"),
            (nil, "dav@example.org", "Remindav (dav@example.org)"),
            ("todo.example.org", "https://example.org/dav", "Remindav (todo.example.org; https://example.org/dav)"),
        ] as [(String?, String?, String)]
    )
    func text(_ test: (installation: String?, contact: String?, text: String)) {
        #expect(HostAgent.text(installation: test.installation, contact: test.contact) == test.text)
    }

    @Test("a contact is an address of email or a URL, without signs that end the comment of the header")
    func contacts() {
        for text in ["dav@example.org", "mailto:dav@example.org", "https://example.org/dav?a=b"] {
            #expect(HostAgent.isContact(text), "\(text)")
        }
        for text in [
            "", "example", "a@b c", "a@b)", "(a@b", "a\\@b", "a@b\r\nX: y", "a@bü",
            "a@" + String(repeating: "b", count: HostAgent.contactLimit),
        ] {
            #expect(!HostAgent.isContact(text), "\(text)")
        }
    }
}

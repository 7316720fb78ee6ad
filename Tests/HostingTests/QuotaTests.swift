import Testing

@testable import RemindavHosting

@Suite("the quota of a tenant")
struct QuotaTests {
    struct Case: Sendable {
        let usage: Quota.Usage
        let growth: Quota.Usage
        let excess: String?
    }

    private static let quota = Quota(reminders: 5, bytes: 3 << 20)

    static let cases = [
        Case(usage: .init(reminders: 5), growth: .init(reminders: 1), excess: nil),
        Case(usage: .init(reminders: 6), growth: .init(reminders: 1), excess: "5 reminders"),
        Case(usage: .init(reminders: 6), growth: .init(), excess: nil),
        Case(usage: .init(reminders: 6), growth: .init(reminders: -3), excess: nil),
        Case(usage: .init(bytes: 3 << 20), growth: .init(bytes: 9), excess: nil),
        Case(usage: .init(bytes: (3 << 20) + 1), growth: .init(bytes: 1), excess: "3 MiB of texts"),
        Case(
            usage: .init(reminders: 9, bytes: 4 << 20),
            growth: .init(reminders: -1, bytes: 1),
            excess: "3 MiB of texts"
        ),
        Case(usage: .init(accounts: 10), growth: .init(accounts: 1), excess: nil),
        Case(usage: .init(accounts: 11), growth: .init(accounts: 1), excess: "10 accounts"),
        Case(usage: .init(feeds: 50), growth: .init(feeds: 1), excess: nil),
        Case(usage: .init(feeds: 51), growth: .init(feeds: 1), excess: "50 feeds"),
        Case(usage: .init(accounts: 11, feeds: 51), growth: .init(reminders: 1), excess: nil),
    ]

    @Test("a write is refused if it increases a number beyond its limit", arguments: cases)
    func excess(_ test: Case) {
        #expect(Self.quota.excess(test.usage, after: test.growth) == test.excess)
    }

    @Test("without limits of its own, a tenant has the standard ones")
    func standard() {
        #expect(Quota() == Quota(reminders: 50_000, bytes: 200 << 20))
        #expect(Quota(bytes: 0) == Quota(reminders: 50_000, bytes: 0))
    }
}

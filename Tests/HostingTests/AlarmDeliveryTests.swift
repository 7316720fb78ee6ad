import RemindavHosting
import Testing

@Suite("Alarm delivery")
struct AlarmDeliveryTests {
    @Test(
        "an alarm is delivered if one message is accepted, and given up only if all are refused again and again",
        arguments: [
            ([.accepted], 0, .delivered), ([.accepted, .refused], 9, .delivered),
            ([.unavailable, .accepted], 0, .delivered), ([.refused], 0, .later), ([.refused], 4, .later),
            ([.refused], 5, .givenUp), ([.refused, .refused], 5, .givenUp), ([.refused, .unavailable], 5, .later),
            ([.unavailable], 1000, .later),
        ] as [([MessageOutcome], Int, AlarmDelivery)]
    )
    func delivery(outcomes: [MessageOutcome], refusals: Int, expected: AlarmDelivery) {
        #expect(AlarmDelivery(outcomes, refusals: refusals) == expected)
    }

    @Test("after messages, the alarms of a tenant rest for at most a minute")
    func rest() { #expect([0, 1, 5, 6, 1000].map { AlarmDelivery.rest(after: $0) } == [0, 10, 50, 60, 60]) }

    @Test("the pause doubles from a minute to an hour")
    func pause() {
        #expect((0...8).map { AlarmDelivery.pause(after: $0) } == [60, 120, 240, 480, 960, 1920, 3600, 3600, 3600])
        #expect(AlarmDelivery.pause(after: .max) == 3600)
    }
}

import RemindavNotifications
import Testing

@testable import RemindavDesktopBus

@Suite("the number on the program's icon")
struct LauncherCountTests {
    @Test("the number is sent when it changes, and to a desktop that has not received it")
    func sent() {
        var count = LauncherCount()
        #expect(count.removeUnsent() == nil)
        count.want(0)
        #expect(count.removeUnsent() == nil, "a dock shows none by itself")
        count.want(2)
        #expect(count.removeUnsent() == 2)
        #expect(count.removeUnsent() == nil)
        count.want(2)
        #expect(count.removeUnsent() == nil)
        count.forget()
        #expect(count.removeUnsent() == 2)
        count.want(0)
        #expect(count.removeUnsent() == 0)
        count.forget()
        #expect(count.removeUnsent() == nil)
    }

    @Test("a connection sends the number once, and again for the next connection and for another desktop")
    func conversation() {
        var conversation = NotificationProtocol(limits: .standard)
        func handle(_ event: NotificationProtocol.Event) -> [Int] {
            conversation.handle(event, at: 0).compactMap { if case .sendCount(let count) = $0 { count } else { nil } }
        }
        #expect(handle(.counted(1)) == [], "no dock is there")
        #expect(handle(.counted(3)) == [])
        #expect(handle(.connected(bus: "b")) == [3])
        #expect(handle(.counted(3)) == [])
        #expect(handle(.time) == [])
        #expect(handle(.counted(4)) == [4])
        #expect(handle(.lost(DesktopBusError(.busLost))) == [])
        #expect(handle(.counted(5)) == [])
        #expect(handle(.connected(bus: "c")) == [5])
        let owner = BusMessage(
            kind: .signal,
            sender: BusCall.bus,
            interface: BusCall.bus,
            member: "NameOwnerChanged",
            values: [.string(BusCall.service), .string(""), .string(":1.9")]
        )
        #expect(handle(.message(owner, tag: nil)) == [5], "the desktop is another")
        #expect(handle(.counted(0)) == [0])
    }

    @Test("its signal has the form that docks read")
    func values() {
        #expect(
            LauncherCount.values(7) == [
                .string("application://remindav.desktop"),
                .dictionary([.init("count", .long(7)), .init("count-visible", .boolean(true))]),
            ]
        )
        #expect(
            LauncherCount.values(0).last
                == .dictionary([.init("count", .long(0)), .init("count-visible", .boolean(false))])
        )
    }
}

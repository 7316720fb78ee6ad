import Testing

@testable import DesktopBus

@Suite("the number on the program's icon")
struct LauncherCountTests {
    @Test("it is told when it is another than before, and to a desktop that has not heard it")
    func told() {
        var count = LauncherCount()
        #expect(count.toTell() == nil)
        count.want(0)
        #expect(count.toTell() == nil, "a dock shows none by itself")
        count.want(2)
        #expect(count.toTell() == 2)
        #expect(count.toTell() == nil)
        count.want(2)
        #expect(count.toTell() == nil)
        count.forget()
        #expect(count.toTell() == 2)
        count.want(0)
        #expect(count.toTell() == 0)
        count.forget()
        #expect(count.toTell() == nil)
    }

    @Test("a conversation tells it when the bus is there, once, and anew to the next one and to another desktop")
    func conversation() {
        var conversation = Conversation(limits: .standard)
        func take(_ event: Conversation.Event) -> [Int] {
            conversation.take(event, at: 0).compactMap { if case .tellCount(let count) = $0 { count } else { nil } }
        }
        #expect(take(.counted(1)) == [], "nobody is there")
        #expect(take(.counted(3)) == [])
        #expect(take(.connected(bus: "b")) == [3])
        #expect(take(.counted(3)) == [])
        #expect(take(.time) == [])
        #expect(take(.counted(4)) == [4])
        #expect(take(.lost(DesktopBusError(.busLost))) == [])
        #expect(take(.counted(5)) == [])
        #expect(take(.connected(bus: "c")) == [5])
        let owner = BusMessage(
            kind: .signal,
            sender: BusCall.bus,
            interface: BusCall.bus,
            member: "NameOwnerChanged",
            values: [.string(BusCall.service), .string(""), .string(":1.9")]
        )
        #expect(take(.message(owner, tag: nil)) == [5], "the desktop is another")
        #expect(take(.counted(0)) == [0])
    }

    @Test("its signal is the one that docks know")
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

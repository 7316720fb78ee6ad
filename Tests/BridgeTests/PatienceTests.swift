import CalDAV
import Testing

@testable import Bridge

@Suite("Patience with a busy server")
struct PatienceTests {
    @Test("only what comes soon is waited for, and not for ever")
    func patience() async {
        let patience = Patience(randomByte: { 255 })
        let locked = CalDAVError(.busy, status: 423)
        for attempt in 1...4 { #expect(await patience.takesPatience(locked, attempt: attempt)) }
        #expect(await !patience.takesPatience(locked, attempt: 5))
        #expect(await !patience.takesPatience(CalDAVError(.busy, status: 503), attempt: 1))
        #expect(await !patience.takesPatience(CalDAVError(.serverError, status: 500), attempt: 1))
    }

    @Test("nobody is asked while one of them waits")
    func oneClock() async {
        let patience = Patience(randomByte: { 0 })
        let start = ContinuousClock.now
        await patience.wait()
        #expect(await patience.takesPatience(CalDAVError(.busy, status: 423), attempt: 3))
        async let first: Void = patience.wait()
        async let second: Void = patience.wait()
        _ = await (first, second)
        #expect(ContinuousClock.now - start >= .milliseconds(400))
    }

    @Test("without a word of the server nothing is remembered")
    func rest() {
        #expect(Patience.restSeconds([CalDAVError(.busy, status: 503), CalDAVError(.notFound)]) == nil)
        #expect(Patience.restSeconds([]) == nil)
    }
}

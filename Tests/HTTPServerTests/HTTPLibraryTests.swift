import Testing

@testable import RemindavHTTPServer

@Suite("libmicrohttpd, loaded on demand")
struct HTTPLibraryTests {
    @Test("the library is found; a missing or a different library is not loaded")
    func loading() {
        #expect(HTTPLibrary.functions != nil)
        #expect(HTTPLibrary.load(named: "libno-such-library.so.4") == nil)
        #expect(HTTPLibrary.load(named: "libc.so.6") == nil)
    }
}

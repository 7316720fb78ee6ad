import Testing

@testable import HTTPServer

@Suite("libmicrohttpd, loaded when it is needed")
struct HTTPLibraryTests {
    @Test("it is here, and a library that is not, or that is another one, is none")
    func loading() {
        #expect(HTTPLibrary.functions != nil)
        #expect(HTTPLibrary.load(named: "libno-such-library.so.4") == nil)
        #expect(HTTPLibrary.load(named: "libc.so.6") == nil)
    }
}

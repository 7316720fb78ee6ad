import Testing

@testable import CurlTransport

@Suite("libcurl, loaded when it is needed")
struct CurlLibraryTests {
    @Test("it is here, and a library that is not, or that is another one, is none")
    func loading() {
        #expect(CurlLibrary.functions != nil)
        #expect(CurlLibrary.load(named: "libno-such-library.so.4") == nil)
        #expect(CurlLibrary.load(named: "libc.so.6") == nil)
    }
}

import Testing

@testable import RemindavCurlTransport

@Suite("libcurl, loaded on demand")
struct CurlLibraryTests {
    @Test("the library is found; a missing or a different library is not loaded")
    func loading() {
        #expect(CurlLibrary.functions != nil)
        #expect(CurlLibrary.load(named: "libno-such-library.so.4") == nil)
        #expect(CurlLibrary.load(named: "libc.so.6") == nil)
    }
}

import RemindavHTTP
import Testing

@testable import RemindavCurlTransport

@Suite("proxies of the environment")
struct ProxyTests {
    @Test(
        "only encrypted requests to other machines may go through a proxy",
        arguments: [
            ("https://dav.example.org/", true), ("https://10.0.0.1:8443/x", true),
            ("https://localhost/", false), ("https://127.0.0.1:5232/", false), ("https://[::1]/", false),
            ("https://a.localhost/", false),
            ("http://localhost:5232/", false), ("http://127.0.0.1/", false), ("http://nas.example/", false),
            ("http://192.168.1.2:8080/", false), ("nonsense", false),
        ]
    )
    func mayUseProxy(_ test: (url: String, expected: Bool)) {
        #expect(CurlDriver.mayUseProxy(Request(url: test.url)) == test.expected)
    }
}

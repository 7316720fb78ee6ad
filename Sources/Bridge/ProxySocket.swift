/// A Unix socket for a reverse proxy with TLS that publishes the web pages.
package struct ProxySocket: Hashable, Sendable {
    /// The path of the socket file.
    package let path: String
    /// The public address of the pages.
    package let site: FeedSite

    package init(path: String, site: FeedSite) {
        self.path = path
        self.site = site
    }
}

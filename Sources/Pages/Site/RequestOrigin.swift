import RemindavBridge
import RemindavHTTP

/// The checks that a request comes from a page of this site in a browser of this user (docs/decisions/0074).
enum RequestOrigin {
    /// Whether a request may change something: a page of this origin sent it.
    ///
    /// Browsers send the cookies of 127.0.0.1 to all of its ports, and count other ports as the same site. So the
    /// request must have the same origin: scheme, host and port.
    ///
    /// - Parameter site: the public address of the pages; `nil` for this computer.
    static func isOwn(_ headers: Headers, of site: FeedSite? = nil) -> Bool {
        let sites = headers.values(of: "Sec-Fetch-Site")
        let origins = headers.values(of: "Origin")
        guard sites.count <= 1, origins.count <= 1, let host = headers[.host] else { return false }
        if let site = sites.first, site != "same-origin" { return false }
        if let origin = origins.first { return origin == site?.origin ?? "http://\(host)" }
        return !sites.isEmpty
    }

    /// Whether a page of another site, or a frame or script of any site, requests a page.
    ///
    /// A link from another site opens a page, but only as a whole page in a tab of its own.
    static func isNavigation(_ headers: Headers) -> Bool {
        let mode = headers["Sec-Fetch-Mode"]
        let destination = headers["Sec-Fetch-Dest"]
        guard let mode, let destination else { return true }
        if headers["Sec-Fetch-Site"] == "same-origin" { return true }
        return mode == "navigate" && destination == "document"
    }
}

internal import HTTP

/// Counts the requests and bytes of a task.
///
/// ```swift
/// let traffic = Traffic()
/// try await Traffic.$current.withValue(traffic) { try await client.lists(in: home) }
/// ```
public actor Traffic {
    /// Where the requests of this task, and of its child tasks, are counted.
    @TaskLocal public static var current: Traffic?

    /// Requests, redirected ones counting each time.
    public private(set) var requests = 0
    /// Bytes of the bodies sent.
    public private(set) var bytesSent = 0
    /// Bytes of the bodies received, after decoding.
    public private(set) var bytesReceived = 0

    /// Nothing counted yet.
    public init() {}

    func sent(_ request: Request) {
        self.requests += 1
        self.bytesSent += request.body.count
    }

    func received(_ response: Response) { self.bytesReceived += response.body.count }
}

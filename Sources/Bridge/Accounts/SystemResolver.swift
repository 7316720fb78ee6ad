import Dispatch
import RemindavCResolv
import RemindavCalDAV

/// Asks the name servers of the machine through the resolver of the C library.
package struct SystemResolver: ServiceResolver {
    /// The timeout for each of at most three name servers; it is short, because a user waits.
    private static let secondsLimit = 2
    /// The maximum size of an answer over TCP (RFC 1035 §4.2.2).
    private static let maximumBytes = 65_535

    package init() {}

    /// The DNS message that answers a question; `nil` when no answer comes in time.
    package func answer(name: String, type: UInt16) async -> [UInt8]? {
        await withCheckedContinuation { continuation in
            // The C function blocks its thread, so it does not run on a thread of Swift's concurrency.
            DispatchQueue.global().async { @Sendable in
                continuation.resume(returning: Self.ask(name, Int32(type)))
            }
        }
    }

    private static func ask(_ name: String, _ type: Int32) -> [UInt8]? {
        var answer = [UInt8](repeating: 0, count: self.maximumBytes)
        let length = unsafe answer.withUnsafeMutableBufferPointer { buffer in
            unsafe remindav_resolve(name, type, buffer.baseAddress, Int32(buffer.count), Int32(self.secondsLimit))
        }
        guard length > 0 else { return nil }
        return Array(answer.prefix(Int(length)))
    }
}

import CResolv
import CalDAV
import Dispatch

/// The name servers of the machine, through the C library's resolver.
package struct SystemResolver: ServiceResolver {
    /// Seconds for each of the name servers, of which there are three at most: a person waits.
    private static let secondsLimit = 2
    /// An answer over TCP may be no longer (RFC 1035 §4.2.2).
    private static let maximumBytes = 65_535

    /// A resolver; it keeps nothing.
    package init() {}

    /// The message that answers a question, `nil` when there is no answer in time.
    package func answer(name: String, type: UInt16) async -> [UInt8]? {
        await withCheckedContinuation { continuation in
            // The C library waits, so that no task of Swift's does.
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

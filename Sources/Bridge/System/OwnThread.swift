#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// A thread for work that sleeps for days.
///
/// No queue of Dispatch: each second somebody would wake up to look whether its thread still sleeps.
enum OwnThread {
    private final class Work: Sendable {
        let body: @Sendable () -> Void

        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }

    /// Does the work on a thread of its own, and waits for its end without holding up another.
    static func run(_ body: @escaping @Sendable () throws -> Void) async throws {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            let work = Work { continuation.resume(with: Result(catching: body)) }
            let code = self.start(work)
            if code != 0 { continuation.resume(throwing: SystemError(number: code, subject: "pthread_create")) }
        }
    }

    private static func start(_ work: Work) -> Int32 {
        let object = unsafe Unmanaged.passRetained(work)
        #if canImport(Glibc)
        var thread = pthread_t()
        #else
        var thread: pthread_t?
        #endif
        let code = unsafe pthread_create(
            &thread,
            nil,
            { pointer in
                #if canImport(Glibc)
                guard let pointer = unsafe pointer else { return nil }
                #endif
                unsafe Unmanaged<Work>.fromOpaque(pointer).takeRetainedValue().body()
                return nil
            },
            unsafe object.toOpaque()
        )
        guard code == 0 else {
            unsafe object.release()
            return code
        }
        #if canImport(Glibc)
        pthread_detach(thread)
        #else
        if let thread = unsafe thread { unsafe pthread_detach(thread) }
        #endif
        return 0
    }
}

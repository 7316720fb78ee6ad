import Glibc

/// A process that must not outlive the process that has started it; see ``Subprocess/Options/tied``.
package enum TiedProcess {
    /// From now on, this process ends at once when its standard input ends.
    ///
    /// The signal of prctl(2), `PR_SET_PDEATHSIG`, would also come at the end of the thread that has started the process.
    package static func endWithInput() {
        _ = startThread(named: "input") {
            var bytes = [UInt8](repeating: 0, count: 64)
            while true {
                let count = unsafe bytes.withUnsafeMutableBytes { unsafe read(STDIN_FILENO, $0.baseAddress, $0.count) }
                if count == 0 || (count < 0 && errno != EINTR) { _exit(EXIT_FAILURE) }
            }
        }
    }
}

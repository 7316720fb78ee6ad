internal import CSystemd
internal import Glibc

/// The functions of sd-bus.
enum BusLibrary {
    /// `nil` when no library has them.
    ///
    /// sd-bus is part of libsystemd, or of elogind or basu on systems without systemd.
    static let functions: RemindavBusLibrary? = {
        let library = UnsafeMutablePointer<RemindavBusLibrary>.allocate(capacity: 1)
        defer { library.deallocate() }
        for name in ["libsystemd.so.0", "libelogind.so.0", "libbasu.so.0"]
        where remindav_load_bus(name, library) != 0 {
            return library.move()
        }
        return nil
    }()
}

/// The `errno.h` number of a failed sd-bus call.
struct BusFailure: Error, Hashable {
    let errno: Int32
}

/// The meaning of such a number for a bus.
enum BusErrno {
    case absent, address, silent, other

    init(_ number: Int32) {
        switch number {
        case ENOENT, ECONNREFUSED, ENOTDIR, ENOTSOCK, ECONNRESET, EPIPE: self = .absent
        case EINVAL, EPROTOTYPE, EAFNOSUPPORT, ENAMETOOLONG, ENOMEDIUM, ENOTSUP: self = .address
        case ETIMEDOUT, EAGAIN: self = .silent
        default: self = .other
        }
    }
}

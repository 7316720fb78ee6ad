internal import Glibc
internal import RemindavCSystemd

enum BusLibrary {
    /// `nil` if no library is installed; sd-bus is part of libsystemd, elogind and basu.
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

struct BusFailure: Error, Hashable {
    let errno: Int32
}

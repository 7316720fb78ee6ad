import CLI

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

exit(await RemindavCommand.main())

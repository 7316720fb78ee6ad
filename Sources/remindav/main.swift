import Glibc
import RemindavCLI

// `exit` would run the exit handlers of OpenSSL, which free data that an ending thread of libcurl may still use. All
// output is written without the buffers of the C library, so nothing is left to flush.
_exit(await RemindavCommand.main())

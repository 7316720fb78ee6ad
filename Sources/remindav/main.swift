import CLI
import Glibc

exit(await RemindavCommand.main())

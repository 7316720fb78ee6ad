/* The C library's extended attributes of files, which Swift's Glibc module leaves out. */
#include <sys/xattr.h>

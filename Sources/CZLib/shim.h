#include <zlib.h>

// A macro in zlib.h, which Swift cannot call. 15 is the largest window, 16 selects the gzip format.
static inline int remindav_start_gzip(z_stream *stream, int level) {
    return deflateInit2(stream, level, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
}

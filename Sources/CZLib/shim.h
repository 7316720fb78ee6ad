#include <zlib.h>

// A macro in zlib.h, which Swift cannot call. 15 is the largest window, 16 selects the gzip format.
static inline int remindav_start_gzip(z_stream *stream, int level) {
    return deflateInit2(stream, level, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
}

// The same for decompression; a negative window selects the format without a header, as in ZIP archives.
static inline int remindav_start_inflate(z_stream *stream) {
    return inflateInit2(stream, -15);
}

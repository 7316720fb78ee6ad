#include <stddef.h>

/* A file of the web pages; the bytes are part of the program. */
struct RemindavAsset {
    const unsigned char *_Nonnull bytes;
    size_t count;
};

extern const struct RemindavAsset remindav_page_css;
extern const struct RemindavAsset remindav_page_js;
extern const struct RemindavAsset remindav_icon_svg;

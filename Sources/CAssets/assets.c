#include "CAssets.h"

static const unsigned char page_css[] = {
#embed "page.css"
};
const struct RemindavAsset remindav_page_css = {page_css, sizeof page_css};

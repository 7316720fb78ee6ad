#include "CAssets.h"

static const unsigned char page_css[] = {
#embed "page.css"
};
const struct RemindavAsset remindav_page_css = {page_css, sizeof page_css};

static const unsigned char icon_svg[] = {
#embed "icon.svg"
};
const struct RemindavAsset remindav_icon_svg = {icon_svg, sizeof icon_svg};

static const unsigned char page_js[] = {
#embed "page.js"
};
const struct RemindavAsset remindav_page_js = {page_js, sizeof page_js};

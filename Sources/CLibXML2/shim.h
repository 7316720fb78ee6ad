/* Debian's libxml2 is built with ICU, and its headers then bring all of ICU's along, which do not agree with those inside
   of the Swift toolchain. Nothing here needs them: they only add fields to a structure that is never touched. */
#include <libxml/xmlversion.h>
#undef LIBXML_ICU_ENABLED
#include <libxml/parser.h>

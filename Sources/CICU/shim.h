#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>

// The calendars of ICU, loaded for the first rule that needs them: docs/decisions/0079. The functions are declared here
// instead of in ICU's headers, because their names contain the version of the library: ucal_open_72. The declarations
// are part of ICU's stable C interface (unicode/ucal.h).

// UCalendarDateFields
enum { REMINDAV_ICU_MONTH = 2, REMINDAV_ICU_DATE = 5, REMINDAV_ICU_EXTENDED_YEAR = 19, REMINDAV_ICU_IS_LEAP_MONTH = 22 };

struct RemindavICU {
    // UErrorCode is an int: 0 is success, a negative number a warning.
    void *_Nullable (*_Nonnull open)(const uint16_t *_Nonnull zone, int32_t length, const char *_Nonnull locale, int type,
                                     int *_Nonnull status);
    void (*_Nonnull close)(void *_Nonnull calendar);
    const char *_Nullable (*_Nonnull getType)(const void *_Nonnull calendar, int *_Nonnull status);
    void (*_Nonnull clear)(void *_Nonnull calendar);
    void (*_Nonnull set)(void *_Nonnull calendar, int field, int32_t value);
    int32_t (*_Nonnull get)(const void *_Nonnull calendar, int field, int *_Nonnull status);
    void (*_Nonnull setMillis)(void *_Nonnull calendar, double time, int *_Nonnull status);
    double (*_Nonnull getMillis)(const void *_Nonnull calendar, int *_Nonnull status);
};

// A short text in Swift would be no string of the program's file, in which Tests/libraries.py searches it.
static inline const char *_Nonnull remindav_icu_name(void) { return "libicui18n.so"; }

// Fills in all functions of a version and returns 1; 0 if there is no such library, or if it lacks one of them.
static inline int remindav_load_icu(const char *_Nonnull name, int version, struct RemindavICU *_Nonnull icu) {
    char text[64];
    snprintf(text, sizeof text, "%s.%d", name, version);
    void *handle = dlopen(text, RTLD_NOW | RTLD_LOCAL);
    if (!handle) return 0;
#define REMINDAV_LOAD(name)                                                                                            \
    snprintf(text, sizeof text, "ucal_" #name "_%d", version);                                                         \
    void *found_##name = dlsym(handle, text);                                                                          \
    if (!found_##name) {                                                                                               \
        dlclose(handle);                                                                                               \
        return 0;                                                                                                      \
    }                                                                                                                  \
    icu->name = (__typeof__(icu->name))found_##name;
    REMINDAV_LOAD(open)
    REMINDAV_LOAD(close)
    REMINDAV_LOAD(getType)
    REMINDAV_LOAD(clear)
    REMINDAV_LOAD(set)
    REMINDAV_LOAD(get)
    REMINDAV_LOAD(setMillis)
    REMINDAV_LOAD(getMillis)
#undef REMINDAV_LOAD
    return 1;
}

#include <curl/curl.h>
#include <dlfcn.h>

/* libcurl is loaded by who first makes a session: docs/decisions/0028. The header says what each function looks like,
   so nothing here can differ from it. */

#define REMINDAV_CURL_FUNCTIONS(each)                                                                                  \
    each(easy_init) each(easy_cleanup) each(easy_reset) each(easy_setopt) each(easy_getinfo) each(easy_perform)        \
    each(easy_strerror) each(global_init) each(multi_init) each(multi_cleanup) each(multi_setopt)                      \
    each(multi_add_handle) each(multi_remove_handle) each(multi_perform) each(multi_poll) each(multi_wakeup)           \
    each(multi_info_read) each(share_init) each(share_cleanup) each(share_setopt) each(slist_append)                   \
    each(slist_free_all)

/* curl.h wraps these in macros that only count or check arguments. */
#undef curl_easy_setopt
#undef curl_easy_getinfo
#undef curl_multi_setopt
#undef curl_share_setopt

struct RemindavCurl {
#define REMINDAV_FIELD(name) __typeof__(curl_##name) *_Nonnull name;
    REMINDAV_CURL_FUNCTIONS(REMINDAV_FIELD)
#undef REMINDAV_FIELD
};
typedef const struct RemindavCurl *_Nonnull RemindavCurlLibrary;

/* Fills in all functions and returns 1; 0 when there is no such library, or it lacks one of them. */
static inline int remindav_load_curl(const char *_Nonnull name, struct RemindavCurl *_Nonnull curl) {
    void *handle = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (!handle) return 0;
#define REMINDAV_LOAD(name)                                                                                            \
    void *found_##name = dlsym(handle, "curl_" #name);                                                                 \
    if (!found_##name) {                                                                                               \
        dlclose(handle);                                                                                               \
        return 0;                                                                                                      \
    }                                                                                                                  \
    curl->name = (__typeof__(curl_##name) *)found_##name;
    REMINDAV_CURL_FUNCTIONS(REMINDAV_LOAD)
#undef REMINDAV_LOAD
    return 1;
}

/* Typed doors to libcurl's variadic functions, which Swift cannot call, and of which it sees no pointer. */

static inline CURLcode remindav_curl_set_long(RemindavCurlLibrary curl,
    CURL *easy, CURLoption option, long value) {
    return curl->easy_setopt(easy, option, value);
}
static inline CURLcode remindav_curl_set_offset(RemindavCurlLibrary curl,
    CURL *easy, CURLoption option, curl_off_t value) {
    return curl->easy_setopt(easy, option, value);
}
static inline CURLcode remindav_curl_set_text(RemindavCurlLibrary curl,
    CURL *easy, CURLoption option, const char *value) {
    return curl->easy_setopt(easy, option, value);
}
static inline CURLcode remindav_curl_set_pointer(RemindavCurlLibrary curl,
    CURL *easy, CURLoption option, void *value) {
    return curl->easy_setopt(easy, option, value);
}
static inline CURLcode remindav_curl_set_data(RemindavCurlLibrary curl,
    CURL *easy, CURLoption option, size_t (*callback)(char *, size_t, size_t, void *)) {
    return curl->easy_setopt(easy, option, callback);
}
static inline CURLcode remindav_curl_set_seek(RemindavCurlLibrary curl,
    CURL *easy, int (*callback)(void *, curl_off_t, int)) {
    return curl->easy_setopt(easy, CURLOPT_SEEKFUNCTION, callback);
}
static inline CURLcode remindav_curl_set_watch(RemindavCurlLibrary curl,
    CURL *easy, int (*callback)(CURL *, curl_infotype, char *, size_t, void *)) {
    return curl->easy_setopt(easy, CURLOPT_DEBUGFUNCTION, callback);
}
static inline CURLcode remindav_curl_set_open_socket(RemindavCurlLibrary curl,
    CURL *easy, curl_socket_t (*callback)(void *, curlsocktype, struct curl_sockaddr *)) {
    return curl->easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, callback);
}
/* The answer of such a callback that refuses the address; Swift does not see the macro. */
static inline curl_socket_t remindav_curl_no_socket(void) { return CURL_SOCKET_BAD; }
static inline CURLcode remindav_curl_get_long(RemindavCurlLibrary curl, CURL *easy, CURLINFO info, long *value) {
    return curl->easy_getinfo(easy, info, value);
}
static inline CURLcode remindav_curl_get_offset(RemindavCurlLibrary curl,
    CURL *easy, CURLINFO info, curl_off_t *value) {
    return curl->easy_getinfo(easy, info, value);
}
static inline CURLMcode remindav_curl_multi_set_long(RemindavCurlLibrary curl,
    CURLM *multi, CURLMoption option, long value) {
    return curl->multi_setopt(multi, option, value);
}
static inline CURLSHcode remindav_curl_share(RemindavCurlLibrary curl, CURLSH *share, curl_lock_data data) {
    return curl->share_setopt(share, CURLSHOPT_SHARE, data);
}
/* What libcurl says of the certificate that the server itself has shown; NULL when there is none. */
static inline struct curl_slist *remindav_curl_first_certificate(RemindavCurlLibrary curl, CURL *easy) {
    struct curl_certinfo *info = 0;
    if (curl->easy_getinfo(easy, CURLINFO_CERTINFO, &info) != CURLE_OK || !info || info->num_of_certs < 1) return 0;
    return info->certinfo[0];
}
/* The next transfer that has ended: CURLMsg holds a union. Returns 0 when there is none. */
static inline int remindav_curl_next_end(RemindavCurlLibrary curl, CURLM *multi, CURL **easy, CURLcode *code) {
    int left;
    CURLMsg *message;
    while ((message = curl->multi_info_read(multi, &left)))
        if (message->msg == CURLMSG_DONE) {
            *easy = message->easy_handle;
            *code = message->data.result;
            return 1;
        }
    return 0;
}

#include <curl/curl.h>

/* Typed doors to libcurl's variadic functions, which Swift cannot call. */

static inline CURLcode remindav_curl_set_long(CURL *easy, CURLoption option, long value) {
    return curl_easy_setopt(easy, option, value);
}
static inline CURLcode remindav_curl_set_offset(CURL *easy, CURLoption option, curl_off_t value) {
    return curl_easy_setopt(easy, option, value);
}
static inline CURLcode remindav_curl_set_text(CURL *easy, CURLoption option, const char *value) {
    return curl_easy_setopt(easy, option, value);
}
static inline CURLcode remindav_curl_set_pointer(CURL *easy, CURLoption option, void *value) {
    return curl_easy_setopt(easy, option, value);
}
static inline CURLcode remindav_curl_set_data(
    CURL *easy, CURLoption option, size_t (*callback)(char *, size_t, size_t, void *)) {
    return curl_easy_setopt(easy, option, callback);
}
static inline CURLcode remindav_curl_set_seek(CURL *easy, int (*callback)(void *, curl_off_t, int)) {
    return curl_easy_setopt(easy, CURLOPT_SEEKFUNCTION, callback);
}
static inline CURLcode remindav_curl_set_watch(
    CURL *easy, int (*callback)(CURL *, curl_infotype, char *, size_t, void *)) {
    return curl_easy_setopt(easy, CURLOPT_DEBUGFUNCTION, callback);
}
static inline CURLcode remindav_curl_get_long(CURL *easy, CURLINFO info, long *value) {
    return curl_easy_getinfo(easy, info, value);
}
static inline CURLcode remindav_curl_get_offset(CURL *easy, CURLINFO info, curl_off_t *value) {
    return curl_easy_getinfo(easy, info, value);
}
static inline CURLMcode remindav_curl_multi_set_long(CURLM *multi, CURLMoption option, long value) {
    return curl_multi_setopt(multi, option, value);
}
static inline CURLSHcode remindav_curl_share(CURLSH *share, curl_lock_data data) {
    return curl_share_setopt(share, CURLSHOPT_SHARE, data);
}
/* What libcurl says of the certificate that the server itself has shown; NULL when there is none. */
static inline struct curl_slist *remindav_curl_first_certificate(CURL *easy) {
    struct curl_certinfo *info = 0;
    if (curl_easy_getinfo(easy, CURLINFO_CERTINFO, &info) != CURLE_OK || !info || info->num_of_certs < 1) return 0;
    return info->certinfo[0];
}
/* The next transfer that has ended: CURLMsg holds a union. Returns 0 when there is none. */
static inline int remindav_curl_next_end(CURLM *multi, CURL **easy, CURLcode *code) {
    int left;
    CURLMsg *message;
    while ((message = curl_multi_info_read(multi, &left)))
        if (message->msg == CURLMSG_DONE) {
            *easy = message->easy_handle;
            *code = message->data.result;
            return 1;
        }
    return 0;
}

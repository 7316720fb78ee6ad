/* The fewest requests that could do the work of a sync, and nothing besides: no store, no XML, no merge. What it takes is
   the time of the server and of libcurl.

     dav_floor FILE

   FILE has one line with an URL, USER:PASSWORD and the number of connections, then the requests. A request is a line with
   method, path, Depth, condition ("-", "*" for If-None-Match, else the entity tag for If-Match), the number of bytes of
   its body, and "wait" or "go", all with tabs between; the body; and a line feed. A request that waits is sent when all
   before it are answered. */
#include "measure.h"

#include <curl/curl.h>

#define MOST_CONNECTIONS 16

typedef struct {
    char *method, *path, *depth, *condition;
    const char *body;
    size_t length;
    int waits;
} request;

typedef struct {
    CURL *easy;
    struct curl_slist *fields;
    const request *work;
    size_t sent;
} channel;

static const char *base, *secret;
static long long received;

static size_t swallow(char *bytes, size_t size, size_t count, void *context)
{
    (void)bytes, (void)context;
    received += (long long)(size * count);
    return size * count;
}

static size_t give(char *buffer, size_t size, size_t count, void *context)
{
    channel *c = context;
    size_t rest = c->work->length - c->sent, room = size * count, now = rest < room ? rest : room;
    memcpy(buffer, c->work->body + c->sent, now);
    c->sent += now;
    return now;
}

static void field(channel *c, const char *name, const char *value)
{
    char line[512];
    snprintf(line, sizeof line, "%s: %s", name, value);
    c->fields = curl_slist_append(c->fields, line);
}

static void begin(CURLM *multi, channel *c, const request *work)
{
    char url[2048];
    snprintf(url, sizeof url, "%s%s", base, work->path);
    c->work = work;
    c->sent = 0;
    curl_easy_reset(c->easy);
    curl_slist_free_all(c->fields);
    c->fields = curl_slist_append(NULL, "Expect:");
    if (strcmp(work->depth, "-") != 0)
        field(c, "Depth", work->depth);
    if (strcmp(work->condition, "*") == 0)
        field(c, "If-None-Match", "*");
    else if (strcmp(work->condition, "-") != 0)
        field(c, "If-Match", work->condition);
    if (work->length > 0) {
        field(c, "Content-Type", strcmp(work->method, "PUT") == 0 ? "text/calendar; charset=utf-8" : "application/xml");
        curl_easy_setopt(c->easy, CURLOPT_UPLOAD, 1L);
        curl_easy_setopt(c->easy, CURLOPT_INFILESIZE_LARGE, (curl_off_t)work->length);
        curl_easy_setopt(c->easy, CURLOPT_READFUNCTION, give);
        curl_easy_setopt(c->easy, CURLOPT_READDATA, c);
    }
    curl_easy_setopt(c->easy, CURLOPT_URL, url);
    curl_easy_setopt(c->easy, CURLOPT_CUSTOMREQUEST, work->method);
    curl_easy_setopt(c->easy, CURLOPT_HTTPHEADER, c->fields);
    curl_easy_setopt(c->easy, CURLOPT_USERPWD, secret);
    curl_easy_setopt(c->easy, CURLOPT_WRITEFUNCTION, swallow);
    curl_easy_setopt(c->easy, CURLOPT_PRIVATE, c);
    curl_easy_setopt(c->easy, CURLOPT_NOSIGNAL, 1L);
    curl_multi_add_handle(multi, c->easy);
}

static void finish(CURLM *multi, channel *c, CURLcode code)
{
    long status = 0;
    curl_easy_getinfo(c->easy, CURLINFO_RESPONSE_CODE, &status);
    curl_multi_remove_handle(multi, c->easy);
    if (code != CURLE_OK || status < 200 || status > 299) {
        fprintf(stderr, "%s %s: %s, status %ld\n", c->work->method, c->work->path, curl_easy_strerror(code), status);
        exit(1);
    }
    c->work = NULL;
}

/* Sends the requests, so many at a time. */
static void run(const request *requests, size_t count, int connections)
{
    CURLM *multi = curl_multi_init();
    channel channels[MOST_CONNECTIONS] = {0};
    curl_multi_setopt(multi, CURLMOPT_MAXCONNECTS, (long)connections);
    for (int i = 0; i < connections; i++)
        channels[i].easy = curl_easy_init();
    size_t next = 0;
    int busy = 0, running;
    while (next < count || busy > 0) {
        for (int i = 0; i < connections && next < count && !(requests[next].waits && busy > 0); i++)
            if (!channels[i].work) {
                begin(multi, &channels[i], &requests[next++]);
                busy++;
            }
        curl_multi_perform(multi, &running);
        int left, ended = 0;
        for (CURLMsg *message; (message = curl_multi_info_read(multi, &left));)
            if (message->msg == CURLMSG_DONE) {
                channel *c;
                CURLcode code = message->data.result;
                curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, &c);
                finish(multi, c, code);
                busy--;
                ended = 1;
            }
        if (!ended)
            curl_multi_poll(multi, NULL, 0, 1000, NULL);
    }
}

/* The next word of a line; its separator becomes its end. */
static char *word(char **at, char end)
{
    char *start = *at;
    char *stop = strchr(start, end);
    if (!stop)
        fprintf(stderr, "the file of requests breaks off\n"), exit(64);
    *stop = 0;
    *at = stop + 1;
    return start;
}

int main(int count, char **arguments)
{
    if (count != 2)
        return fprintf(stderr, "usage: dav_floor FILE\n"), 64;
    size_t size, used = 0, room = 0;
    char *at = contents(arguments[1], &size), *end = at + size;
    request *requests = NULL;
    base = word(&at, '\t');
    secret = word(&at, '\t');
    int connections = atoi(word(&at, '\n'));
    if (connections < 1 || connections > MOST_CONNECTIONS)
        return fprintf(stderr, "1 to %d connections\n", MOST_CONNECTIONS), 64;
    while (at < end) {
        if (used == room)
            requests = realloc(requests, (room = room * 2 + 16) * sizeof *requests);
        request *r = &requests[used++];
        r->method = word(&at, '\t');
        r->path = word(&at, '\t');
        r->depth = word(&at, '\t');
        r->condition = word(&at, '\t');
        r->length = strtoul(word(&at, '\t'), NULL, 10);
        r->waits = strcmp(word(&at, '\n'), "wait") == 0;
        r->body = at;
        at += r->length + 1;
    }
    curl_global_init(CURL_GLOBAL_DEFAULT);
    run(requests, used, connections);
    printf("requests=%zu received=%lld\n", used, received);
    return 0;
}

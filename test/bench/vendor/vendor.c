/*
 * The mock vendor: answers with bytes that were prepared before the first request came, so that it costs less than a
 * tenth of what is measured in front of it. One thread, epoll, no parsing beyond the end of a request.
 *
 *   vendor <table> <milliseconds before an answer begins>
 *
 * Each line of the table is `<beginning of the request target> TAB <text in the request, or nothing> TAB <file>`; the
 * first line that fits a request answers it. A file holds pieces, each behind its length as four bytes (little-endian);
 * each piece is sent by a call of its own, as the events of a model come one by one. The port, a free one of
 * 127.0.0.1, is printed as a line. It ends when its standard input does.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/epoll.h>
#include <time.h>
#include <unistd.h>

struct answer {
  char *target;
  char *text;
  unsigned char *bytes;
  size_t length;
};

struct connection {
  int fd;
  char *request;
  size_t length, capacity;
  const struct answer *answer;
  /* Where the piece that is being sent begins, and how much of it has been sent. */
  size_t piece, sent;
  /* Whether it waits for the socket to take more. */
  int stuck;
  /* When its answer begins, in nanoseconds, and who is next among those that wait for that. */
  long long due;
  struct connection *next;
};

static struct answer answers[64];
static int answer_count;
static int epoll_fd;
static long long delay;
/* All wait equally long, so who comes first is due first. */
static struct connection *first, *last;

static void die(const char *what) {
  perror(what);
  exit(1);
}

static unsigned char *read_whole(const char *path, size_t *length) {
  FILE *file = fopen(path, "rb");
  if (!file) die(path);
  fseek(file, 0, SEEK_END);
  *length = (size_t)ftell(file);
  rewind(file);
  unsigned char *bytes = malloc(*length + 1);
  if (!bytes || fread(bytes, 1, *length, file) != *length) die(path);
  fclose(file);
  return bytes;
}

static void read_table(const char *path) {
  FILE *file = fopen(path, "r");
  if (!file) die(path);
  char *line = NULL;
  size_t capacity = 0;
  ssize_t length;
  while ((length = getline(&line, &capacity, file)) > 0) {
    if (line[length - 1] == '\n') line[length - 1] = 0;
    char *rest = line;
    char *target = strsep(&rest, "\t"), *text = strsep(&rest, "\t");
    if (!rest || answer_count == 64) exit(1);
    struct answer *answer = &answers[answer_count++];
    answer->target = strdup(target);
    answer->text = strdup(text);
    answer->bytes = read_whole(rest, &answer->length);
  }
  free(line);
  fclose(file);
}

/* The length of the first whole request in what has come; 0 while it is not whole. */
static size_t whole_request(struct connection *one) {
  one->request[one->length] = 0;
  char *end = strstr(one->request, "\r\n\r\n");
  if (!end) return 0;
  size_t head = (size_t)(end - one->request) + 4;
  *end = 0;
  char *length = strcasestr(one->request, "\r\ncontent-length:");
  int chunked = strcasestr(one->request, "\r\ntransfer-encoding: chunked") != NULL;
  size_t body = length ? strtoul(length + 17, NULL, 10) : 0;
  *end = '\r';
  if (!chunked) return one->length >= head + body ? head + body : 0;
  char *last = memmem(one->request + head - 2, one->length - head + 2, "\r\n0\r\n\r\n", 7);
  return last ? (size_t)(last - one->request) + 7 : 0;
}

static const struct answer *answer_to(const struct connection *one, size_t length) {
  const char *target = memchr(one->request, ' ', length);
  if (!target) return NULL;
  target += 1;
  for (int n = 0; n < answer_count; n += 1) {
    const struct answer *answer = &answers[n];
    if (strncmp(target, answer->target, strlen(answer->target)) != 0) continue;
    if (*answer->text && !memmem(one->request, length, answer->text, strlen(answer->text))) continue;
    return answer;
  }
  return NULL;
}

static void close_connection(struct connection *one) {
  close(one->fd);
  free(one->request);
  free(one);
}

static void watch(struct connection *one, uint32_t events) {
  struct epoll_event event = {.events = events, .data.ptr = one};
  epoll_ctl(epoll_fd, EPOLL_CTL_MOD, one->fd, &event);
}

/* Sends what the socket takes. 1: all of it, 0: there is more, -1: the connection is gone. */
static int send_answer(struct connection *one) {
  while (one->piece < one->answer->length) {
    uint32_t length;
    memcpy(&length, one->answer->bytes + one->piece, 4);
    const unsigned char *bytes = one->answer->bytes + one->piece + 4;
    ssize_t sent = send(one->fd, bytes + one->sent, length - one->sent, MSG_NOSIGNAL);
    if (sent < 0) return errno == EAGAIN ? 0 : -1;
    one->sent += (size_t)sent;
    if (one->sent < length) continue;
    one->piece += 4 + length;
    one->sent = 0;
  }
  one->answer = NULL;
  return 1;
}

static const char not_found[] = "HTTP/1.1 404 Not Found\r\ncontent-type: application/json\r\ncontent-length: 40\r\n\r\n"
                                "{\"error\":{\"message\":\"Not to be had.\"}}\n\n";

static long long now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000000000LL + time.tv_nsec;
}

/* Nothing is read from it until its answer is due. */
static void wait_for(struct connection *one) {
  epoll_ctl(epoll_fd, EPOLL_CTL_DEL, one->fd, NULL);
  one->due = now() + delay;
  one->next = NULL;
  if (last) last->next = one;
  else first = one;
  last = one;
}

static void add(int fd, void *what) {
  struct epoll_event event = {.events = EPOLLIN, .data.ptr = what};
  epoll_ctl(epoll_fd, EPOLL_CTL_ADD, fd, &event);
}

static void serve(struct connection *one) {
  for (;;) {
    if (one->answer) {
      int done = send_answer(one);
      if (done < 0) return close_connection(one);
      if (done == 0 && !one->stuck) watch(one, EPOLLOUT);
      if (done && one->stuck) watch(one, EPOLLIN);
      one->stuck = !done;
      if (!done) return;
    }
    size_t length = one->length ? whole_request(one) : 0;
    if (length) {
      one->answer = answer_to(one, length);
      one->piece = one->sent = 0;
      memmove(one->request, one->request + length, one->length - length);
      one->length -= length;
      if (!one->answer && send(one->fd, not_found, sizeof not_found - 1, MSG_NOSIGNAL) < 0) return close_connection(one);
      if (one->answer && delay > 0) return wait_for(one);
      continue;
    }
    if (one->capacity - one->length < 65536) {
      one->capacity = one->capacity * 2 + 65536;
      one->request = realloc(one->request, one->capacity + 1);
      if (!one->request) die("memory");
    }
    ssize_t got = recv(one->fd, one->request + one->length, one->capacity - one->length, 0);
    if (got < 0 && errno == EAGAIN) return;
    if (got <= 0) return close_connection(one);
    one->length += (size_t)got;
  }
}

static void accept_all(int listener) {
  for (;;) {
    int fd = accept4(listener, NULL, NULL, SOCK_NONBLOCK);
    if (fd < 0) return;
    int yes = 1;
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    struct connection *one = calloc(1, sizeof *one);
    one->fd = fd;
    add(fd, one);
  }
}

/* Begins the answers that are due. Returns in how many nanoseconds the next one is; -1: none waits. */
static long long begin_due(void) {
  while (first && first->due <= now()) {
    struct connection *one = first;
    first = one->next;
    if (!first) last = NULL;
    add(one->fd, one);
    serve(one);
  }
  if (!first) return -1;
  long long left = first->due - now();
  return left > 0 ? left : 0;
}

int main(int count, char **arguments) {
  if (count != 3) return 2;
  read_table(arguments[1]);
  delay = atoll(arguments[2]) * 1000000LL;
  int listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t size = sizeof address;
  if (bind(listener, (struct sockaddr *)&address, size) || listen(listener, 4096)) die("listen");
  getsockname(listener, (struct sockaddr *)&address, &size);
  epoll_fd = epoll_create1(0);
  add(listener, &listener);
  add(0, NULL);
  printf("%d\n", ntohs(address.sin_port));
  fflush(stdout);
  for (;;) {
    struct epoll_event events[256];
    long long left = begin_due();
    struct timespec wait = {.tv_sec = left / 1000000000LL, .tv_nsec = left % 1000000000LL};
    int ready = epoll_pwait2(epoll_fd, events, 256, left < 0 ? NULL : &wait, NULL);
    for (int n = 0; n < ready; n += 1) {
      char ignored[64];
      if (events[n].data.ptr == NULL) {
        if (read(0, ignored, sizeof ignored) <= 0) return 0;
      } else if (events[n].data.ptr == &listener) accept_all(listener);
      else serve(events[n].data.ptr);
    }
  }
}

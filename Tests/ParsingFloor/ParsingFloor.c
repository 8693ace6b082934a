// The least that `news parse FILE` could cost: libxml2's parser, and the lines of the stories of a
// generated feed (Tests/Benchmark/Rows/Workload.swift), as `news parse` prints them.

#include <CLibXML2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct text {
  char *bytes;
  size_t size, room;
};

struct reader {
  /// What is read now; NULL between the elements that are wanted.
  struct text *current;
  struct text title, date, lines;
  size_t stories;
};

static void append(struct text *text, const void *bytes, size_t size) {
  if (text->size + size > text->room) {
    text->room = 2 * (text->size + size);
    text->bytes = realloc(text->bytes, text->room);
    if (text->bytes == NULL) abort();
  }
  memcpy(text->bytes + text->size, bytes, size);
  text->size += size;
}

static void start(void *user, const unsigned char *local, const unsigned char *prefix,
                  const unsigned char *uri, int namespaces, const unsigned char **pairs,
                  int attributes, int defaulted, const unsigned char **fives) {
  (void)prefix, (void)uri, (void)namespaces, (void)pairs, (void)attributes, (void)defaulted;
  (void)fives;
  struct reader *reader = user;
  reader->current = !strcmp((const char *)local, "title")     ? &reader->title
                    : !strcmp((const char *)local, "pubDate") ? &reader->date
                                                              : NULL;
  if (reader->current != NULL) reader->current->size = 0;
}

static void characters(void *user, const unsigned char *bytes, int size) {
  struct reader *reader = user;
  if (reader->current != NULL) append(reader->current, bytes, size);
}

/// Turns `Sun, 05 Oct 2026 13:04:00 GMT` into RFC 3339.
static void append_date(struct text *lines, const struct text *date) {
  static const char months[] = "JanFebMarAprMayJunJulAugSepOctNovDec";
  char month[4] = "", line[32];
  int day, year, hour, minute, second;
  if (date->size < 25 || sscanf(date->bytes + 5, "%d %3s %d %d:%d:%d", &day, month, &year, &hour,
                                &minute, &second) != 6) {
    return append(lines, "-                   ", 20);
  }
  const char *found = strstr(months, month);
  const int number = found == NULL ? 0 : (int)(found - months) / 3 + 1;
  const int size = snprintf(line, sizeof line, "%04d-%02d-%02dT%02d:%02d:%02dZ", year, number, day,
                            hour, minute, second);
  append(lines, line, size);
}

static void end(void *user, const unsigned char *local, const unsigned char *prefix,
                const unsigned char *uri) {
  (void)prefix, (void)uri;
  struct reader *reader = user;
  reader->current = NULL;
  if (strcmp((const char *)local, "item")) return;
  reader->stories++;
  append_date(&reader->lines, &reader->date);
  append(&reader->lines, "  ", 2);
  append(&reader->lines, reader->title.bytes, reader->title.size);
  append(&reader->lines, "\n", 1);
}

static void ignore(void *user, CLibXML2Error *error) { (void)user, (void)error; }

int main(int count, char **words) {
  FILE *file = count > 1 ? fopen(words[1], "r") : NULL;
  if (file == NULL || clibxml2_load() != NULL) return 1;
  struct text document = {0};
  static char piece[1 << 16];
  for (size_t size; (size = fread(piece, 1, sizeof piece, file)) > 0;) {
    append(&document, piece, size);
  }
  struct reader reader = {0};
  const struct clibxml2_handler handler = {.start_element = start, .end_element = end,
                                           .characters = characters, .cdata = characters,
                                           .error = ignore};
  CLibXML2Parser *parser =
      clibxml2_open(&handler, &reader, document.bytes, document.size, CLIBXML2_STRICT);
  if (parser == NULL) return 1;
  clibxml2_run(parser);
  const int width = snprintf(NULL, 0, "%zu", reader.stories);
  const char *line = reader.lines.bytes;
  for (size_t number = 1; number <= reader.stories; number++) {
    const char *next = memchr(line, '\n', reader.lines.bytes + reader.lines.size - line);
    printf("%*zu  %.*s", width, number, (int)(next + 1 - line), line);
    line = next + 1;
  }
  return fflush(stdout) == 0 ? 0 : 1;
}

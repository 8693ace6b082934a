#include "CVersion.h"

#include <ctype.h>
#include <string.h>

#ifdef NEWS_COMMIT

const char *cversion_commit(void) {
  return NEWS_COMMIT;
}

#else

// A build in a checkout says its commit: git's own files are compiled in. The compiler notes that this
// file depends on them, so that after a commit it alone is compiled anew.
#ifdef __has_embed
#pragma clang diagnostic ignored "-Wc23-extensions"
#else
#define __has_embed(file) 0
#endif

// `ref: refs/heads/main`, or a commit.
static const char head[] = {
#if __has_embed("../../.git/HEAD")
#embed "../../.git/HEAD"
  ,
#endif
  0};

#ifdef NEWS_BRANCH
static const char reference[] = "ref: " NEWS_BRANCH "\n";
static const char branch[] = {
#if __has_embed(NEWS_BRANCH_FILE)
#embed NEWS_BRANCH_FILE
  ,
#endif
  0};
#else
static const char reference[] = "";
static const char branch[] = "";
#endif

enum { COMMIT_LENGTH = 12 };

const char *cversion_commit(void) {
  static char commit[COMMIT_LENGTH + 1];
  // Another branch may have been checked out since the package was looked at.
  const char *said = strcmp(head, reference) == 0 ? branch : head;
  size_t length = strspn(said, "0123456789abcdef");
  // A hash of SHA-1 or SHA-256.
  if (length < 40 || !isspace((unsigned char)said[length])) return "";
  memcpy(commit, said, COMMIT_LENGTH);
  return commit;
}

#endif

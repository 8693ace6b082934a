// What the build was told of its source: Swift has no constants from outside.

#ifndef NEWS_CVERSION_H
#define NEWS_CVERSION_H

/// The commit that the program was built from; empty where the build was not told.
const char *cversion_commit(void);

#endif

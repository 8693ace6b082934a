// The facts that the build was told of its source: Swift has no constants from outside.

#ifndef NEWS_CVERSION_H
#define NEWS_CVERSION_H

/// The commit that the program was built from, its first twelve digits at least; empty where the build
/// was neither told nor in a checkout.
const char *cversion_commit(void);

#endif

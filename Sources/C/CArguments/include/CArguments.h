// The arguments of the process, as the kernel gave them to `main`.
//
// Swift's own reads /proc/self/cmdline, which may be absent, or looks for them before the
// environment, which a preloaded library may have put elsewhere.

#ifndef NEWS_CARGUMENTS_H
#define NEWS_CARGUMENTS_H

/// The words, the program's name first, and NULL behind the last one.
char *const *carguments(void);

#endif

#include "CVersion.h"

#ifndef NEWS_COMMIT
#define NEWS_COMMIT ""
#endif

const char *cversion_commit(void) {
  return NEWS_COMMIT;
}

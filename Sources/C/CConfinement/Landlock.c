#define _GNU_SOURCE
#include "CConfinement.h"

#include <errno.h>

#include "Calls.h"

#ifdef __linux__
#include <fcntl.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

// As of linux/landlock.h, which an older system that this is built on may lack or have in part.
enum { CREATE_RULESET_VERSION = 1, RULE_PATH_BENEATH = 1 };

struct ruleset {
  uint64_t files;
  uint64_t network;
  uint64_t scopes;
};

struct path_beneath {
  uint64_t access;
  int32_t parent;
} __attribute__((packed));

enum {
  EXECUTE = 1 << 0,
  WRITE_FILE = 1 << 1,
  READ_FILE = 1 << 2,
  READ_FOLDER = 1 << 3,
  // Removing, and making of files, folders, devices, sockets, pipes and links: 4 to 12.
  REFER = 1 << 13,
  TRUNCATE = 1 << 14,
  CONTROL_DEVICE = 1 << 15,
};
enum { BIND_TCP = 1 << 0, CONNECT_TCP = 1 << 1 };
enum { SCOPE_ABSTRACT_SOCKETS = 1 << 0, SCOPE_SIGNALS = 1 << 1 };

int cconfinement_landlock_version(void) {
  static int known = -1;
  if (known < 0) {
    long version = syscall(LANDLOCK_CREATE_RULESET, NULL, 0, CREATE_RULESET_VERSION);
    known = version > 0 ? (int)version : 0;
  }
  return known;
}

/// All rights that a version knows; without REFER a file cannot be moved to another folder at all.
static uint64_t known(int version) {
  uint64_t all = (1 << 13) - 1;
  if (version >= 2) all |= REFER;
  if (version >= 3) all |= TRUNCATE;
  if (version >= 5) all |= CONTROL_DEVICE;
  return all;
}

static uint64_t network(unsigned limits) {
  return (limits & CCONFINEMENT_NO_BIND ? BIND_TCP : 0) |
         (limits & CCONFINEMENT_NO_CONNECT ? CONNECT_TCP : 0);
}

static uint64_t scopes(unsigned limits) {
  // Others' sockets without a file are out of reach, such as a desktop's: who talks with them can
  // have programs run.
  return SCOPE_ABSTRACT_SOCKETS | (limits & CCONFINEMENT_NO_SIGNALS ? SCOPE_SIGNALS : 0);
}

int cconfinement_begin(unsigned limits) {
  int version = cconfinement_landlock_version();
  if (version == 0) return -1;
  struct ruleset ruleset = {
      .files = known(version),
      .network = version >= 4 ? network(limits) : 0,
      .scopes = version >= 6 ? scopes(limits) : 0,
  };
  // A kernel takes the part of the structure that it knows, and refuses a longer one with anything in it.
  size_t size = version >= 6 ? sizeof ruleset : version >= 4 ? 16 : 8;
  return (int)syscall(LANDLOCK_CREATE_RULESET, &ruleset, size, 0);
}

static uint64_t rights(enum cconfinement_access access) {
  uint64_t reading = READ_FILE | READ_FOLDER;
  switch (access) {
    case CCONFINEMENT_EXECUTE: return reading | EXECUTE;
    case CCONFINEMENT_DEVICE: return READ_FILE | WRITE_FILE | TRUNCATE | CONTROL_DEVICE;
    case CCONFINEMENT_READ: break;
  }
  return reading;
}

bool cconfinement_allow(int list, const char *path, enum cconfinement_access access) {
  int place;
  do {
    place = open(path, O_PATH | O_CLOEXEC);
  } while (place < 0 && errno == EINTR);
  if (place < 0) return false;
  struct stat status;
  bool is_added = false;
  int result;
  do {
    result = fstat(place, &status);
  } while (result != 0 && errno == EINTR);
  if (result == 0) {
    struct path_beneath rule = {
        .access = rights(access) & known(cconfinement_landlock_version()),
        .parent = place,
    };
    // The kernel refuses, for a file, the rights that only folders have.
    if (!S_ISDIR(status.st_mode)) {
      rule.access &= EXECUTE | READ_FILE | WRITE_FILE | TRUNCATE | CONTROL_DEVICE;
    }
    is_added = syscall(LANDLOCK_ADD_RULE, list, RULE_PATH_BENEATH, &rule, 0) == 0;
  }
  int reason = errno;
  close(place);
  errno = reason;
  return is_added;
}

bool cconfinement_set_no_new_privileges(void) {
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0;
}

bool cconfinement_restrict(int list) {
  bool is_restricted = syscall(LANDLOCK_RESTRICT_SELF, list, 0) == 0;
  int reason = errno;
  close(list);
  errno = reason;
  return is_restricted;
}
#else
int cconfinement_landlock_version(void) {
  return 0;
}

static bool none(void) {
  errno = ENOSYS;
  return false;
}

int cconfinement_begin(unsigned limits) {
  (void)limits;
  none();
  return -1;
}

bool cconfinement_allow(int list, const char *path, enum cconfinement_access access) {
  (void)list, (void)path, (void)access;
  return none();
}

bool cconfinement_restrict(int list) {
  (void)list;
  return none();
}

bool cconfinement_set_no_new_privileges(void) {
  return none();
}
#endif

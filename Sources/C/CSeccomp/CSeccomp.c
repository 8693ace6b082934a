#include "CSeccomp.h"

#include <errno.h>
#include <stddef.h>

#include "CDynamicLibrary.h"

// X(name without "SCMP_", value)
#define CSECCOMP_CONSTANTS(X)                                                                      \
  X(ACT_ALLOW, CSECCOMP_ALLOW)                                                                     \
  X(ACT_ERRNO(0), CSECCOMP_REFUSE)                                                                 \
  X(ACT_KILL_PROCESS, CSECCOMP_KILL)                                                               \
  X(CMP_NE, CSECCOMP_DIFFERS)                                                                      \
  X(CMP_EQ, CSECCOMP_EQUALS)                                                                       \
  X(CMP_MASKED_EQ, CSECCOMP_MASKED)                                                                \
  X(FLTATR_ACT_BADARCH, WRONG_ARCHITECTURE)                                                        \
  X(FLTATR_CTL_OPTIMIZE, OPTIMIZATION)

enum { WRONG_ARCHITECTURE = 2, OPTIMIZATION = 8 };
enum { BINARY_TREE = 2 };

// The compiler compares what stands here with the library's header, if that is installed.
#if __has_include(<seccomp.h>)
#include <seccomp.h>
#define CSECCOMP_CHECK(name, value) _Static_assert((uint32_t)SCMP_##name == (uint32_t)value, #name);
CSECCOMP_CONSTANTS(CSECCOMP_CHECK)
#define CSECCOMP_CHECK_MEMBER(ours, theirs)                                                        \
  _Static_assert(offsetof(struct cseccomp_comparison, ours) ==                                     \
                   offsetof(struct scmp_arg_cmp, theirs), #theirs);
CSECCOMP_CHECK_MEMBER(argument, arg)
CSECCOMP_CHECK_MEMBER(operation, op)
CSECCOMP_CHECK_MEMBER(first, datum_a)
CSECCOMP_CHECK_MEMBER(second, datum_b)
_Static_assert(sizeof(struct cseccomp_comparison) == sizeof(struct scmp_arg_cmp), "scmp_arg_cmp");
_Static_assert(sizeof(enum cseccomp_operation) == sizeof(enum scmp_compare), "scmp_compare");
#endif

struct version {
  unsigned int major, minor, micro;
};

// X(name without "seccomp_", result, parameters)
#define CSECCOMP_FUNCTIONS(X)                                                                      \
  X(version, const struct version *, (void))                                                       \
  X(init, void *, (uint32_t))                                                                      \
  X(release, void, (void *))                                                                       \
  X(attr_set, int, (void *, int, uint32_t))                                                        \
  X(syscall_resolve_name, int, (const char *))                                                     \
  X(rule_add_array, int,                                                                           \
    (void *, uint32_t, int, unsigned int, const struct cseccomp_comparison *))                     \
  X(export_bpf, int, (const void *, int))

#define CSECCOMP_SYMBOL(name, result, parameters) "seccomp_" #name,

CDYNAMIC_FUNCTIONS(seccomp, CSECCOMP_FUNCTIONS)

#if defined(__linux__)
CDYNAMIC_NAMES("required", "the cage of the process that reads", "libseccomp.so.2")
#else
CDYNAMIC_NAMES("required", "the cage of the process that reads", "")
#endif

CDYNAMIC_LIBRARY(cseccomp_load, seccomp, NULL, CSECCOMP_FUNCTIONS(CSECCOMP_SYMBOL) NULL)

uint32_t cseccomp_version(void) {
  const struct version *version = seccomp.version();
  return version->major << 16 | version->minor << 8 | version->micro;
}

void *cseccomp_begin(int32_t code) {
  void *filter = seccomp.init(CSECCOMP_REFUSE | (uint32_t)code);
  if (filter == NULL) return NULL;
  // Calls of another kind of program (32 bits, x32) have other numbers.
  seccomp.attr_set(filter, WRONG_ARCHITECTURE, CSECCOMP_KILL);
  // Otherwise a call is compared with each of two hundred; older versions cannot do it.
  seccomp.attr_set(filter, OPTIMIZATION, BINARY_TREE);
  return filter;
}

int cseccomp_add(void *filter, uint32_t action, const char *call,
                 const struct cseccomp_comparison *comparisons, unsigned int count) {
  int number = seccomp.syscall_resolve_name(call);
  // Negative numbers stand for calls of other machines, and for what the library has never heard of.
  if (number < 0) return 0;
  return -seccomp.rule_add_array(filter, action, number, count, comparisons);
}

int cseccomp_export(void *filter, int file) {
  int code = -seccomp.export_bpf(filter, file);
  seccomp.release(filter);
  return code;
}

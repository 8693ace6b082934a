// The rights that a process gives away before it reads what strangers wrote, and the messages by
// which another one runs the user's own commands for it: Swift can call neither syscall(2) nor the
// macros of cmsg(3).

#ifndef NEWS_CCONFINEMENT_H
#define NEWS_CCONFINEMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// The rights to a file, or to all that is below a folder.
enum cconfinement_access {
  CCONFINEMENT_READ,
  /// It is also run, or mapped to be.
  CCONFINEMENT_EXECUTE,
  /// A device is read, written and asked about itself.
  CCONFINEMENT_DEVICE,
};

/// The version of Landlock that the kernel has (landlock(7)), from 1; 0 without it.
int cconfinement_landlock_version(void);

/// The rights given up besides files, as far as the kernel's version of Landlock knows them.
enum cconfinement_limits {
  /// No port of TCP is listened on.
  CCONFINEMENT_NO_BIND = 1,
  /// No connection by TCP is made.
  CCONFINEMENT_NO_CONNECT = 2,
  /// No signal reaches a process that is not confined with this one.
  CCONFINEMENT_NO_SIGNALS = 4,
};

/// Begins a list of what may be done: a descriptor, or -1 where that cannot be had.
int cconfinement_begin(unsigned limits);

/// Adds to the list; false, with `errno`, for what is not there or cannot be had.
bool cconfinement_allow(int list, const char *path, enum cconfinement_access access);

/// From now on this thread and those that it starts may do what the list says, and nothing else with
/// files; false, with `errno`, where that cannot be had. Closes the list.
bool cconfinement_restrict(int list);

/// From now on no program that is started gets other rights than its caller has (prctl(2)).
bool cconfinement_set_no_new_privileges(void);

/// Gives up what root may do beyond what its files say (capabilities(7)).
bool cconfinement_drop_capabilities(void);

/// The cages, by what a process may still ask of the kernel.
enum cconfinement_cage {
  CCONFINEMENT_OFFLINE = 1,
  CCONFINEMENT_ONLINE = 2,
  CCONFINEMENT_SERVING = 4,
  /// For a program that reads its input and prints. It is executed, and may execute a program in its
  /// place, but starts no other process.
  CCONFINEMENT_PROGRAM = 8,
};

/// True where the kernel takes filters of calls, and there are rules for this machine.
bool cconfinement_has_filters(void);

/// From now on this thread and those that it starts make only the calls of a cage (seccomp(2)); false,
/// with `errno`, where that cannot be had. It holds for this process, whose number is in it.
bool cconfinement_filter(enum cconfinement_cage cage);

/// An argument of a call, from 0, is one of some values.
struct cconfinement_condition {
  int argument;
  /// The bits that are compared; 0 for all 64 of them, of which libraries leave the upper half empty
  /// where the kernel takes an int.
  uint32_t mask;
  const uint32_t *values;
  /// 0 where there is no condition.
  int count;
};

/// Stands for this process's number among the values.
enum { CCONFINEMENT_OWN_PROCESS = 0x7fffffff };

/// The answer to calls in some cages, where all conditions hold.
struct cconfinement_rule {
  /// A bit for each cage.
  unsigned cages;
  /// As seccomp(2) has it, such as `SECCOMP_RET_ALLOW`.
  uint32_t answer;
  struct cconfinement_condition conditions[2];
  /// Their numbers; negative ones stand for calls that this machine does not have.
  const short *calls;
  int count;
};

/// The rules, at most 64, of which the first one that holds for a call answers it.
///
/// A call without a rule is refused as unknown to the system: libraries that are newer than this list
/// do without it, as they would on an old kernel.
const struct cconfinement_rule *cconfinement_rules(int *count);

/// Writes a filter as the kernel reads it (bpf(2)), if there is room.
///
/// - Returns: its size.
size_t cconfinement_write_filter(enum cconfinement_cage cage, void *bytes, size_t room);

/// Starts a program in a cage, and in a session of its own, with three descriptors as its standard ones.
/// `list` says what it may do with files, as of `cconfinement_begin`.
///
/// It has 10 s of a processor's time and 1 GiB of memory, and writes to no file. Its status is 127 where
/// it can have no cage, or is no program.
///
/// - Returns: its process, or -1.
int cconfinement_start(const char *path, char *const *arguments, char *const *variables,
                       const int descriptors[3], int list);

/// fork(2): Swift does not offer it everywhere.
int cconfinement_fork(void);

/// Two connected sockets that keep messages apart, which programs do not inherit; false without.
bool cconfinement_make_channel(int ends[2]);

/// Two connected sockets for bytes both ways, which programs do not inherit; false without.
bool cconfinement_make_connection(int ends[2]);

/// A descriptor that is readable when a child has ended, which programs do not inherit; -1 without.
///
/// SIGCHLD is blocked from then on.
int cconfinement_watch_children(void);

/// Takes what such a descriptor has.
void cconfinement_take_child_signals(int watch);

/// Has this process be killed when its parent ends, and get all signals again.
void cconfinement_end_with_parent(void);

/// Has all threads take memory from one place, which grows in large steps (mallopt(3)).
void cconfinement_share_memory(void);

/// Sends a message with descriptors, at most 8; false where it cannot be sent.
bool cconfinement_send(int channel, const void *bytes, size_t size, const int *files, size_t count);

/// Receives a message, and as many descriptors as came with it, which programs do not inherit.
///
/// - Returns: its size; 0 at the end, -1 for what was too long or cannot be received.
long cconfinement_receive(int channel, void *bytes, size_t size, int files[8], size_t *count);

/// A file in memory, without a name, which programs do not inherit; -1 where there is no such thing.
int cconfinement_memory_file(void);

/// The path by which the kernel was asked to start this program (getauxval(3)); it may be relative.
const char *cconfinement_program(void);

#endif

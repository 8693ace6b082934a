// The rights that a process gives away before it reads what strangers wrote, and the messages by
// which another one runs the user's own commands for it: Swift can call neither syscall(2) nor the
// macros of cmsg(3).

#ifndef NEWS_CCONFINEMENT_H
#define NEWS_CCONFINEMENT_H

#include <stdbool.h>
#include <stddef.h>

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

/// From now on this thread and those that it starts make only the calls that a filter lets through, as
/// the kernel reads it (bpf(2)); false, with `errno`, where that cannot be had.
bool cconfinement_filter(const void *bytes, size_t size);

/// The rights that a process gives up before it is another program.
struct cconfinement_cage {
  /// Of what it may do with files, as of `cconfinement_begin`.
  int list;
  /// As of `cconfinement_filter`.
  const void *filter;
  size_t filter_size;
};

/// Starts a program in a cage, and in a session of its own, with three descriptors as its standard ones.
///
/// It has 10 s of a processor's time and 1 GiB of memory, and writes to no file. Its status is 127 where
/// it can have no cage, or is no program.
///
/// - Returns: its process, or -1.
int cconfinement_start(const char *path, char *const *arguments, char *const *variables,
                       const int descriptors[3], struct cconfinement_cage cage);

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

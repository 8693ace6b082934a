// Faults in file operations, for the proofs of the store (Tests/StoreProofTests), which compile this
// and load it into the program before the C library (LD_PRELOAD).
//
// The operations under the folder FS_DIR are counted over all threads, from 1. At number FS_AT,
// FS_DO happens:
//   kill, killafter  the process is killed before the operation, or behind it
//   cut, cutafter    the file system at FS_MOUNT loses all that it has not brought to its device
//                    (FS_IOC_SHUTDOWN), and the process is killed: a power cut
//   cutcommitted     the same behind another file's fsync, which brings to the device what the file
//                    system had noted of all files so far
//   stop             the process is stopped before the operation, until a SIGCONT comes
//   short            a read or a write does half of its work
//   a number         the operation fails with this errno; with a + behind it, so do all later ones
// FS_LOG: a file that gets a line for each operation: its number, its name, and its path.
// FS_NOOP: words with commas between them, for what is left out while success is reported:
//   flock, fsync-file, fsync-folder
//   short-write      writes do half of their work, once a file
//   reread           the data file that was opened first is found again and again
// FS_MEMORY: a file that gets what the process took at the most, when it ends: kibibytes in memory,
// and kibibytes of data that it asked for.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum verdict { GO_ON, FAIL, HALVE, THEN_DIE };

static atomic_long count;
static const char *folder, *action, *left_out;
static long at = -1;
static int log_file = -1;
static int first_data_file = -1;
// Opened at the beginning, as a program may give up the right to do it, and of the process that was
// started alone, not of those that it forks.
static int memory_file = -1;
static pid_t started;

__attribute__((constructor)) static void begin(void) {
  folder = getenv("FS_DIR");
  action = getenv("FS_DO");
  left_out = getenv("FS_NOOP");
  if (getenv("FS_AT")) at = atol(getenv("FS_AT"));
  if (getenv("FS_LOG"))
    log_file = syscall(SYS_openat, AT_FDCWD, getenv("FS_LOG"),
                       O_CREAT | O_WRONLY | O_APPEND | O_CLOEXEC, 0600);
  if (getenv("FS_MEMORY"))
    memory_file = syscall(SYS_openat, AT_FDCWD, getenv("FS_MEMORY"),
                          O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
  started = getpid();
}

__attribute__((destructor)) static void end(void) {
  if (memory_file < 0 || getpid() != started) return;
  FILE *status = fopen("/proc/self/status", "r");
  char line[256], text[128] = "";
  while (status && fgets(line, sizeof line, status))
    if (!strncmp(line, "VmHWM:", 6) || !strncmp(line, "VmData:", 7))
      snprintf(text + strlen(text), sizeof text - strlen(text), "%ld\n",
               atol(strchr(line, ':') + 1));
  if (status) fclose(status);
  syscall(SYS_ftruncate, memory_file, 0L);
  syscall(SYS_pwrite64, memory_file, text, strlen(text), 0L);
}

// The program ends this way, without calling destructors.
void _exit(int status) {
  end();
  syscall(SYS_exit_group, status);
  __builtin_unreachable();
}

static void commit(int mount) {
  int other = syscall(SYS_openat, mount, "other", O_CREAT | O_WRONLY, 0600);
  syscall(SYS_write, other, "x", 1);
  syscall(SYS_fsync, other);
}

static void cut_power(void) {
  unsigned without_log = 2;
  int mount = syscall(SYS_openat, AT_FDCWD, getenv("FS_MOUNT"), O_RDONLY);
  if (!strcmp(action, "cutcommitted")) commit(mount);
  ioctl(mount, _IOR('X', 125, unsigned), &without_log);
}

static void die(void) {
  if (!strncmp(action, "cut", 3)) cut_power();
  syscall(SYS_kill, getpid(), SIGKILL);
}

static const char *path_of(int number) {
  static _Thread_local char path[PATH_MAX];
  char link[64];
  snprintf(link, sizeof link, "/proc/self/fd/%d", number);
  ssize_t length = syscall(SYS_readlink, link, path, sizeof path - 1);
  path[length < 0 ? 0 : length] = 0;
  return path;
}

static int is_inside(const char *path) {
  return folder && path && !strncmp(path, folder, strlen(folder));
}

static int is_number_inside(int number) { return folder && is_inside(path_of(number)); }

static int is_name_inside(int base, const char *path) {
  if (path && path[0] != '/' && base != AT_FDCWD) return is_number_inside(base);
  return is_inside(path);
}

static int is_left_out(const char *word) { return left_out && strstr(left_out, word); }

static int is_folder(int number) {
  struct stat status;
  return syscall(SYS_newfstatat, number, "", &status, AT_EMPTY_PATH) == 0 &&
         S_ISDIR(status.st_mode);
}

static enum verdict step(const char *operation, const char *path) {
  long number = atomic_fetch_add(&count, 1) + 1;
  if (log_file >= 0) {
    char line[PATH_MAX + 64];
    int length = snprintf(line, sizeof line, "%ld %s %s\n", number, operation, path);
    syscall(SYS_write, log_file, line, length);
  }
  if (!action || number < at || (number > at && !strchr(action, '+'))) return GO_ON;
  if (!strcmp(action, "kill") || !strcmp(action, "cut") || !strcmp(action, "cutcommitted")) die();
  if (!strcmp(action, "killafter") || !strcmp(action, "cutafter")) return THEN_DIE;
  if (!strcmp(action, "short")) return HALVE;
  if (!strcmp(action, "stop")) {
    raise(SIGSTOP);
    return GO_ON;
  }
  errno = atoi(action);
  return FAIL;
}

#define REAL(name)                                    \
  ({                                                  \
    static void *real;                                \
    if (!real) real = dlsym(RTLD_NEXT, #name);        \
    (__typeof__(&name))real;                          \
  })

// Does `call` unless the step fails; `verdict` may be used in it.
#define STEP(type, failure, isInside, operation, path, call) \
  enum verdict verdict = GO_ON;                              \
  if (isInside) verdict = step(operation, path);             \
  if (verdict == FAIL) return failure;                       \
  type result = call;                                        \
  int saved = errno;                                         \
  if (verdict == THEN_DIE) die();                            \
  errno = saved;                                             \
  return result;

static int reopen(const char *path, int flags, int number) {
  const char *name = strrchr(path, '/');
  if (number < 0 || !is_left_out("reread") || (flags & O_ACCMODE) != O_RDONLY) return number;
  if (!name || strcmp(name, "/newsdata.plist") || !is_inside(path)) return number;
  if (first_data_file < 0) first_data_file = fcntl(number, F_DUPFD_CLOEXEC, 200);
  syscall(SYS_close, number);
  return fcntl(first_data_file, F_DUPFD_CLOEXEC, 3);
}

#define MODE                                 \
  mode_t mode = 0;                           \
  if (flags & (O_CREAT | __O_TMPFILE)) {     \
    va_list rest;                            \
    va_start(rest, flags);                   \
    mode = va_arg(rest, int);                \
    va_end(rest);                            \
  }

#define OPEN(name)                                                                 \
  int name(const char *path, int flags, ...) {                                     \
    MODE STEP(int, -1, is_inside(path), "open", path,                              \
              reopen(path, flags, REAL(name)(path, flags, mode)))                  \
  }
#define OPENAT(name)                                                               \
  int name(int base, const char *path, int flags, ...) {                           \
    MODE STEP(int, -1, is_name_inside(base, path), "openat", path,                 \
              REAL(name)(base, path, flags, mode))                                 \
  }
OPEN(open) OPEN(open64) OPENAT(openat) OPENAT(openat64)

#define NUMBER(name, parameters, arguments)                                        \
  int name parameters {                                                            \
    STEP(int, -1, is_number_inside(number), #name, path_of(number), REAL(name) arguments) \
  }
NUMBER(fdatasync, (int number), (number))
NUMBER(fchmod, (int number, mode_t mode), (number, mode))
NUMBER(fchown, (int number, uid_t user, gid_t group), (number, user, group))
NUMBER(ftruncate, (int number, off_t size), (number, size))
NUMBER(ftruncate64, (int number, off64_t size), (number, size))
NUMBER(fstat, (int number, struct stat *status), (number, status))
NUMBER(fstat64, (int number, struct stat64 *status), (number, status))

int fsync(int number) {
  if (is_left_out(is_folder(number) ? "fsync-folder" : "fsync-file")) return 0;
  STEP(int, -1, is_number_inside(number), "fsync", path_of(number), REAL(fsync)(number))
}

// Linux closes a descriptor whatever it then reports.
int close(int number) {
  enum verdict verdict = GO_ON;
  if (is_number_inside(number)) verdict = step("close", path_of(number));
  int failure = errno;
  int result = REAL(close)(number);
  if (verdict == THEN_DIE) die();
  if (verdict != FAIL) return result;
  errno = failure;
  return -1;
}

int flock(int number, int operation) {
  if (is_left_out("flock")) return 0;
  STEP(int, -1, is_number_inside(number), "flock", path_of(number), REAL(flock)(number, operation))
}

static size_t part(enum verdict verdict, size_t size) {
  return verdict == HALVE && size > 1 ? size / 2 : size;
}

ssize_t write(int number, const void *bytes, size_t size) {
  if (is_left_out("short-write") && size > 1 && is_number_inside(number)) {
    REAL(write)(number, bytes, size / 2);
    return size;
  }
  STEP(ssize_t, -1, is_number_inside(number), "write", path_of(number),
       REAL(write)(number, bytes, part(verdict, size)))
}

ssize_t read(int number, void *bytes, size_t size) {
  STEP(ssize_t, -1, is_number_inside(number), "read", path_of(number),
       REAL(read)(number, bytes, part(verdict, size)))
}

#define AT_OFFSET(name, bytes_type, offset_type)                                     \
  ssize_t name(int number, bytes_type bytes, size_t size, offset_type offset) {    \
    STEP(ssize_t, -1, is_number_inside(number), #name, path_of(number),            \
         REAL(name)(number, bytes, part(verdict, size), offset))                   \
  }
AT_OFFSET(pread, void *, off_t)
AT_OFFSET(pread64, void *, off64_t)
AT_OFFSET(pwrite, const void *, off_t)
AT_OFFSET(pwrite64, const void *, off64_t)

#define MAP(name, offset_type)                                                       \
  void *name(void *address, size_t size, int access, int flags, int number, offset_type offset) { \
    STEP(void *, MAP_FAILED, number >= 0 && is_number_inside(number), "mmap", path_of(number),    \
         REAL(name)(address, size, access, flags, number, offset))                   \
  }
MAP(mmap, off_t)
MAP(mmap64, off64_t)

ssize_t readlink(const char *path, char *target, size_t size) {
  STEP(ssize_t, -1, is_inside(path), "readlink", path, REAL(readlink)(path, target, size))
}
int mkdir(const char *path, mode_t mode) {
  STEP(int, -1, is_inside(path), "mkdir", path, REAL(mkdir)(path, mode))
}
int rename(const char *old, const char *new) {
  STEP(int, -1, is_inside(new), "rename", new, REAL(rename)(old, new))
}
int renameat(int from, const char *old, int to, const char *new) {
  STEP(int, -1, is_name_inside(to, new), "renameat", new, REAL(renameat)(from, old, to, new))
}
int unlink(const char *path) {
  STEP(int, -1, is_inside(path), "unlink", path, REAL(unlink)(path))
}
int unlinkat(int base, const char *path, int flags) {
  STEP(int, -1, is_name_inside(base, path), "unlinkat", path, REAL(unlinkat)(base, path, flags))
}

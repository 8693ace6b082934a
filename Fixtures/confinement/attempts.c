// What somebody tries who has taken over a process in a cage, and what that process does itself: each
// in a process of its own. 0 is success; else it is the `errno`.
//
// ATTEMPT_FOLDER has a file `key` and a Unix socket `bus`, ATTEMPT_PROCESS is another process,
// ATTEMPT_PORT a port of TCP on loopback, ATTEMPT_HOME a home of `news`, ATTEMPT_DOCUMENT the file that a
// command is given. As a library it has `attempt`; as a program it takes those three
// as its first words, and tries what the fourth one names.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

static char path_room[4][512];

static const char *in_folder(const char *name) {
  static int next;
  char *path = path_room[next++ % 4];
  snprintf(path, sizeof path_room[0], "%s/%s", getenv("ATTEMPT_FOLDER"), name);
  return path;
}
static const char *key(void) { return in_folder("key"); }
static pid_t other(void) { return atoi(getenv("ATTEMPT_PROCESS")); }
static int result(long returned) { return returned < 0 ? errno : 0; }

static int opened(const char *path, int flags) {
  int file = open(path, flags, 0600);
  return result(file);
}
static int write_file(void) { return opened(in_folder("new"), O_WRONLY | O_CREAT); }
static int append_file(void) { return opened(key(), O_WRONLY | O_APPEND); }
static int cut_by_open(void) { return opened(key(), O_RDONLY | O_TRUNC); }
static int unnamed_file(void) { return opened(getenv("ATTEMPT_FOLDER"), O_TMPFILE | O_RDWR); }
static int read_key(void) { return opened(key(), O_RDONLY); }
static int list_folder(void) { return opened(getenv("ATTEMPT_FOLDER"), O_RDONLY | O_DIRECTORY); }
static int others_environment(void) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/environ", other());
  char byte;
  int file = open(path, O_RDONLY);
  ssize_t count = file < 0 ? -1 : read(file, &byte, 1);
  // The environment is closed, or looks as if there were none.
  return count > 0 ? 0 : count < 0 ? errno : EACCES;
}
static int own_memory(void) { return opened("/proc/self/mem", O_RDWR); }
static int opened_in(const char *folder, const char *name, int flags) {
  char path[512];
  snprintf(path, sizeof path, "%s%s", getenv(folder) == NULL ? "/none" : getenv(folder), name);
  return opened(path, flags);
}
static int read_document(void) { return opened_in("ATTEMPT_DOCUMENT", "", O_RDONLY); }
static int write_document(void) { return opened_in("ATTEMPT_DOCUMENT", "", O_WRONLY); }
static int read_home(void) { return opened_in("ATTEMPT_HOME", "/feeds.plist", O_RDONLY); }
static int write_feeds(void) { return opened_in("ATTEMPT_HOME", "/feeds.plist", O_WRONLY); }
static int write_stories(void) { return opened_in("ATTEMPT_HOME", "/newsdata.plist", O_WRONLY); }
static int write_defaults(void) { return opened_in("ATTEMPT_HOME", "/defaults", O_WRONLY | O_CREAT); }
static int do_chmod(void) { return result(chmod(key(), 0666)); }
static int do_fchmod(void) { return result(fchmod(2, 0666)); }
static int do_chown(void) { return result(chown(key(), 0, 0)); }
static int do_setxattr(void) { return result(setxattr(key(), "user.x", "y", 1, 0)); }
static int do_removexattr(void) { return result(removexattr(key(), "user.x")); }
static int do_utimes(void) { return result(utimes(key(), NULL)); }
static int do_truncate(void) { return result(truncate(key(), 0)); }
static int do_unlink(void) { return result(unlink(key())); }
static int do_rename(void) { return result(rename(key(), in_folder("moved"))); }
static int do_link(void) { return result(link(key(), in_folder("other"))); }
static int do_symlink(void) { return result(symlink("key", in_folder("other"))); }
static int do_mkdir(void) { return result(mkdir(in_folder("folder"), 0700)); }
static int do_mkfifo(void) { return result(mkfifo(in_folder("pipe"), 0600)); }

static int run_shell(void) {
  char *words[] = {"sh", "-c", "exit 0", NULL};
  execv("/bin/sh", words);
  return errno;
}
static int do_fork(void) {
  pid_t child = fork();
  if (child == 0) _exit(0);
  return result(child);
}
static int signal_another(void) { return result(kill(other(), SIGCONT)); }
static int signal_all(void) { return result(kill(-1, SIGCONT)); }
static int signal_parent(void) { return result(kill(getppid(), SIGCONT)); }
static int queue_signal(void) { return result(sigqueue(other(), SIGCONT, (union sigval){0})); }
static int signal_thread(void) { return result(syscall(SYS_tgkill, other(), other(), SIGCONT)); }
static int signal_by_input(void) { return result(fcntl(0, F_SETOWN, other())); }
static int trace(void) { return result(ptrace(PTRACE_ATTACH, other(), NULL, NULL)); }
static int read_memory(void) {
  char byte;
  struct iovec here = {&byte, 1}, there = {&byte, 1};
  return result(process_vm_readv(other(), &here, 1, &there, 1, 0));
}
static int others_limits(void) {
  struct rlimit limit;
  return result(prlimit(other(), RLIMIT_CORE, NULL, &limit));
}
static int user_namespace(void) { return result(unshare(CLONE_NEWUSER)); }
static int nothing(void *unused) { (void)unused; return 0; }
static int cloned_namespace(void) {
  static char stack[65536];
  return result(clone(nothing, stack + sizeof stack, CLONE_NEWUSER | SIGCHLD, NULL));
}
static int enter_namespace(void) { return result(setns(0, 0)); }
static int do_mount(void) { return result(mount("none", in_folder(""), "tmpfs", 0, NULL)); }
static int event_counter(void) { return result(syscall(SYS_perf_event_open, NULL, 0, -1, -1, 0)); }
static int kernel_program(void) { return result(syscall(SYS_bpf, 0, NULL, 0)); }
static int keys_of_kernel(void) { return result(syscall(SYS_keyctl, 0, -3, 0)); }
static int ring(void) {
  char room[256] = {0};
  return result(syscall(SYS_io_uring_setup, 1, room));
}
static int type_in_terminal(void) {
  char letter = 'x';
  return result(ioctl(0, TIOCSTI, &letter));
}

static int unix_socket(int kind) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  snprintf(address.sun_path, sizeof address.sun_path, "%s", in_folder("bus"));
  int end = socket(AF_UNIX, kind, 0);
  return end < 0 ? errno : result(connect(end, (void *)&address, sizeof address));
}
static int socket_of_path(void) { return unix_socket(SOCK_STREAM); }
static int datagrams_of_path(void) { return unix_socket(SOCK_DGRAM); }
static int datagram_pair(void) {
  int ends[2];
  return result(socketpair(AF_UNIX, SOCK_DGRAM, 0, ends));
}
static int raw_socket(void) { return result(socket(AF_INET, SOCK_RAW, IPPROTO_ICMP)); }
static int packet_socket(void) { return result(socket(AF_PACKET, SOCK_DGRAM, 0)); }
static int audit_socket(void) { return result(socket(AF_NETLINK, SOCK_RAW, 9)); }

// Orders a program as the process that starts programs gets such orders, from all that may be it.
static int order_program(void) {
  char order[] = "group\0000,1,2\0000\0/bin/sh\0-c\0exit 0";
  int pair[2], kind = 0, started = 0;
  if (pipe(pair) != 0) return errno;
  int files[] = {0, 1, 2, pair[1]};
  for (int end = 3; end < 256; end++) {
    socklen_t size = sizeof kind;
    if (getsockopt(end, SOL_SOCKET, SO_TYPE, &kind, &size) != 0 || kind != SOCK_SEQPACKET) continue;
    union { struct cmsghdr header; char bytes[CMSG_SPACE(sizeof files)]; } room = {0};
    struct iovec part = {order, sizeof order - 1};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = room.bytes,
                             .msg_controllen = sizeof room.bytes};
    room.header = (struct cmsghdr){CMSG_LEN(sizeof files), SOL_SOCKET, SCM_RIGHTS};
    memcpy(CMSG_DATA(&room.header), files, sizeof files);
    if (sendmsg(end, &message, 0) < 0) continue;
    struct pollfd answer = {pair[0], POLLIN, 0};
    if (poll(&answer, 1, 5000) == 1 && read(pair[0], &started, sizeof started) > 0 && started > 0) {
      return 0;
    }
  }
  return EACCES;
}

static struct sockaddr_in loopback(int port) {
  return (struct sockaddr_in){
      .sin_family = AF_INET,
      .sin_port = htons(port),
      .sin_addr.s_addr = htonl(INADDR_LOOPBACK),
  };
}
static int connect_tcp(void) {
  struct sockaddr_in address = loopback(atoi(getenv("ATTEMPT_PORT")));
  int end = socket(AF_INET, SOCK_STREAM, 0);
  return end < 0 ? errno : result(connect(end, (void *)&address, sizeof address));
}
static int bind_tcp(void) {
  struct sockaddr_in address = loopback(0);
  int end = socket(AF_INET, SOCK_STREAM, 0);
  return end < 0 ? errno : result(bind(end, (void *)&address, sizeof address));
}
static int bind_udp(void) {
  struct sockaddr_in address = loopback(0);
  int end = socket(AF_INET, SOCK_DGRAM, 0);
  return end < 0 ? errno : result(bind(end, (void *)&address, sizeof address));
}
static int listen_tcp(void) {
  int end = socket(AF_INET, SOCK_STREAM, 0);
  return end < 0 ? errno : result(listen(end, 1));
}

// What reading needs.

static void *of_thread(void *unused) { return unused; }
static int thread(void) {
  pthread_t id;
  int code = pthread_create(&id, NULL, of_thread, NULL);
  if (code == 0) code = pthread_join(id, NULL);
  return code;
}
static int library(void) {
  const char *names[] = {"libxml2.so.2", "libcurl.so.4", "libz.so.1"};
  for (int index = 0; index < 3; index++) {
    if (dlopen(names[index], RTLD_NOW) == NULL) return ENOENT;
  }
  return 0;
}
static int use_memory(size_t most) {
  for (size_t size = 1; size < most; size *= 2) {
    char *bytes = malloc(size);
    if (bytes == NULL) return ENOMEM;
    memset(bytes, 1, size);
    bytes = realloc(bytes, 2 * size);
    if (bytes == NULL) return ENOMEM;
    free(bytes);
  }
  return 0;
}
static int memory(void) { return use_memory(1 << 26); }
static int much_memory(void) { return use_memory((size_t)1 << 31); }
static int much_time(void) {
  struct rlimit limit;
  return getrlimit(RLIMIT_CPU, &limit) == 0 && limit.rlim_max > 10 ? 0 : EDQUOT;
}
static int see_size(void) {
  struct stat status;
  return result(stat(key(), &status));
}
static int send_datagram(void) {
  struct sockaddr_in address = loopback(9);
  int end = socket(AF_INET, SOCK_DGRAM, 0);
  return end < 0 ? errno : result(sendto(end, "x", 1, 0, (void *)&address, sizeof address));
}
static int know_home(void) { return getenv("HOME") != NULL ? 0 : ENOENT; }
static int open_terminal(void) { return opened("/dev/tty", O_RDONLY); }
static int other_files(void) {
  for (int file = 3; file < 64; file++) {
    if (fcntl(file, F_GETFD) >= 0) return 0;
  }
  return EBADF;
}
static int echo(void) {
  char bytes[4096];
  ssize_t count = read(0, bytes, sizeof bytes);
  return count < 0 ? errno : result(write(1, bytes, count));
}
static int memory_file(void) {
  int file = memfd_create("x", MFD_CLOEXEC);
  if (file < 0 || write(file, "x", 1) != 1 || ftruncate(file, 0) != 0) return errno;
  return result(fcntl(file, F_DUPFD_CLOEXEC, 10));
}
static int settings(void) { return opened("/etc/hosts", O_RDONLY); }
static int accounts(void) { return opened("/etc/passwd", O_RDONLY); }
static int addresses(void) {
  struct addrinfo hints = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_ADDRCONFIG}, *found = NULL;
  return getaddrinfo("localhost", "80", &hints, &found) == 0 ? 0 : EHOSTUNREACH;
}
static int stream_pair(void) {
  int ends[2];
  return result(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends));
}
static int terminal(void) { return isatty(0) ? 0 : errno == ENOTTY ? 0 : errno; }
static int own_signal(void) { return result(kill(getpid(), 0)); }
static int aborting(void) { abort(); }

static const struct {
  const char *name;
  int (*run)(void);
} attempts[] = {
    {"write a file", write_file}, {"append to a file", append_file},
    {"cut a file by opening it", cut_by_open}, {"make a file without a name", unnamed_file},
    {"read a key", read_key}, {"list a folder", list_folder},
    {"read the environment of another", others_environment}, {"open its own memory", own_memory},
    {"read the file that it is given", read_document}, {"write to that file", write_document},
    {"read the home", read_home}, {"write which feeds there are", write_feeds},
    {"write stories and marks", write_stories}, {"name a program in the home", write_defaults},
    {"order a program from the process that starts them", order_program}, {"chmod", do_chmod}, {"fchmod", do_fchmod}, {"chown", do_chown}, {"setxattr", do_setxattr},
    {"removexattr", do_removexattr}, {"utimes", do_utimes}, {"truncate", do_truncate},
    {"unlink", do_unlink}, {"rename", do_rename}, {"link", do_link}, {"symlink", do_symlink},
    {"mkdir", do_mkdir}, {"mkfifo", do_mkfifo}, {"run a shell", run_shell}, {"fork", do_fork},
    {"signal another", signal_another}, {"signal all", signal_all},
    {"signal its parent", signal_parent}, {"queue a signal", queue_signal},
    {"signal a thread of another", signal_thread}, {"have input signal another", signal_by_input},
    {"trace another", trace}, {"read memory of another", read_memory},
    {"read limits of another", others_limits}, {"make a user namespace", user_namespace},
    {"clone into a user namespace", cloned_namespace}, {"enter a namespace", enter_namespace},
    {"mount", do_mount}, {"count events", event_counter}, {"load a kernel's program", kernel_program},
    {"read the kernel's keys", keys_of_kernel}, {"make a ring", ring},
    {"type in the terminal", type_in_terminal}, {"connect to a socket of a path", socket_of_path},
    {"send to a socket of a path", datagrams_of_path}, {"make a pair for datagrams", datagram_pair},
    {"open a raw socket", raw_socket}, {"open a packet socket", packet_socket},
    {"talk with the kernel's audit", audit_socket}, {"connect by TCP", connect_tcp},
    {"bind a port of TCP", bind_tcp}, {"bind a port of UDP", bind_udp}, {"listen", listen_tcp},
    {"start a thread", thread}, {"load libraries", library}, {"use memory", memory},
    {"use a file in memory", memory_file}, {"read settings", settings}, {"read accounts", accounts},
    {"look up a host", addresses}, {"make a pair of streams", stream_pair},
    {"use much memory", much_memory}, {"use much time", much_time}, {"know the home", know_home},
    {"see the size of a key", see_size}, {"send a datagram", send_datagram},
    {"open the terminal", open_terminal}, {"have other descriptors", other_files},
    {"print what it reads", echo}, {"ask for a terminal", terminal}, {"signal itself", own_signal}, {"abort", aborting},
};

int attempt(const char *name) {
  for (size_t index = 0; index < sizeof attempts / sizeof *attempts; index++) {
    if (strcmp(attempts[index].name, name) == 0) return attempts[index].run();
  }
  return EINVAL;
}

int main(int count, char **words) {
  if (count < 5) return EINVAL;
  setenv("ATTEMPT_FOLDER", words[1], 1);
  setenv("ATTEMPT_PROCESS", words[2], 1);
  setenv("ATTEMPT_PORT", words[3], 1);
  return attempt(words[4]);
}

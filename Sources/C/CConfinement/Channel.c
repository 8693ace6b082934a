#define _GNU_SOURCE
#include "CConfinement.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#ifdef __linux__
#include <malloc.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#endif

enum { most_files = 8 };

union room {
  struct cmsghdr header;
  char bytes[CMSG_SPACE(sizeof(int) * most_files)];
};

int cconfinement_fork(void) {
  return fork();
}

static void close_on_exec(int file) {
  fcntl(file, F_SETFD, FD_CLOEXEC);
}

bool cconfinement_make_channel(int ends[2]) {
#ifdef __linux__
  return socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) == 0;
#else
  (void)ends;
  errno = ENOSYS;
  return false;
#endif
}

bool cconfinement_make_connection(int ends[2]) {
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) return false;
  close_on_exec(ends[0]);
  close_on_exec(ends[1]);
  return true;
}

int cconfinement_watch_children(void) {
#ifdef __linux__
  sigset_t ends;
  sigemptyset(&ends);
  sigaddset(&ends, SIGCHLD);
  // A caller that ignores it would have its children vanish without a status.
  signal(SIGCHLD, SIG_DFL);
  if (sigprocmask(SIG_BLOCK, &ends, NULL) != 0) return -1;
  return signalfd(-1, &ends, SFD_CLOEXEC | SFD_NONBLOCK);
#else
  errno = ENOSYS;
  return -1;
#endif
}

void cconfinement_take_child_signals(int watch) {
#ifdef __linux__
  struct signalfd_siginfo signals[8];
  while (read(watch, signals, sizeof signals) > 0) {}
#else
  (void)watch;
#endif
}

void cconfinement_end_with_parent(void) {
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
#ifdef __linux__
  prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
#endif
}

void cconfinement_share_memory(void) {
#ifdef __GLIBC__
  mallopt(M_ARENA_MAX, 1);
#endif
}

bool cconfinement_send(int channel, const void *bytes, size_t size, const int *files,
                       size_t count) {
  if (count > most_files) return false;
  union room room;
  memset(&room, 0, sizeof room);
  struct iovec part = {.iov_base = (void *)bytes, .iov_len = size};
  struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
  if (count > 0) {
    message.msg_control = room.bytes;
    message.msg_controllen = CMSG_SPACE(sizeof(int) * count);
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof(int) * count);
    memcpy(CMSG_DATA(header), files, sizeof(int) * count);
  }
  ssize_t sent;
  do {
    sent = sendmsg(channel, &message, 0);
  } while (sent < 0 && errno == EINTR);
  return sent == (ssize_t)size;
}

long cconfinement_receive(int channel, void *bytes, size_t size, int files[8], size_t *count) {
  union room room;
  struct iovec part = {.iov_base = bytes, .iov_len = size};
  struct msghdr message = {
      .msg_iov = &part,
      .msg_iovlen = 1,
      .msg_control = room.bytes,
      .msg_controllen = sizeof room.bytes,
  };
  *count = 0;
  ssize_t received;
  do {
    received = recvmsg(channel, &message, 0);
  } while (received < 0 && errno == EINTR);
  if (received <= 0) return received;
  for (struct cmsghdr *header = CMSG_FIRSTHDR(&message); header != NULL;
       header = CMSG_NXTHDR(&message, header)) {
    if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS) continue;
    size_t got = (header->cmsg_len - CMSG_LEN(0)) / sizeof(int);
    const unsigned char *data = CMSG_DATA(header);
    for (size_t index = 0; index < got; index++) {
      int file;
      memcpy(&file, data + index * sizeof(int), sizeof file);
      close_on_exec(file);
      if (*count < most_files) {
        files[(*count)++] = file;
      } else {
        close(file);
      }
    }
  }
  if ((message.msg_flags & (MSG_TRUNC | MSG_CTRUNC)) == 0) return received;
  while (*count > 0) close(files[--*count]);
  errno = EMSGSIZE;
  return -1;
}

#ifdef __linux__
const char *cconfinement_program(void) {
  return (const char *)getauxval(AT_EXECFN);
}
#endif

int cconfinement_memory_file(void) {
#ifdef __linux__
  return memfd_create("news", MFD_CLOEXEC);
#else
  errno = ENOSYS;
  return -1;
#endif
}

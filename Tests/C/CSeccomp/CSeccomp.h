// libseccomp, by which a test checks the filters of system calls.
#include <seccomp.h>

#define _GNU_SOURCE
#include "CConfinement.h"

#include <errno.h>

#include "Calls.h"

#ifdef MACHINE
// A filter that is laid out wrongly must never be put up.
#undef NDEBUG
#include <assert.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

enum { MOST_INSTRUCTIONS = 1024, MOST_CALLS = 512, MOST_ANSWERS = 8 };

struct given {
  uint32_t answer;
  unsigned place;
};

/// Instructions, put from the last one to the first, because all jumps go forwards.
///
/// The place of an instruction is how many there are from it to the end.
struct program {
  const struct cconfinement_rule *rules;
  struct given given[MOST_ANSWERS];
  struct sock_filter room[MOST_INSTRUCTIONS];
  unsigned count;
};

static struct sock_filter *at(struct program *program, unsigned place) {
  return &program->room[MOST_INSTRUCTIONS - place];
}

/// Puts a comparison, which goes on at the place `yes` or `no`.
static unsigned compare(struct program *program, unsigned code, uint32_t value, unsigned yes,
                        unsigned no) {
  unsigned to_yes = program->count - yes, to_no = program->count - no;
  // A jump has a byte.
  assert(program->count < MOST_INSTRUCTIONS && to_yes <= UINT8_MAX && to_no <= UINT8_MAX);
  struct sock_filter instruction = {.code = code, .jt = to_yes, .jf = to_no, .k = value};
  *at(program, ++program->count) = instruction;
  return program->count;
}

static unsigned equals(struct program *program, uint32_t value, unsigned yes, unsigned no) {
  return compare(program, BPF_JMP | BPF_JEQ | BPF_K, value, yes, no);
}

static unsigned at_least(struct program *program, uint32_t value, unsigned yes, unsigned no) {
  return compare(program, BPF_JMP | BPF_JGE | BPF_K, value, yes, no);
}

/// Puts an instruction that goes on at the next one.
static unsigned put(struct program *program, unsigned code, uint32_t value) {
  return compare(program, code, value, program->count, program->count);
}

static unsigned load(struct program *program, size_t offset) {
  return put(program, BPF_LD | BPF_W | BPF_ABS, offset);
}

static unsigned put_condition(struct program *program, const struct cconfinement_condition *wanted,
                              unsigned yes, unsigned no) {
  unsigned next = no;
  for (int index = wanted->count; index-- > 0;) {
    uint32_t value = wanted->values[index];
    if (value == CCONFINEMENT_OWN_PROCESS) value = getpid();
    next = equals(program, value, yes, next);
  }
  // The lower half of the argument lies before the upper one.
  size_t argument = offsetof(struct seccomp_data, args[wanted->argument]);
  if (wanted->mask != 0) {
    put(program, BPF_ALU | BPF_AND | BPF_K, wanted->mask);
    return load(program, argument);
  }
  equals(program, 0, load(program, argument), no);
  return load(program, argument + 4);
}

/// Returns the place of an answer: the last one that is there, if later jumps reach it.
static unsigned give(struct program *program, uint32_t answer) {
  struct given *given = program->given;
  while (given->place != 0 && given->answer != answer) {
    given++;
    assert(given < program->given + MOST_ANSWERS);
  }
  if (given->place == 0 || program->count - given->place > 200) {
    *given = (struct given){answer, put(program, BPF_RET | BPF_K, answer)};
  }
  return given->place;
}

/// Puts the answer of the first rule that holds of a set, a bit for each.
static unsigned put_answer(struct program *program, uint64_t set) {
  if (set == 0) return give(program, SECCOMP_RET_ERRNO | ENOSYS);
  const struct cconfinement_rule *rule = &program->rules[__builtin_ctzll(set)];
  const struct cconfinement_condition *conditions = rule->conditions;
  if (conditions[0].count == 0) return give(program, rule->answer);
  unsigned otherwise = put_answer(program, set & (set - 1));
  unsigned place = give(program, rule->answer);
  if (conditions[1].count > 0) place = put_condition(program, &conditions[1], place, otherwise);
  return put_condition(program, &conditions[0], place, otherwise);
}

/// The calls in ranges that have the same rules.
struct ranges {
  /// The rules of each call, a bit for each.
  uint64_t sets[MOST_CALLS];
  /// The first calls of the ranges.
  short starts[MOST_CALLS];
  int count;
};

static void find_sets(struct ranges *ranges, enum cconfinement_cage cage) {
  int count;
  const struct cconfinement_rule *rules = cconfinement_rules(&count);
  for (int index = 0; index < count; index++) {
    if ((rules[index].cages & cage) == 0) continue;
    for (int call = 0; call < rules[index].count; call++) {
      short number = rules[index].calls[call];
      assert(number < MOST_CALLS);
      if (number >= 0) ranges->sets[number] |= UINT64_C(1) << index;
    }
  }
}

/// Puts a tree that finds the range of a call among those from `first` to before `last`.
static unsigned put_choice(struct program *program, const struct ranges *ranges, int first,
                           int last) {
  if (last - first == 1) return put_answer(program, ranges->sets[ranges->starts[first]]);
  int middle = (first + last) / 2;
  unsigned high = put_choice(program, ranges, middle, last);
  unsigned low = put_choice(program, ranges, first, middle);
  return at_least(program, ranges->starts[middle], high, low);
}

static unsigned put_calls(struct program *program, enum cconfinement_cage cage) {
  struct ranges ranges = {.count = 0};
  find_sets(&ranges, cage);
  for (int call = 0; call < MOST_CALLS; call++) {
    if (call > 0 && ranges.sets[call] == ranges.sets[call - 1]) continue;
    ranges.starts[ranges.count++] = call;
  }
  return put_choice(program, &ranges, 0, ranges.count);
}

static void make(struct program *program, enum cconfinement_cage cage) {
  int count;
  program->rules = cconfinement_rules(&count);
  program->count = 0;
  memset(program->given, 0, sizeof program->given);
  unsigned place = put_calls(program, cage);
#ifdef __x86_64__
  // Programs of the x32 kind have numbers of their own; -1 is none.
  unsigned other = give(program, SECCOMP_RET_KILL_PROCESS);
  at_least(program, 0x40000000, equals(program, UINT32_MAX, place, other), place);
#endif
  place = load(program, offsetof(struct seccomp_data, nr));
  // So have those of another machine, such as one of 32 bits.
  equals(program, MACHINE, place, give(program, SECCOMP_RET_KILL_PROCESS));
  load(program, offsetof(struct seccomp_data, arch));
}

bool cconfinement_has_filters(void) {
  return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, NULL) != 0 && errno == EFAULT;
}

bool cconfinement_filter(enum cconfinement_cage cage) {
  struct program made;
  make(&made, cage);
  struct sock_fprog program = {.len = made.count, .filter = at(&made, made.count)};
  return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

size_t cconfinement_write_filter(enum cconfinement_cage cage, void *bytes, size_t room) {
  struct program made;
  make(&made, cage);
  size_t size = made.count * sizeof *made.room;
  if (size <= room) memcpy(bytes, at(&made, made.count), size);
  return size;
}
#else
bool cconfinement_has_filters(void) { return false; }

bool cconfinement_filter(enum cconfinement_cage cage) {
  (void)cage;
  errno = ENOSYS;
  return false;
}
#endif

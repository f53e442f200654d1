#ifndef SYSTEM_FAULTS_H
#define SYSTEM_FAULTS_H

/* What happens at one of the system calls by which a program changes files. */
enum system_fault {
  SYSTEM_FAULT_NONE,
  /* The process is killed before the call, or right behind it. */
  SYSTEM_FAULT_KILL_BEFORE,
  SYSTEM_FAULT_KILL_AFTER,
  /* The call fails, once, as on a full disk or a broken one. */
  SYSTEM_FAULT_NO_SPACE,
  SYSTEM_FAULT_BROKEN,
};

/* Arms a fault for the n-th such call from now on, of any thread; the first is 1. */
void system_faults_arm(enum system_fault fault, int n);

/* The number of such calls since the last arming. */
int system_faults_calls(void);

/* Lets calls of some kinds, on files whose path contains a text, fail: `count` of them from the `first`, which is 1.
   Kinds are letters: w writing, s synchronising, t truncating and allocating, o opening, r reading, m mapping,
   n giving names and taking them away. The error is a number of
   errno.h; 0 is a short write: half of the bytes, and no error. No kinds: nothing fails any more. */
void system_faults_break(const char *kinds, const char *path, int error, int first, int count);

/* The number of calls that have failed since then. */
int system_faults_broken(void);

#endif

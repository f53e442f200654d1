#define _GNU_SOURCE
#include "CFloor.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

static int spawn_into(int output, char *const argv[], char *const environment[], pid_t *process) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, output, 1);
  int result = posix_spawn(process, argv[0], &actions, NULL, argv, environment);
  posix_spawn_file_actions_destroy(&actions);
  return result;
}

int floor_run_program(char *const argv[], char *const environment[], floor_run *run) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC)) return errno;
  pid_t process;
  char bytes[65536];
  int64_t start = floor_now();
  int result = spawn_into(ends[1], argv, environment, &process);
  close(ends[1]);
  run->first_output = 0;
  while (!result) {
    ssize_t count = read(ends[0], bytes, sizeof bytes);
    if (!run->first_output) run->first_output = floor_now() - start;
    if (count <= 0) break;
  }
  close(ends[0]);
  if (result) return result;
  waitpid(process, &run->status, 0);
  run->end = floor_now() - start;
  return 0;
}

/* MARK: Memory */

static long high_water_mark(pid_t process) {
  char path[64], line[256];
  snprintf(path, sizeof path, "/proc/%d/status", process);
  FILE *status = fopen(path, "r");
  if (!status) return -1;
  long kibibytes = -1;
  while (kibibytes < 0 && fgets(line, sizeof line, status)) sscanf(line, "VmHWM: %ld", &kibibytes);
  fclose(status);
  return kibibytes;
}

static pid_t wait_for(pid_t process, int *status) {
  pid_t waited;
  do waited = waitpid(process, status, 0);
  while (waited < 0 && errno == EINTR);
  return waited;
}

long floor_peak_memory(char *const argv[], char *const environment[]) {
  pid_t process = fork();
  if (process < 0) return -1;
  if (process == 0) {
    int nowhere = open("/dev/null", O_RDWR);
    dup2(nowhere, 0), dup2(nowhere, 1);
    if (ptrace(PTRACE_TRACEME, 0, NULL, NULL)) _exit(127);
    execve(argv[0], argv, environment);
    _exit(127);
  }
  /* It stops when it has become the program, and again before it lets go of its memory. */
  long kibibytes = -1;
  int status;
  if (wait_for(process, &status) < 0 || !WIFSTOPPED(status)) return -1;
  ptrace(PTRACE_SETOPTIONS, process, NULL, (void *)(PTRACE_O_TRACEEXIT | PTRACE_O_EXITKILL));
  ptrace(PTRACE_CONT, process, NULL, NULL);
  while (wait_for(process, &status) > 0 && WIFSTOPPED(status)) {
    int is_exit = status >> 8 == (SIGTRAP | PTRACE_EVENT_EXIT << 8);
    if (is_exit) kibibytes = high_water_mark(process);
    int passed_on = is_exit || WSTOPSIG(status) == SIGTRAP ? 0 : WSTOPSIG(status);
    ptrace(PTRACE_CONT, process, NULL, (void *)(long)passed_on);
  }
  return kibibytes;
}

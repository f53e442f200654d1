#ifndef BROKEN_CALLS_H
#define BROKEN_CALLS_H

/* What becomes of a call. */
enum outcome { GOES_ON, IS_SHORT, FAILS };

/* Decides it for a call on a descriptor or, where that is negative, on a path. Sets errno if it fails. */
enum outcome outcome_of(char kind, int file, const char *path);

#endif

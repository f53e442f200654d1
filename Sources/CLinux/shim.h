#pragma once
/* What Linux has and Swift's Glibc module does not show. */
#if defined(__linux__)
#include <sys/timerfd.h>
#endif

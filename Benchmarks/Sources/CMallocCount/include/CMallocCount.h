#pragma once

#include <sys/eventfd.h>

// How many times this thread has asked for memory: malloc, calloc, realloc and the aligned ones.
unsigned long malloc_calls(void);

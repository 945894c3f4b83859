#pragma once

#include <stddef.h>

// How many bytes of memory the program has from malloc at the moment.
size_t heap_bytes(void);

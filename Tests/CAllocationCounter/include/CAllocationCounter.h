// Counts every allocation of the program it is linked into, including those of shared libraries.
#pragma once

// The number of calls of malloc and its relatives until now by the calling thread.
unsigned long allocation_count(void);

// Counts every allocation of the program it is linked into, that of shared libraries among them.
#pragma once

// How often malloc and its relatives were called so far, from any thread.
unsigned long allocation_count(void);

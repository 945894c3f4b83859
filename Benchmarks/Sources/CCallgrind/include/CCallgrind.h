#pragma once

// callgrind's requests (valgrind manual, 6.5), which are macros of a processor's own instructions; in a program that runs
// by itself they do nothing.

// From here on instructions are counted.
void callgrind_begin(void);

// Up to here; what was counted is written to a file under a name.
void callgrind_end(const char *name);

// With --collect-atstart=no, every other call begins or ends the part of the program that counts.
void callgrind_toggle(void);

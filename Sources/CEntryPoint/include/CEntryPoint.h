// TouchKit's door for a host: the C function `touchd_run_application`, which the linker finds. TouchKit comes before the module
// that defines it: `Service`, or a program that runs its application itself.
#pragma once

#include <stdbool.h>

/// Runs the process's application; returns false at once if the program does not contain the module `Service`.
bool run_application(void);

// The service's entry point, found by the linker: TouchKit comes before the module that defines it.
#pragma once

#include <stdbool.h>

/// Runs the process's application; returns false at once if the program does not contain the module `Service`.
bool run_application(void);

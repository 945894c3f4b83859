#include "CEntryPoint.h"

// Defined by `Service`. A weak symbol is null if no object file of the program defines it.
extern void touchd_run_application(void) __attribute__((weak));

bool run_application(void) {
    if (!touchd_run_application) return false;
    touchd_run_application();
    return true;
}

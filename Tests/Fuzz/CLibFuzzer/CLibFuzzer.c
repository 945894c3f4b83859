#include "CLibFuzzer.h"

// Weak, so that the program links without libFuzzer too, as it is built together with the tests.
__attribute__((weak)) int LLVMFuzzerRunDriver(int *, char ***, int (*)(const uint8_t *, size_t));

int run_libfuzzer(int argc, char **argv, int (*feed)(const uint8_t *, size_t)) {
    return LLVMFuzzerRunDriver ? LLVMFuzzerRunDriver(&argc, &argv, feed) : -1;
}

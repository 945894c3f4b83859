#include "CLibFuzzer.h"

// Weak, so that the program also links without libFuzzer, because it is built together with the tests.
__attribute__((weak)) int LLVMFuzzerRunDriver(int *, char ***, int (*)(const uint8_t *, size_t));

int run_libfuzzer(int argc, char **argv, int (*feed)(const uint8_t *, size_t)) {
    return LLVMFuzzerRunDriver ? LLVMFuzzerRunDriver(&argc, &argv, feed) : -1;
}

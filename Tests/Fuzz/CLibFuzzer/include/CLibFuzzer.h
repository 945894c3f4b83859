// libFuzzer's driver (https://llvm.org/docs/LibFuzzer.html, "Using libFuzzer as a library").
#pragma once

#include <stddef.h>
#include <stdint.h>

// Calls `feed` with inputs until the arguments' limits are reached; returns -1 in a program built without libFuzzer.
int run_libfuzzer(int argc, char *_Nullable *_Nonnull argv, int (*_Nonnull feed)(const uint8_t *_Nullable, size_t));

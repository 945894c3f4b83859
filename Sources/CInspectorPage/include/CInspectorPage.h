#pragma once
#include <stddef.h>

/// The file of the inspector's page at a path, and its size; null if the page has no such file.
const unsigned char *_Nullable inspector_page_file(const char *_Nonnull path, size_t *_Nonnull size);

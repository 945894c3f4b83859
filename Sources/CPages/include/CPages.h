#pragma once
#include <stddef.h>

/// The file of the inspector's page at a path, and its size; null if the page has no such file.
const unsigned char *_Nullable inspector_page_file(const char *_Nonnull path, size_t *_Nonnull size);

/// `touchd.js` or its declarations, and the size; null for another path.
const unsigned char *_Nullable touchd_script_file(const char *_Nonnull path, size_t *_Nonnull size);

#include "CAllocationCounter.h"

#include <errno.h>
#include <stddef.h>

// glibc's own allocator, under the names it exports for programs that replace malloc.
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *memory, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

// Of this thread alone: another one of the program must not change a verdict.
static _Thread_local unsigned long count;

unsigned long allocation_count(void) { return count; }

static void note(void) { count++; }

void *malloc(size_t size) {
    note();
    return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
    note();
    return __libc_calloc(number, size);
}

void *realloc(void *memory, size_t size) {
    note();
    return __libc_realloc(memory, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
    note();
    return __libc_memalign(alignment, size);
}

void *memalign(size_t alignment, size_t size) {
    note();
    return __libc_memalign(alignment, size);
}

int posix_memalign(void **memory, size_t alignment, size_t size) {
    note();
    *memory = __libc_memalign(alignment, size);
    return *memory ? 0 : ENOMEM;
}

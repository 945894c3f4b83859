// Preloaded into one of touchd's programs, this makes an access to ICU's data an error (SIGSEGV). With GUARD_ICU=print it prints how much of
// the data is guarded. Other programs, which inherit it, are not changed.
#define _GNU_SOURCE
#include <errno.h>
#include <link.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

// ICU's common data format (icu4c, ucmndata.h): a header with magic numbers; then the number of items and, for each, the
// offsets of its name and its data.
static int guard(struct dl_phdr_info *object, size_t size, void *unused) {
    const uintptr_t page = sysconf(_SC_PAGESIZE);
    for (int index = 0; index < object->dlpi_phnum; index++) {
        const ElfW(Phdr) *segment = &object->dlpi_phdr[index];
        if (segment->p_type != PT_LOAD || !(segment->p_flags & PF_R) || segment->p_filesz < 1 << 20) continue;
        const uintptr_t start = object->dlpi_addr + segment->p_vaddr, end = start + segment->p_filesz;
        for (uintptr_t place = (start + 7) & ~(uintptr_t)7; place + 24 < end; place += 8) {
            const unsigned char *data = (const unsigned char *)place;
            if (data[2] != 0xda || data[3] != 0x27 || memcmp(data + 12, "CmnD", 4) != 0) continue;
            const uintptr_t body = place + *(const uint16_t *)data;
            const uint32_t *table = (const uint32_t *)body;
            // Includes the table, which ICU reads to find an item.
            const uintptr_t from = (place + page - 1) & ~(page - 1), to = (body + table[2 * table[0]]) & ~(page - 1);
            if (to <= from || mprotect((void *)from, to - from, PROT_NONE) != 0) _exit(70);
            if (getenv("GUARD_ICU")) dprintf(STDERR_FILENO, "guarded: %zu bytes\n", (size_t)(to - from));
            return 1;
        }
    }
    return 0;
}

__attribute__((constructor)) static void start(void) {
    static const char *const programs[] = {"touchd", "touchd-inspect", "touchd-web"};
    for (int index = 0; index < 3; index++)
        if (strcmp(program_invocation_short_name, programs[index]) == 0) dl_iterate_phdr(guard, NULL);
}

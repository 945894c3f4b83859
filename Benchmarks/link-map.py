"""What each library adds to a program, by the map that gold's -Map= writes of a link. Arguments: the map, the program stripped."""
import collections, os, re, sys

sizes = collections.Counter()
in_memory = False
for line in open(sys.argv[1], errors="replace"):
    if line.startswith("Memory map"):
        in_memory = True
    # Sections that are not loaded follow at the end.
    if re.match(r"\.(comment|debug|symtab)", line):
        in_memory = False
    part = re.search(r" 0x[0-9a-f]+ +0x([0-9a-f]+) (/.*\.(?:a\(.*\)|o|so))$", line) if in_memory else None
    if not part:
        continue
    file = part.group(2)
    if library := re.search(r"([^/]*\.a)\((.*)\)", file):
        name = "ICU's data, in " * (library.group(2) == "icu_packaged_data.cpp.o") + library.group(1)
    elif module := re.search(r"([^/]+)\.build/", file):
        name = module.group(1)
    else:
        name = "the C runtime's objects"
    sizes[name] += int(part.group(1), 16)

stripped = os.stat(sys.argv[2]).st_size
print("| what is linked in | MB |\n|---|---:|")
for name, size in sizes.most_common():
    # Smaller entries are left out.
    if size >= 100_000:
        print(f"| {name} | {size / 1e6:.1f} |")
print(f"| what adds less than 0.1 MB each | {sum(size for size in sizes.values() if size < 100_000) / 1e6:.1f} |")
print(f"| symbols, relocations, tables for unwinding | {(stripped - sizes.total()) / 1e6:.1f} |")
print(f"| the stripped program | {stripped / 1e6:.1f} |")

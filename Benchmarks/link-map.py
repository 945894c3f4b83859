"""What each library adds to a program, by the map that lld's -Map= writes of a link. Arguments: the map, the program stripped."""
import collections, os, re, sys

sizes = collections.Counter()
for line in open(sys.argv[1], errors="replace"):
    # Sections that are not loaded follow at the end, at address 0.
    if re.match(r" *0 +0 +[0-9a-f]+ +\d+ \S", line):
        break
    # Address, load address, size, alignment, FILE:(SECTION). Variables that start as zero are not in the program's file.
    part = re.match(r" *[0-9a-f]+ +[0-9a-f]+ +([0-9a-f]+) +\d+ +(\S.*):\(", line)
    if not part or re.search(r":\(\.t?bss", line):
        continue
    file = part.group(2)
    if library := re.search(r"([^/]*\.a)\((.*)\)", file):
        name = "ICU's data, in " * (library.group(2) == "icu_packaged_data.cpp.o") + library.group(1)
    elif module := re.search(r"([^/]+)\.build/", file):
        name = module.group(1)
    elif "icu-data" in file:
        name = "ICU's data, reduced"
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

# Settings and rules that the Makefiles of the root, packaging, Tests and Benchmarks share. Every command runs in the root folder.
ROOT := $(abspath $(dir $(lastword $(MAKEFILE_LIST)))/..)
# Its path may contain a blank, which make takes for the end of a name; HERE is the same folder for targets and functions.
HERE := $(if $(filter packaging/%,$(lastword $(MAKEFILE_LIST))),.,..)
ifeq ($(HERE),..)
SHELL := /usr/bin/env --chdir=.. /bin/sh
endif
# Two apt processes would wait for each other.
.NOTPARALLEL:
.DEFAULT_GOAL := help
# $(call help,COMMAND) lists the Makefile's targets that have a description, as arguments of a command.
help = @awk -F ':.*\#\# ' '/^[a-z0-9-]+:.*\#\# / { printf "  $1%-15s %s\n", $$1, $$2 }' "$(abspath $(firstword $(MAKEFILE_LIST)))"

# The package's architecture. Another machine cross-compiles for arm64 with Debian's Swift (packaging/arm64-sdk).
ARCH ?= $(shell dpkg --print-architecture 2>/dev/null)
ifeq ($(ARCH) $(shell dpkg --print-architecture 2>/dev/null),arm64 amd64)
SDK := $(or $(XDG_CACHE_HOME),$(HOME)/.cache)/touchd-arm64/sdk
SWIFT ?= packaging/arm64-sdk swift
SWIFT_SDK := --swift-sdks-path $(SDK) --swift-sdk arm64 --scratch-path .build/arm64
BINARY ?= .build/arm64/release/touchd
# Runs what was built, and has the libraries that it was linked with.
export RUN ?= qemu-aarch64-static -L $(SDK)/sysroot
export SYSROOT ?= $(SDK)/sysroot
cross_packages := binutils-aarch64-linux-gnu debian-archive-keyring qemu-user-static
endif
SWIFT ?= swift
# Options of debug builds, without debug information: with it they take a third longer. `DEBUG_OPTIONS=` for a debugger. A target can import only
# its dependencies and theirs; without the check any module that was built before would do.
DEBUG_OPTIONS ?= -Xswiftc -gnone --explicit-target-dependency-import-check error
# $(call build-tests,TARGETS) builds these test targets and the programs that they start, and nothing else.
build-tests = TOUCHD_TESTS="$1" $(SWIFT) build $(DEBUG_OPTIONS) --product touchdPackageTests
# Builds what `make test` runs: the targets that Tests/Run/run runs unless others are named, and the snippets that they run.
build-unprivileged = $(call build-tests,$(filter-out LabTests SystemTests,$(notdir $(wildcard $(HERE)/Tests/*Tests)))) && \
    for snippet in TestWithRecordings WriteARecognizer; do $(SWIFT) build $(DEBUG_OPTIONS) --product $$snippet || exit; done
# The Swift runtime is linked statically: the machine that runs touchd needs no Swift.
RELEASE := -c release --static-swift-stdlib --disable-local-rpath -Xlinker -z -Xlinker now $(SWIFT_SDK)
# lld, which the SDK for arm64 names itself, writes relocations in a tenth of the space (C library 2.36, Debian 12). No symbol of
# a program is for libraries that it loads.
RELEASE += $(if $(SWIFT_SDK),,-Xswiftc -use-ld=lld) \
           $(foreach option,-z pack-relative-relocs --no-export-dynamic,-Xlinker $(option))
# Two builds of one source give the same program: these options keep the build folder out of paths, out of the names of the
# module cache's files, and out of the compiler's module hashes.
RELEASE += -Xswiftc -file-prefix-map -Xswiftc "$(ROOT)=." -Xcc "-ffile-prefix-map=$(ROOT)=." \
           $(foreach option,-no-clang-module-breadcrumbs -disable-incremental-llvm-codegen,-Xswiftc -Xfrontend -Xswiftc $(option))
# The state of loop and views belongs to one thread, and no access spans a callback: debug builds and tests check that. In the programs
# the checks would take a third of a touch's instructions.
RELEASE += -Xswiftc -enforce-exclusivity=unchecked
# The programs have 3 of the 34 MB of Foundation's ICU data (packaging/icu-data); touchd-web has no Foundation.
ICU_DATA := $(ROOT)/.build/icu-data-$(ARCH).ld
PROGRAM := $(RELEASE) -Xlinker "$(ICU_DATA)"
# The program to install; a package build can set another path.
BINARY ?= .build/release/touchd
RUN ?=

# Build-Depends in packaging/debian/control without its first line, which is debhelper's, and without systemd, for unit paths.
comma := ,
build_packages := g++ python3 $(cross_packages) $(filter-out systemd,$(subst $(comma), ,\
                  $(shell sed -n '/^Build-Depends:/,/^Standards/s/^ //p' packaging/debian/control)))
test_packages := umockdev libumockdev-dev udev mandoc openssl bash zsh fish python3-jsonschema python3-yaml python3-prometheus-client
system_packages := $(test_packages) systemd systemd-container dbus debhelper dpkg-dev chromium mosquitto mosquitto-clients nginx-light \
                   ansible-core systemd-journal-remote curl qtbase5-dev nodejs node-typescript python3-venv \
                   python3-speechd speech-dispatcher-espeak-ng espeak-ng
lab_packages := $(test_packages) qemu-system-x86 busybox-static cpio kmod xz-utils systemd dbus evtest evemu-tools libinput-tools strace qtbase5-dev
deb_packages := $(build_packages) debhelper dpkg-dev lintian systemd

# Before apt installs what only Swift can use.
swift-toolchain:
	@command -v $(firstword $(SWIFT)) >/dev/null || { echo "make: no Swift here. Install a toolchain, 6.2 or later:" >&2; \
	    echo "make:   https://www.swift.org/install/linux, or on Debian unstable: sudo apt install swiftlang" >&2; exit 1; }

# Runs apt only for missing packages, and root only for apt.
%-packages: swift-toolchain
	@packaging/apt-packages $($*_packages)

# The service alone: the other two contain an HTTP server, whose release build takes minutes.
build-touchd: build-packages icu-data
	$(SWIFT) build $(PROGRAM) --product touchd

build: build-touchd
	$(SWIFT) build $(PROGRAM) --product touchd-inspect
	$(SWIFT) build $(RELEASE) --product touchd-web

# The toolchain's library, or the SDK's.
icu-data: build-packages
	$(if $(SDK),packaging/arm64-sdk true,@mkdir -p .build)
	packaging/icu-data $(if $(SDK),$(SDK)/sysroot/usr/lib/swift,$$($(SWIFT)c -print-target-info | \
	    sed -n 's/.*"runtimeResourcePath": "\(.*\)",*/\1/p'))_static/linux/lib_FoundationICU.a "$(ICU_DATA)" $(if $(SDK),aarch64-linux-gnu-)

# The parser of the TUIO tests; Debian 12 has no package of it.
python-osc: $(HERE)/.build/python-osc/bin/python
$(HERE)/.build/python-osc/bin/python:
	python3 -m venv .build/python-osc
	.build/python-osc/bin/python -m pip --quiet install python-osc==1.10.2

.PHONY: help build build-touchd icu-data python-osc swift-toolchain

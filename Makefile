# touchd: `make run` runs it on an example, `make test` tests it, `make install` installs it.

PREFIX ?= /usr/local
BINDIR ?= $(PREFIX)/bin
# touchd looks for touchd-inspect in its own folder and in ../libexec.
LIBEXECDIR ?= $(PREFIX)/libexec
SYSCONFDIR ?= /etc
MANDIR ?= $(PREFIX)/share/man
ZSHDIR ?= $(PREFIX)/share/zsh/site-functions
UNITDIR ?= $(PREFIX)/lib/systemd/system
SYSUSERSDIR ?= $(PREFIX)/lib/sysusers.d
TMPFILESDIR ?= $(PREFIX)/lib/tmpfiles.d
# journald reads catalogs from this folder only, whatever PREFIX is.
CATALOGDIR ?= /usr/lib/systemd/catalog
EXAMPLESDIR ?= $(PREFIX)/share/doc/touchd/examples
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
# Options of debug builds, without debug information: with it they take a third longer. `DEBUG_OPTIONS=` for a debugger.
DEBUG_OPTIONS ?= -Xswiftc -gnone
# The Swift runtime is linked statically: the machine that runs touchd needs no Swift.
RELEASE := -c release --static-swift-stdlib --disable-local-rpath -Xlinker -z -Xlinker now $(SWIFT_SDK)
# lld, which the SDK for arm64 names itself, writes relocations in a tenth of the space (C library 2.36, Debian 12). No symbol of
# a program is for libraries that it loads.
RELEASE += $(if $(SWIFT_SDK),,-Xswiftc -use-ld=lld) \
           $(foreach option,-z pack-relative-relocs --no-export-dynamic,-Xlinker $(option))
# Two builds of one source give the same program: these options keep the build folder out of paths, out of the names of the
# module cache's files, and out of the compiler's module hashes.
RELEASE += -Xswiftc -file-prefix-map -Xswiftc "$(CURDIR)=." -Xcc "-ffile-prefix-map=$(CURDIR)=." \
           $(foreach option,-no-clang-module-breadcrumbs -disable-incremental-llvm-codegen,-Xswiftc -Xfrontend -Xswiftc $(option))
# The programs have 3 of the 34 MB of Foundation's ICU data (packaging/icu-data).
ICU_DATA := $(CURDIR)/.build/icu-data-$(ARCH).ld
PROGRAM := $(RELEASE) -Xlinker $(ICU_DATA)
# The functions that run in every kiosk stand next to each other, so that fewer pages of a program are resident.
PROGRAM += $(foreach option,--symbol-ordering-file=$(CURDIR)/packaging/functions.txt --no-warn-symbol-ordering,-Xlinker $(option))
# The program to install; a package build can set another path.
BINARY ?= .build/release/touchd
RUN ?=
# Built with it, in the same folder.
INSPECTOR := $(dir $(BINARY))touchd-inspect
WEB := $(dir $(BINARY))touchd-web
# For make fuzz, make test-sanitize, make endurance.
SECONDS ?= 60
TARGETS ?=
SANITIZERS ?= address thread
EVENTS ?= 50000000
SEED ?= 1

build_packages := g++ libcurl4-openssl-dev libevdev-dev libmosquitto-dev libudev-dev libsystemd-dev libyaml-dev \
                  lowdown zlib1g-dev pkg-config python3 $(cross_packages)
test_packages := umockdev libumockdev-dev udev mandoc openssl bash zsh fish python3-jsonschema python3-yaml python3-prometheus-client
system_packages := $(test_packages) systemd systemd-container dbus debhelper dpkg-dev chromium mosquitto mosquitto-clients nginx-light \
                   ansible-core systemd-journal-remote curl qtbase5-dev nodejs node-typescript python3-venv
lab_packages := $(test_packages) qemu-system-x86 busybox-static cpio kmod xz-utils systemd dbus evtest libinput-tools strace
weston_packages := weston cage seatd wev xwayland libinput-tools
load_packages := stress-ng
deb_packages := $(build_packages) debhelper dpkg-dev lintian systemd
bench_packages := $(build_packages) libuv1-dev libev-dev libevent-dev libglib2.0-dev time valgrind \
                  libinput-dev libmtdev-dev umockdev libumockdev-dev libinput-tools triggerhappy strace stress-ng python3
check_packages := $(build_packages) valgrind
lint_packages := codespell
hittest_packages := $(build_packages) qtbase5-dev libgtk-4-dev xvfb xauth g++

# Two apt processes would wait for each other.
.NOTPARALLEL:
# The targets are not files.
.PHONY: $(shell sed -n 's/^\([a-z][a-z0-9-]*\):.*/\1/p' $(firstword $(MAKEFILE_LIST)))

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / { printf "  make %-15s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: build-packages ## Run touchd on the example layout, with this machine's screens or a recording
	$(SWIFT) build $(DEBUG_OPTIONS) --product touchd
	@if .build/debug/touchd devices --quiet; then \
	    echo "Touch the screen; Ctrl-C ends."; \
	    exec .build/debug/touchd run --layout config/touchd.yaml; \
	else \
	    echo "No touchscreen or mouse that touchd may read here, so this is a recording of one:"; \
	    exec .build/debug/touchd run --layout config/touchd.yaml --replay config/recordings/quanta-optical.evemu; \
	fi

# The parser of the TUIO tests; Debian 12 has no package of it.
python-osc: .build/python-osc/bin/python ## Install python-osc for the TUIO tests, from PyPI into .build
.build/python-osc/bin/python:
	python3 -m venv $(CURDIR)/.build/python-osc
	.build/python-osc/bin/python -m pip --quiet install python-osc==1.10.2

test: build-packages test-packages ## Run the tests that need neither root nor a virtual machine
	$(SWIFT) build $(DEBUG_OPTIONS) --build-tests
	exec Tests/Run/run

# Root only for the tests: what is built belongs to the user.
test-system: build-packages system-packages python-osc ## Run the tests with systemd in containers, browsers, brokers and servers (root, 5 minutes)
	$(SWIFT) build $(DEBUG_OPTIONS) --build-tests
	Tests/Lab/packages .build/debug/touchd .build/lab-packages
	@if [ "$$(id -u)" -eq 0 ] || sudo --non-interactive true; then \
	    exec $$([ "$$(id -u)" -eq 0 ] || echo sudo) env TOUCHD_LAB_PACKAGES=.build/lab-packages Tests/Run/run SystemTests; \
	else echo "make test-system: skipped, because containers need root: run 'sudo true' first"; fi

test-lab: build-packages lab-packages ## Run the tests with a kernel of their own in virtual machines (amd64, 1 GB of disk, 10 minutes)
	$(SWIFT) build $(DEBUG_OPTIONS) --build-tests
	for program in touchd EvdevProbe StuckKiosk uinput-play; do $(SWIFT) build $(RELEASE) --product $$program || exit; done
	exec env TOUCHD_RELEASE=.build/release Tests/Run/run LabTests

test-load: load-packages build-packages test-packages ## Run make test's tests beside a load of ten processes on processor, memory and disk
	$(SWIFT) build $(DEBUG_OPTIONS) --build-tests
	Tests/Run/contained "$${TMPDIR:-/tmp}/touchd.load" sh -c 'stress-ng --quiet --cpu 6 --vm 2 --io 2 & exec Tests/Run/run'

test-deb: build-packages system-packages deb-packages build ## Install, upgrade, remove and purge the package in a container (root)
	$(SWIFT) build $(DEBUG_OPTIONS) --build-tests
	Tests/Lab/packages $(BINARY) .build/lab-packages
	TOUCHD_LAB_PACKAGES=.build/lab-packages Tests/Run/run SystemTests

test-releases: deb ## Install the packages into new systems of RELEASES (bookworm trixie), with their lintian and systemd (root)
	@packaging/apt-packages mmdebstrap
	Tests/Lab/releases dist $(or $(RELEASES),bookworm trixie)

ifdef SDK
test-arm64: deb python-osc ## Install the arm64 package in an emulated machine with Debian 13, touch it, and run the tests emulated (root, two hours)
	@packaging/apt-packages $(test_packages) arch-test mmdebstrap qemu-system-arm
	$(SWIFT) build $(RELEASE) --product uinput-play
	$(SWIFT) build $(DEBUG_OPTIONS) $(SWIFT_SDK) --build-tests -Xlinker --dynamic-linker=$(SYSROOT)/lib/ld-linux-aarch64.so.1
	Tests/Lab/boot --systemd --timeout 3000 --root "$$(Tests/Lab/system trixie $(ARCH))" Tests/Lab/release.sh $(dir $(BINARY)) dist
	Tests/Run/emulated $(SYSROOT) .build/arm64/debug/touchdPackageTests.xctest
else
test-arm64:
	$(MAKE) test-arm64 ARCH=arm64
endif
# Not part of `make test`, because a compositor on an emulated processor takes minutes.
test-weston: test-packages weston-packages build ## Touch a Wayland program through touchd and weston, then cage, in virtual machines (minutes)
	$(SWIFT) build $(DEBUG_OPTIONS) --product uinput-play
	for compositor in weston cage; do \
	    Tests/Lab/boot --systemd --processors 2 --graphics --timeout 900 Tests/Lab/wayland.sh .build/debug $(BINARY) $$compositor || exit; \
	done

test-wayland: test-packages build ## The same with the compositors of Debian 13, of which sway passes cancelled touches on (root, minutes)
	@packaging/apt-packages mmdebstrap
	$(SWIFT) build $(RELEASE) --product uinput-play
	root=$$(Tests/Lab/system trixie amd64 weston cage sway seatd wev xwayland) && for compositor in weston cage sway; do \
	    Tests/Lab/boot --systemd --processors 2 --graphics --timeout 900 --root "$$root" Tests/Lab/wayland.sh $(dir $(BINARY)) $(BINARY) $$compositor || exit; \
	done

test-image: test-packages deb ## Boot the disk image of packaging/mkosi with wev instead of Chromium, and touch it (root, Debian 13)
	@packaging/apt-packages mkosi reprepro
	$(SWIFT) build $(RELEASE) --product uinput-play
	cd packaging/mkosi && mkosi --profile wev --force build
	Tests/Lab/image dist/image Tests/Lab/image.sh $(dir $(BINARY))

test-reference: build-packages ## Compare touch delivery with the second implementation: STEPS random steps (1000000) from SEED (1)
	$(SWIFT) build $(DEBUG_OPTIONS) --build-tests
	TOUCHKIT_REFERENCE_STEPS=$(or $(STEPS),1000000) TOUCHKIT_REFERENCE_SEED=$(or $(SEED),1) \
	    $(SWIFT) test $(DEBUG_OPTIONS) --skip-build --filter '^TouchKitTests\.ReferenceTests/randomScenarios'

test-exhaustive: build-packages ## Compare touch delivery in SCENES (1000000) small scenes, spread evenly over all of them
	$(SWIFT) build $(DEBUG_OPTIONS) --build-tests
	TOUCHKIT_REFERENCE_SCENES=$(or $(SCENES),1000000) \
	    $(SWIFT) test $(DEBUG_OPTIONS) --skip-build --filter '^TouchKitTests\.ReferenceTests/exhaustiveScenarios'

examples: build-packages ## Build and test the package under Examples, as another project would
	$(SWIFT) test $(DEBUG_OPTIONS) --package-path Examples --scratch-path .build

docs: build-packages ## Make the reference of the libraries; a broken link is an error
	TOUCHD_DOCS=1 $(SWIFT) package $(DEBUG_OPTIONS) generate-documentation --target TouchKit --target UIKitNames --target EventLoop \
	    --target Evdev --target Recordings --target Service --warnings-as-errors

test-sanitize: test-packages python-osc ## Run all tests except the virtual machine's under SANITIZERS (address thread; both with undefined), about an hour
	Tests/Sanitizers/test-sanitize $(SANITIZERS)

endurance: build-packages ## Send a day of kiosk use, 50 million events, through touchd, and check its memory
	$(SWIFT) build $(RELEASE) --product Endurance
	.build/release/Endurance . $(EVENTS) $(SEED) docs

fuzz: build-packages ## Feed decoder, layouts, control socket and readers with libFuzzer's inputs: SECONDS (60) for each of TARGETS
	Tests/Fuzz/fuzz $(SECONDS) $(TARGETS)

bench: bench-runloop bench-hittest bench-delivery bench-decode bench-layout bench-service bench-lab bench-forward bench-footprint bench-broker bench-inspect bench-web ## Run all benchmarks; the tables go into docs/benchmarks.md

bench-runloop: bench-packages ## Compare the run loop with those that other Linux daemons use
	Benchmarks/keep-table bench-runloop Benchmarks/bench-runloop.sh

bench-hittest: hittest-packages ## Compare hit-testing with Qt and GTK
	Benchmarks/keep-table bench-hittest Benchmarks/bench-hittest.sh

bench-delivery: build-packages ## Measure the time from a device's frame to a view's handler
	Benchmarks/keep-table bench-delivery Benchmarks/bench-delivery.sh

bench-check: check-packages ## Count allocations and instructions; an allocation, or 5 % more than the stored counts, fails; KEEP=1 stores the new
	for program in AllocationProbe count-instructions; do $(SWIFT) build $(RELEASE) --product $$program || exit; done
	.build/release/AllocationProbe
	Benchmarks/bench-check.sh .build/release/count-instructions $(if $(KEEP),--keep)

bench-layout: bench-packages build ## Read and run layouts of 50,000 views, within 1 s and 60 MB
	BINARY=$(BINARY) Benchmarks/keep-table bench-layout Benchmarks/bench-layout.sh

bench-lab: bench-packages test-packages build ## Compare the delay since the kernel's timestamp with evtest, libinput and triggerhappy, in the kernel lab
	BINARY=$(BINARY) Benchmarks/keep-table bench-lab Benchmarks/bench-lab.sh

bench-forward: bench-packages test-packages build ## Compare the delay of forwarded touches with the panel's and with a C program's, in the kernel lab
	$(SWIFT) build $(RELEASE) --product count-instructions
	BINARY=$(BINARY) Benchmarks/keep-table bench-forward Benchmarks/bench-forward.sh

bench-footprint: bench-packages build ## Measure startup, memory, idle activity, and the parts of the program's size
	$(SWIFT) build $(PROGRAM) --product touchd -Xlinker -Map=$(CURDIR)/.build/touchd.map
	Benchmarks/keep-table bench-footprint Benchmarks/bench-footprint.sh

bench-service: bench-packages test-packages deb ## Compare startup, memory and size with triggerhappy's
	$(SWIFT) build $(DEBUG_OPTIONS) --product uinput-play
	BINARY=$(BINARY) Benchmarks/bench-service.sh

bench-broker: bench-packages test-packages build ## Measure how many of touchd's events an MQTT broker carries
	BINARY=$(BINARY) Benchmarks/keep-table bench-broker Benchmarks/bench-broker.sh

bench-inspect: bench-packages build ## Measure the cost of an inspection subscriber and of touchd inspect
	BINARY=$(BINARY) Benchmarks/keep-table bench-inspect Benchmarks/bench-inspect.sh

bench-web: bench-packages test-packages build ## Measure the time from a frame to a DOM event, and ten pages of which one does not read
	BINARY=$(BINARY) Benchmarks/keep-table bench-web Benchmarks/bench-web.sh

bench-decode: bench-packages ## Compare contacts, time and instructions with libinput's, recording by recording
	Benchmarks/keep-table bench-decode Benchmarks/bench-decode.sh

compare-libinput: bench-packages test-packages ## Compare the touches of every recording with libinput's, in the kernel lab
	$(SWIFT) build -c release --package-path Benchmarks --product compare-libinput
	Tests/Lab/boot --systemd Tests/Lab/libinput.sh Benchmarks/.build/release

# The service alone: the other two contain an HTTP server, whose release build takes minutes.
build-touchd: build-packages icu-data
	$(SWIFT) build $(PROGRAM) --product touchd

build: build-touchd ## Build touchd for a machine without Swift
	$(SWIFT) build $(PROGRAM) --product touchd-inspect
	$(SWIFT) build $(PROGRAM) --product touchd-web

# The toolchain's library, or the SDK's.
icu-data: build-packages
	$(if $(SDK),packaging/arm64-sdk true,@mkdir -p .build)
	packaging/icu-data $(if $(SDK),$(SDK)/sysroot/usr/lib/swift,$$($(SWIFT)c -print-target-info | \
	    sed -n 's/.*"runtimeResourcePath": "\(.*\)",*/\1/p'))_static/linux/lib_FoundationICU.a $(ICU_DATA) $(if $(SDK),aarch64-linux-gnu-)

function-order: check-packages build-touchd ## List the functions that touchd runs as a service, for the linker (packaging/functions.txt)
	packaging/function-order $(BINARY) >.build/functions.txt && mv .build/functions.txt packaging/functions.txt

lint: lint-packages ## Check the style of the sources, and the words of code and documentation
	.ci/check-words
	$(SWIFT) format lint --strict --recursive --parallel Package.swift Sources Tests Snippets Examples Benchmarks/Package.swift Benchmarks/Sources

format: ## Format the sources
	$(SWIFT) format format --in-place --recursive --parallel Package.swift Sources Tests Snippets Examples Benchmarks/Package.swift Benchmarks/Sources

# $(call unit,TEMPLATE,UNIT,TITLE,LAYOUT,DIRECTORY) makes a unit; the unit of a seat has its name.
unit = sed -e 's|@BINDIR@|$(BINDIR)|g' -e 's|@LIBEXECDIR@|$(LIBEXECDIR)|g' -e 's|@SYSCONFDIR@|$(SYSCONFDIR)|g' -e 's|@TITLE@|$3|' -e 's|@LAYOUT@|$4|' \
       -e 's|@DIRECTORY@|$5|' -e 's|@SERVICE@|$(if $3,touchd@%i,touchd)|g' \
       -e 's|@EXEC@|$(if $3,touchd-exec@%i,touchd-exec)|g' -e 's|@WEB@|$(if $3,touchd-web@%i,touchd-web)|g' systemd/$1.in > $(DESTDIR)$(UNITDIR)/$2 && \
       chmod 644 $(DESTDIR)$(UNITDIR)/$2
SEAT := , seat %i

install: ## Install the result of `make build` under DESTDIR and PREFIX
	@for program in $(BINARY) $(INSPECTOR) $(WEB); do \
	    test -x $$program || { echo "make: $$program is not built yet; run 'make build' first" >&2; exit 1; }; \
	done
	install -D -m 755 $(BINARY) $(DESTDIR)$(BINDIR)/touchd
	install -D -m 755 $(INSPECTOR) $(DESTDIR)$(LIBEXECDIR)/touchd-inspect
	install -D -m 755 $(WEB) $(DESTDIR)$(LIBEXECDIR)/touchd-web
	install -d $(DESTDIR)$(UNITDIR)
	$(call unit,touchd.service,touchd.service,,touchd,touchd)
	$(call unit,touchd.service,touchd@.service,$(SEAT),%i,touchd-%i)
	$(call unit,touchd.socket,touchd.socket,,touchd,touchd)
	$(call unit,touchd.socket,touchd@.socket,$(SEAT),%i,touchd-%i)
	$(call unit,touchd-exec.service,touchd-exec.service,,touchd,touchd)
	$(call unit,touchd-exec.service,touchd-exec@.service,$(SEAT),%i,touchd-%i)
	$(call unit,touchd-exec.socket,touchd-exec.socket,,touchd,touchd)
	$(call unit,touchd-exec.socket,touchd-exec@.socket,$(SEAT),%i,touchd-%i)
	$(call unit,touchd-web.service,touchd-web.service,,web,touchd)
	$(call unit,touchd-web.service,touchd-web@.service,$(SEAT),web-%i,touchd-%i)
	$(call unit,touchd-web.socket,touchd-web.socket,,web,touchd)
	$(call unit,touchd-web.socket,touchd-web@.socket,$(SEAT),web-%i,touchd-%i)
	install -D -m 644 systemd/touchd.sysusers $(DESTDIR)$(SYSUSERSDIR)/touchd.conf
	install -D -m 644 systemd/touchd.tmpfiles $(DESTDIR)$(TMPFILESDIR)/touchd.conf
	install -D -m 644 systemd/touchd.catalog $(DESTDIR)$(CATALOGDIR)/touchd.catalog
	install -d $(DESTDIR)$(EXAMPLESDIR)
	install -m 644 systemd/touchd-emit.conf systemd/touchd-forward.conf systemd/70-touchd-forward.rules \
	    $(DESTDIR)$(EXAMPLESDIR)
	sed -e 's|@BINDIR@|$(BINDIR)|g' -e 's|@SYSCONFDIR@|$(SYSCONFDIR)|g' systemd/touchd-metrics.conf.in \
	    > $(DESTDIR)$(EXAMPLESDIR)/touchd-metrics.conf
	chmod 644 $(DESTDIR)$(EXAMPLESDIR)/touchd-metrics.conf
	@if test -e $(DESTDIR)$(SYSCONFDIR)/touchd/touchd.yaml; then \
	    echo "keeping $(DESTDIR)$(SYSCONFDIR)/touchd/touchd.yaml"; \
	else \
	    install -d $(DESTDIR)$(SYSCONFDIR)/touchd && \
	    sed 's|schema=touchd|schema=$(PREFIX)/share/touchd/touchd|' config/touchd.yaml \
	        > $(DESTDIR)$(SYSCONFDIR)/touchd/touchd.yaml && chmod 644 $(DESTDIR)$(SYSCONFDIR)/touchd/touchd.yaml; \
	fi
	@echo "Next: systemd-sysusers && systemd-tmpfiles --create --prefix=/dev && journalctl --update-catalog &&" \
	    "systemctl daemon-reload && systemctl enable --now touchd"

uninstall: ## Remove the installed files, except the configuration
	rm -f $(DESTDIR)$(BINDIR)/touchd $(addprefix $(DESTDIR)$(LIBEXECDIR)/,touchd-inspect touchd-web)
	rm -f $(DESTDIR)$(SYSUSERSDIR)/touchd.conf $(DESTDIR)$(TMPFILESDIR)/touchd.conf
	rm -f $(foreach unit,touchd.service touchd@.service touchd.socket touchd@.socket \
	    touchd-exec.service touchd-exec@.service touchd-exec.socket touchd-exec@.socket \
	    touchd-web.service touchd-web@.service touchd-web.socket touchd-web@.socket,$(DESTDIR)$(UNITDIR)/$(unit))
	rm -f $(DESTDIR)$(CATALOGDIR)/touchd.catalog
	rm -rf $(DESTDIR)$(EXAMPLESDIR)

# The other files of a package: man pages, completions, schema, examples.
install: install-more
install-more:
	@test -x $(BINARY) || { echo "make: $(BINARY) is not built yet; run 'make build' first" >&2; exit 1; }
	for page in $(MAN_PAGES); do \
	    install -D -m 644 docs/man/$$page $(DESTDIR)$(MANDIR)/man$${page##*.}/$$page || exit; \
	done
	for page in $(MARKDOWN_PAGES); do \
	    name=$${page#*:} && folder=$(DESTDIR)$(MANDIR)/man$${name##*.} && install -d $$folder && \
	    packaging/man-page $${page%%:*} $$name >$$folder/$$name && chmod 644 $$folder/$$name || exit; \
	done
	for completion in $(COMPLETIONS); do \
	    file=$(DESTDIR)$${completion#*:} && install -d $$(dirname $$file) && \
	    $(RUN) $(BINARY) --generate-completion-script $${completion%%:*} | sed '1{/^#!/d}' >$$file && \
	    test -s $$file && chmod 644 $$file || exit; \
	done
	for file in $(SHARED); do install -D -m 644 $$file $(DESTDIR)$(PREFIX)/share/touchd/$${file##*/} || exit; done
	for file in $(wildcard Examples/web-kiosk/*); do \
	    install -D -m 644 $$file $(DESTDIR)$(PREFIX)/share/doc/touchd/examples/$${file#Examples/} || exit; \
	done
	for file in $(EXAMPLES); do \
	    name=$${file#config/} && name=$${name#examples/} && \
	    install -D -m 644 $$file $(DESTDIR)$(PREFIX)/share/doc/touchd/examples/$$name || exit; \
	done

MAN_PAGES := $(notdir $(wildcard docs/man/*))
# References, also readable in the repository.
MARKDOWN_PAGES := $(foreach page,docs/layout.md:touchd.yaml.5 docs/control-protocol.md:touchd-control.7, \
                  $(if $(wildcard $(firstword $(subst :, ,$(page)))),$(page)))
COMPLETIONS := bash:$(PREFIX)/share/bash-completion/completions/touchd zsh:$(ZSHDIR)/_touchd \
               fish:$(PREFIX)/share/fish/vendor_completions.d/touchd.fish
SHARED := $(wildcard config/touchd.schema.json)
EXAMPLES := $(wildcard config/examples/*.yaml config/examples/*/*.evemu config/recordings/*.evemu)

uninstall: uninstall-more
uninstall-more:
	rm -f $(foreach page,$(MAN_PAGES) $(foreach page,$(MARKDOWN_PAGES),$(lastword $(subst :, ,$(page)))),$(DESTDIR)$(MANDIR)/man$(subst .,,$(suffix $(page)))/$(page))
	rm -f $(foreach completion,$(COMPLETIONS),$(DESTDIR)$(lastword $(subst :, ,$(completion))))
	rm -rf $(DESTDIR)$(PREFIX)/share/touchd $(DESTDIR)$(PREFIX)/share/doc/touchd

deb: build deb-packages ## Build the Debian packages into dist/, and check them with lintian; ARCH=arm64 cross-compiles
	packaging/build-deb $(BINARY) dist $(ARCH)
	lintian --info --pedantic --fail-on error,warning,info,pedantic --profile debian --suppress-tags bad-distribution-in-changes-file dist/touchd_*_$(ARCH).changes

deb-again: deb ## Build the package a second time in another folder, and compare
	packaging/reproducible dist

clean: ## Remove build results
	$(SWIFT) package clean

# Runs apt only for missing packages, and root only for apt.
%-packages:
	@packaging/apt-packages $($*_packages)

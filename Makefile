# touchd: `make run` shows it at work, `make test` proves it, `make install` puts it on a machine.

PREFIX ?= /usr/local
BINDIR ?= $(PREFIX)/bin
SYSCONFDIR ?= /etc
UNITDIR ?= $(PREFIX)/lib/systemd/system
SYSUSERSDIR ?= $(PREFIX)/lib/sysusers.d
SWIFT ?= swift
# The Swift runtime is linked in: the machine that runs touchd needs no Swift.
RELEASE := -c release --static-swift-stdlib
# Where the program to install comes from; a package build may say another place.
BINARY ?= .build/release/touchd

BUILD_PACKAGES := libevdev-dev libmtdev-dev libudev-dev libsystemd-dev zlib1g-dev pkg-config
TEST_PACKAGES := $(BUILD_PACKAGES) umockdev libumockdev-dev udev dbus systemd evtest qemu-system-x86 busybox-static \
                 cpio kmod xz-utils
BENCH_PACKAGES := $(BUILD_PACKAGES) libuv1-dev libev-dev libevent-dev libglib2.0-dev valgrind
HITTEST_PACKAGES := $(BUILD_PACKAGES) qtbase5-dev libgtk-4-dev xvfb xauth g++

# Two of apt at once wait for each other.
.NOTPARALLEL:
.PHONY: run test bench bench-runloop bench-hittest bench-delivery bench-check build lint format install uninstall clean help build-packages test-packages bench-packages \
        hittest-packages

help: ## Say what make can do
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: build ## Run touchd on the example layout: this machine's screens, or a recording of one
	@if $(BINARY) devices --quiet; then \
	    echo "Touch the screen; Ctrl-C ends."; \
	    exec $(BINARY) run --layout config/touchd.yaml; \
	else \
	    echo "No touchscreen or mouse that touchd may read here, so this is a recording of one:"; \
	    exec $(BINARY) run --layout config/touchd.yaml --replay config/recordings/quanta-optical.evemu; \
	fi

test: test-packages build ## Run every test: logic, recorded devices, and a kernel of its own in a virtual machine
	$(SWIFT) build $(RELEASE) --product AllocationProbe
	$(SWIFT) build --build-tests
	TOUCHD_LAB_BINARY=$(BINARY) TOUCHD_ALLOCATION_PROBE=.build/release/AllocationProbe $(SWIFT) test --skip-build

bench: bench-runloop bench-hittest bench-delivery ## Measure everything that has a bench

bench-runloop: bench-packages ## Measure the run loop beside those a Linux daemon would pick
	Benchmarks/bench-runloop.sh

bench-hittest: hittest-packages ## Measure hit-testing beside Qt and GTK
	Benchmarks/bench-hittest.sh

bench-delivery: build-packages ## Measure from a device's frame to a view's handler
	Benchmarks/bench-delivery.sh

bench-check: bench-packages ## Compare the instructions of fixed work with those kept; a rise over 5 % fails
	Benchmarks/bench-check.sh

build: build-packages ## Build touchd for a machine without Swift
	$(SWIFT) build $(RELEASE) --product touchd

lint: ## Check the style of the sources
	$(SWIFT) format lint --strict --recursive --parallel Package.swift Sources Tests

format: ## Put the sources into that style
	$(SWIFT) format format --in-place --recursive --parallel Package.swift Sources Tests

install: ## Install under DESTDIR and PREFIX what `make build` built
	@test -x $(BINARY) || { echo "make: $(BINARY) is not built yet; run 'make build' first" >&2; exit 1; }
	install -D -m 755 $(BINARY) $(DESTDIR)$(BINDIR)/touchd
	install -d $(DESTDIR)$(UNITDIR)
	sed -e 's|@BINDIR@|$(BINDIR)|g' -e 's|@SYSCONFDIR@|$(SYSCONFDIR)|g' systemd/touchd.service.in \
	    > $(DESTDIR)$(UNITDIR)/touchd.service
	chmod 644 $(DESTDIR)$(UNITDIR)/touchd.service
	install -D -m 644 systemd/touchd.sysusers $(DESTDIR)$(SYSUSERSDIR)/touchd.conf
	@if test -e $(DESTDIR)$(SYSCONFDIR)/touchd/touchd.yaml; then \
	    echo "keeping $(DESTDIR)$(SYSCONFDIR)/touchd/touchd.yaml"; \
	else \
	    install -D -m 644 config/touchd.yaml $(DESTDIR)$(SYSCONFDIR)/touchd/touchd.yaml; \
	fi
	@echo "Next: systemd-sysusers && systemctl daemon-reload && systemctl enable --now touchd"

uninstall: ## Remove what install put there, except the configuration
	rm -f $(DESTDIR)$(BINDIR)/touchd $(DESTDIR)$(UNITDIR)/touchd.service $(DESTDIR)$(SYSUSERSDIR)/touchd.conf

clean: ## Remove what was built
	$(SWIFT) package clean

# apt is asked only for what is missing, and root only for asking apt.
build-packages:
	@packaging/apt-packages $(BUILD_PACKAGES)

test-packages:
	@packaging/apt-packages $(TEST_PACKAGES)

hittest-packages:
	@packaging/apt-packages $(HITTEST_PACKAGES)

bench-packages:
	@packaging/apt-packages $(BENCH_PACKAGES)

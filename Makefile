# touchd: `make run` runs it on an example, `make test` tests it, `make install` installs it.
include packaging/build.mk

# Targets of the Makefiles in packaging and Tests.
PACKAGING := install uninstall deb deb-again test-deb test-releases test-arm64 test-image
TESTS := test-load test-injections test-sanitize test-weston test-wayland test-reference test-fleet fuzz endurance
LINTED := Package.swift Sources Tests Snippets Examples Benchmarks/Package.swift Benchmarks/Sources
lint_packages := codespell

.PHONY: run test test-system test-lab programs examples docs lint format clean bench $(PACKAGING) $(TESTS)

help: ## List the targets
	$(call help,make )
	@echo "More: make -C packaging help   packages, and tests of them"
	@echo "      make -C Tests help       tests that take long, or need more"
	@echo "      make -C Benchmarks help  benchmarks"

run: build-packages ## Run touchd on the example layout, with this machine's screens or a recording
	$(SWIFT) build $(DEBUG_OPTIONS) --product touchd
	@if .build/debug/touchd devices --quiet; then \
	    echo "Touch the screen; Ctrl-C ends."; \
	    exec .build/debug/touchd run --layout config/touchd.yaml; \
	else \
	    echo "No touchscreen or mouse that touchd may read here, so this is a recording of one:"; \
	    exec .build/debug/touchd run --layout config/touchd.yaml --replay config/recordings/quanta-optical.evemu; \
	fi

test: build-packages test-packages ## Run the tests that need neither root nor a virtual machine
	$(build-unprivileged)
	exec Tests/Run/run

# Root only for the tests: what is built belongs to the user.
test-system: build-packages system-packages python-osc ## Run the tests with systemd in containers, browsers, brokers and servers (root, 5 minutes)
	$(call build-tests,SystemTests)
	Tests/Lab/packages .build/debug/touchd .build/lab-packages
	+$(MAKE) --no-print-directory test-injections NUMBER=40
	@if [ "$$(id -u)" -eq 0 ] || sudo --non-interactive true; then \
	    exec $$([ "$$(id -u)" -eq 0 ] || echo sudo) env TOUCHD_LAB_PACKAGES=.build/lab-packages Tests/Run/run SystemTests; \
	else echo "make test-system: skipped, because containers need root: run 'sudo true' first"; fi

test-lab: build-packages lab-packages ## Run the tests that need a separate kernel, in virtual machines (amd64, 1 GB of disk, 10 minutes)
	$(call build-tests,LabTests)
	for program in touchd EvdevProbe StuckKiosk uinput-play; do $(SWIFT) build $(RELEASE) --product $$program || exit; done
	exec env TOUCHD_RELEASE=.build/release Tests/Run/run LabTests

# Its commands are in packaging/build.mk.
build: ## Build touchd for a machine without Swift

install: ## Install the result of `make build` under DESTDIR and PREFIX
uninstall: ## Remove the installed files, except the configuration
deb: ## Build the Debian packages into dist/, and check them with lintian; ARCH=arm64 cross-compiles
$(PACKAGING):
	@+$(MAKE) --no-print-directory -C packaging $@

$(TESTS):
	@+$(MAKE) --no-print-directory -C Tests $@

bench: bench-all
bench-%:
	@+$(MAKE) --no-print-directory -C Benchmarks $*

programs: build-packages ## Compile all programs and snippets, also those that no test starts
	$(SWIFT) build $(DEBUG_OPTIONS)

examples: build-packages ## Build and test the package under Examples, as another project would
	$(SWIFT) test $(DEBUG_OPTIONS) --package-path Examples --scratch-path .build

docs: build-packages ## Write the tables of keys in docs, and make the reference of the libraries; a broken link is an error
	$(SWIFT) build $(DEBUG_OPTIONS) --product touchd
	.ci/key-tables
	TOUCHD_DOCS=1 $(SWIFT) package $(DEBUG_OPTIONS) generate-documentation --target TouchKit --target UIKitNames --target EventLoop \
	    --target Evdev --target Service --warnings-as-errors

lint: lint-packages .build/debug/touchd ## Check the style of the sources, the words of code and documentation, and its tables of keys
	.ci/check-words
	.ci/key-tables --check
	$(SWIFT) format lint --strict --recursive --parallel $(LINTED)

# It prints the tables of keys; after make test it is there.
.build/debug/touchd: $(wildcard Sources/Layout/*/*.swift Sources/TouchKit/*.swift) | build-packages
	$(SWIFT) build $(DEBUG_OPTIONS) --product touchd

format: ## Format the sources
	$(SWIFT) format format --in-place --recursive --parallel $(LINTED)

clean: ## Remove build results
	$(SWIFT) package clean

# Everything about building saver. `make help` lists the targets.

PREFIX ?= /usr/local
DESTDIR ?=
SWIFT ?= swift
# More for `swift test`, such as --filter NAME.
TEST_FLAGS ?=
# More for the build of the examples.
EXAMPLE_FLAGS ?=
# More for the benchmark, such as --json FILE or --work NAME; Benchmarks/README.md lists them.
BENCHMARK_FLAGS ?=
RELEASE_FLAGS = -c release -Xswiftc -static-executable
FORMATTED = Package.swift Sources Backends Tests Benchmarks/Package.swift Benchmarks/Sources \
	Fuzzing/Package.swift Fuzzing/saver-fuzz Examples/Package.swift Examples/ShareSaver Examples/TodoList Examples/JSONFile
EXAMPLES = share-app todo-list json-file-check

.DEFAULT_GOAL := build
.PHONY: help deps build demo test test-observation test-observation-long test-thread test-address torture fuzz install \
	format lint examples benchmark reference fixtures clean

help: ## Lists the targets.
	@sed -n 's/^\([a-z-]*\):.*## /  \1\t/p' $(MAKEFILE_LIST) | expand -t 26
	@echo "  make install PREFIX=$(PREFIX) puts saver in PREFIX/bin; DESTDIR is respected."

deps: ## Installs the system packages that are missing (Debian, as root), or names them.
	@Scripts/deps

build: deps ## Builds the release, one static executable.
	$(SWIFT) build $(RELEASE_FLAGS) --product saver

demo: build ## Shows what saver does, on both engines, in a temporary folder.
	@SAVER_BIN="$$($(SWIFT) build $(RELEASE_FLAGS) --show-bin-path)" Scripts/demo

test: deps ## Runs all tests.
	$(SWIFT) test $(TEST_FLAGS)

test-observation: deps ## Runs the tests of what several processes see of each other.
	$(SWIFT) test --filter SaverObservationTests

test-observation-long: deps ## Runs them with ten times the commits and kills.
	SAVER_LONG_TESTS=1 $(SWIFT) test --filter SaverObservationTests

# One at a time: it is so slow that tests which wait for others would give up.
test-thread: deps ## Runs all tests under the thread sanitizer.
	SAVER_SANITIZER=thread $(SWIFT) test --no-parallel --sanitize=thread --scratch-path .build/thread $(TEST_FLAGS)

# Not for leaks: the test runner itself has some.
test-address: deps ## Runs all tests under the address sanitizer.
	SAVER_SANITIZER=address ASAN_OPTIONS=detect_leaks=0 $(SWIFT) test --no-parallel --sanitize=address --scratch-path .build/address $(TEST_FLAGS)

SECONDS ?= 600
torture: deps ## Tries faults below the engines for SECONDS (600), with new seeds each time.
	SAVER_FAULT_SECONDS=$(SECONDS) $(SWIFT) test --filter SaverFaultTests $(TEST_FLAGS)

fuzz: deps ## Feeds each decoder with garbage for SECONDS (600), under libFuzzer.
	SWIFT="$(SWIFT)" Scripts/fuzz $(SECONDS)

install: build ## Copies saver to PREFIX/bin.
	install -d "$(DESTDIR)$(PREFIX)/bin"
	install -m 755 "$$($(SWIFT) build $(RELEASE_FLAGS) --show-bin-path)/saver" "$(DESTDIR)$(PREFIX)/bin/saver"

format: ## Formats the sources.
	$(SWIFT) format -i --recursive $(FORMATTED)

lint: ## Checks the format of the sources.
	$(SWIFT) format lint --strict --recursive $(FORMATTED)

# A package finds new files of the one beside it only when its own description has been touched.
examples: deps ## Builds the examples, and runs each: it says what it shows, and fails if it is not so.
	@touch Examples/Package.swift
	$(SWIFT) build --package-path Examples $(EXAMPLE_FLAGS)
	@bin="$$($(SWIFT) build --package-path Examples $(EXAMPLE_FLAGS) --show-bin-path)"; \
	for example in $(EXAMPLES); do echo "--- $$example"; "$$bin/$$example" || exit 1; done

benchmark: build ## Times all works beside C programs that do the same: 5 minutes; QUICK=1: under one.
	@touch Benchmarks/Package.swift
	$(SWIFT) run -c release --package-path Benchmarks saver-benchmark $(if $(QUICK),--quick) $(BENCHMARK_FLAGS) \
		--saver "$$($(SWIFT) build $(RELEASE_FLAGS) --show-bin-path)/saver"

reference: ## Writes Documentation/CommandLine.md from the tool's own help.
	$(SWIFT) build --product saver
	Scripts/generate-reference "$$($(SWIFT) build --show-bin-path)/saver" > Documentation/CommandLine.md

fixtures: ## Makes stores of today's format for the tests of later versions; once for each format.
	$(SWIFT) build --product saver
	Scripts/make-fixtures "$$($(SWIFT) build --show-bin-path)/saver" Tests/Fixtures

clean: ## Removes what was built.
	rm -rf .build Examples/.build Benchmarks/.build Fuzzing/.build

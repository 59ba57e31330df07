# Everything a person types. `make bench` and `make test` need Swift and SQLite's header alone; `make plot` Python as well.

PREFIX ?= $(HOME)/.local
SCENARIO ?= Scenarios/million.json
# What to plot: by default the newest result; of two or more, a comparison and a history are drawn.
RESULTS ?= $(shell ls -t Results/*.csv Results/*/*.csv 2>/dev/null | head -n 1)
# More arguments for the compiler, such as -Xswiftc -warnings-as-errors.
SWIFT_FLAGS ?=
# `make test SANITIZE=thread` or `SANITIZE=address`.
SANITIZE ?=

# How long `make fuzz` goes on with each reader, how many damaged store files it tries, and which: the seed decides.
FUZZ_SECONDS ?= 60
FUZZ_CASES ?= 10000
FUZZ_SEED ?= 1

SOURCES = Sources Tests Package.swift Peers/Sources Peers/Tests Peers/Package.swift

.PHONY: bench peers test-peers baseline instrument build docs pages test fuzz install plot plot-power lint format clean requirements

bench: build
	.build/release/bench run $(SCENARIO)

# The same over GRDB's drivers too, from a package of its own: SwiftPM fetches GRDB, which nothing else here needs.
peers: requirements
	swift build -c release --package-path Peers --product peer-bench $(SWIFT_FLAGS)
	Peers/.build/release/peer-bench run $(SCENARIO)

test-peers: requirements
	swift test --package-path Peers $(SWIFT_FLAGS)

build: requirements
	swift build -c release --product bench $(SWIFT_FLAGS)

# A sanitised build goes to a folder of its own, so that it and the plain one do not undo each other. Swift Testing runs
# every test; XCTest, which would only be started to find none, itself leaks under the address sanitizer.
test: requirements
ifeq ($(SANITIZE),)
	swift test $(SWIFT_FLAGS)
else ifneq ($(filter thread address,$(SANITIZE)),)
	SIMULATED_COMPARISONS=200 LSAN_OPTIONS=suppressions=$(CURDIR)/.ci/lsan.supp:print_suppressions=0 \
	swift test --scratch-path .build-$(SANITIZE) --sanitize=$(SANITIZE) --disable-xctest $(SWIFT_FLAGS)
else
	$(error SANITIZE is "$(SANITIZE)"; it can be thread or address)
endif

# The documentation of ManagedStore and BenchHarness, as one web site in .build/docs. Needs DocC, which Swift's toolchains have.
docs: requirements
	SWIFT_FLAGS="$(SWIFT_FLAGS)" .ci/docs

# Renews the tables of the manual that are made from the code: columns, keys of a scenario, options. Tests hold them.
pages: requirements
	RENEW_PAGES=1 swift test $(SWIFT_FLAGS) --filter "GeneratedPageTests|CommandPageTests"

# Needs libFuzzer, which Swift's toolchains for Linux have. `make fuzz FUZZ_SECONDS=0` tries store files alone.
fuzz: requirements
	FUZZ_SECONDS=$(FUZZ_SECONDS) FUZZ_CASES=$(FUZZ_CASES) FUZZ_SEED=$(FUZZ_SEED) SWIFT_FLAGS="$(SWIFT_FLAGS)" .ci/fuzz

# What .ci/run compares with. To be renewed, on a quiet machine, by a change that means to change the figures or the scenario.
baseline: build
	.build/release/bench run Scenarios/smoke.json --repetitions 8 --output Results/baseline/smoke.csv --force

# What the harness adds to what it measures: Results/instrument/known.*, by drivers whose work is known. On a quiet machine.
instrument: requirements
	swift build -c release --product bench-known $(SWIFT_FLAGS)
	.build/release/bench-known run instrument --output Results/instrument/known.csv --force
	.build/release/bench-known overhead Results/instrument/known.csv

install: build
	install -d "$(DESTDIR)$(PREFIX)/bin"
	install -m 755 .build/release/bench "$(DESTDIR)$(PREFIX)/bin/bench"

plot: .venv/ready .build/release/bench
	@test -n "$(RESULTS)" || { echo "make plot: no result in Results/ yet; run make bench, or say RESULTS=FILE.csv" >&2; exit 1; }
	.venv/bin/python plot.py $(RESULTS)

# Works out the figures that are drawn.
.build/release/bench:
	$(MAKE) build

# The curves of Results/instrument, from bench power's figures.
plot-power: .venv/ready
	.venv/bin/python plot.py --power Results/instrument/recorded.json
	.venv/bin/python plot.py --power Results/instrument/one-percent.json

.venv/ready: plot.py
	@command -v python3 >/dev/null || { echo "make plot: Python 3.9 or later is needed to draw, and for nothing else" >&2; exit 1; }
	python3 -m venv .venv
	.venv/bin/python -m pip install --quiet --disable-pip-version-check "matplotlib>=3.7"
	touch $@

lint:
	swift format lint --strict --recursive $(SOURCES)

format:
	swift format --in-place --recursive $(SOURCES)

clean:
	rm -rf .build .build-thread .build-address Peers/.build .venv

# Looks for SQLite's header as the build will, and installs it where that takes nobody's password.
requirements:
	@.ci/requirements

# The commands of the project. `make bench` and `make test` need only Swift and SQLite's header; `make plot` needs Python too, for the
# pictures that `bench report --pictures` does not make.

PREFIX ?= $(HOME)/.local
SCENARIO ?= Scenarios/million.json
# The results to plot, by default the newest; two or more give a comparison and a history.
RESULTS ?= $(shell ls -t Results/*.csv Results/*/*.csv 2>/dev/null | head -n 1)
# More arguments for the compiler, such as -Xswiftc -warnings-as-errors.
SWIFT_FLAGS ?=
# `make test SANITIZE=thread` or `SANITIZE=address`.
SANITIZE ?=
# `make test EVERY_TEST=1`: also the tests that take long, and further cases of others.
EVERY_TEST ?=
export EVERY_TEST
ifneq ($(filter-out 1,$(EVERY_TEST)),)
$(error EVERY_TEST is "$(EVERY_TEST)"; it can be 1)
endif
# `make test EVERY_SERVER=1`: the store also on three servers, and on one that refuses what other engines refuse.
EVERY_SERVER ?=
export EVERY_SERVER
ifneq ($(filter-out 1,$(EVERY_SERVER)),)
$(error EVERY_SERVER is "$(EVERY_SERVER)"; it can be 1)
endif

# The seconds of `make fuzz` for each reader, the numbers of its damaged store files and of the histories of each kind of
# store, and the seed of both.
FUZZ_SECONDS ?= 60
FUZZ_CASES ?= 10000
FUZZ_HISTORIES ?= 10000
FUZZ_SEED ?= 1

# For how long `make gate-study` begins runs.
STUDY_MINUTES ?= 60
# Which conditions it tries, such as +3% or none; all otherwise.
STUDY_CONDITIONS ?=
# The file in which its sittings add up.
STUDY_FILE ?= Results/gate/study.csv

# The same for `make gates`.
GATES_FILE ?= Results/gate/gates.csv

SOURCES = Sources Tests Package.swift Peers/Sources Peers/Tests Peers/Package.swift

.PHONY: bench peers test-peers baseline instrument gate-study gates c-loop build release docs pages test fuzz install plot plot-power lint format clean requirements requirements-peers

bench: build
	.build/release/bench run $(SCENARIO)

# The same with the drivers of GRDB and LMDB, from a separate package: SwiftPM fetches GRDB, and the system has LMDB. With
# BENCH_STORE=postgresql://HOST/DATABASE, the drivers of servers beside pgbench too.
peers: requirements-peers
	swift build -c release --package-path Peers --product peer-bench $(SWIFT_FLAGS)
	Peers/.build/release/peer-bench run $(SCENARIO)
ifneq ($(BENCH_STORE),)
	$(MAKE) build
	@Peers/pgbench/compare "$$BENCH_STORE"
endif

test-peers: requirements-peers
	swift test --package-path Peers $(SWIFT_FLAGS)

build: requirements
	swift build -c release --product bench $(SWIFT_FLAGS)

# A bench for machines without a Swift toolchain, with scenarios and completions, in .build/dist.
release: requirements
	SWIFT_FLAGS="$(SWIFT_FLAGS)" .ci/release

# A sanitised build has its own folder, so that it and the plain one do not replace each other. Swift Testing runs every
# test; XCTest would find none, and itself leaks under the address sanitizer.
test: requirements
ifeq ($(SANITIZE),)
	.ci/test swift test $(SWIFT_FLAGS)
else ifneq ($(filter thread address,$(SANITIZE)),)
	SANITIZE=$(SANITIZE) SIMULATED_COMPARISONS=200 LSAN_OPTIONS=suppressions=$(CURDIR)/.ci/lsan.supp:print_suppressions=0 \
	.ci/test swift test --scratch-path .build-$(SANITIZE) --sanitize=$(SANITIZE) --disable-xctest $(SWIFT_FLAGS)
else
	$(error SANITIZE is "$(SANITIZE)"; it can be thread or address)
endif

# Builds the documentation of ManagedStore and BenchHarness as one web site in .build/docs, with the toolchain's DocC.
docs: requirements
	SWIFT_FLAGS="$(SWIFT_FLAGS)" .ci/docs

# Renews what is generated: tables of columns, keys and options in the manual, Scenarios/schema.json, and the tables and
# pictures of the README and of Results. Tests compare them with the code and with the files of Results.
pages: requirements
	RENEW_PAGES=1 swift test $(SWIFT_FLAGS) --filter "GeneratedPageTests|CommandPageTests|CheatPageTests|PublishedTableTests"

# Needs libFuzzer, which Swift's toolchains for Linux have. `make fuzz FUZZ_SECONDS=0` tests only store files.
fuzz: requirements
	FUZZ_SECONDS=$(FUZZ_SECONDS) FUZZ_CASES=$(FUZZ_CASES) FUZZ_HISTORIES=$(FUZZ_HISTORIES) FUZZ_SEED=$(FUZZ_SEED) \
	SWIFT_FLAGS="$(SWIFT_FLAGS)" .ci/fuzz

# Records the baseline of .ci/run. Run it on a quiet machine, in a change that alters the figures or the scenario on purpose.
baseline: build
	.build/release/bench run Scenarios/smoke.json --repetitions 8 --output Results/baseline/smoke.csv --force

# Measures the overhead of the harness with drivers of known work: Results/instrument/known.*. Run it on a quiet machine.
instrument: requirements
	swift build -c release --product bench-known $(SWIFT_FLAGS)
	.build/release/bench-known run instrument --output Results/instrument/known.csv --force
	.build/release/bench-known overhead Results/instrument/known.csv
	.build/release/bench-known walk Results/instrument/walk.json

# Measures how often `bench ab` is right, with sides of which it is known what differs. Sittings add up in one file.
gate-study: requirements
	swift build -c release --product gate-study $(SWIFT_FLAGS)
	Tests/gate-study/relink .build/release gate-study 24
	mkdir -p $(dir $(STUDY_FILE))
	.build/release/gate-study run $(STUDY_MINUTES) $(STUDY_FILE) $(STUDY_CONDITIONS)
	.build/release/gate-study table $(STUDY_FILE)

# Measures how often `bench ab`, hyperfine, perf and pyperf are right about two programs; all four must be installed.
gates: build
	mkdir -p $(dir $(GATES_FILE))
	cc -O2 -Wall -Wextra -o .build/slowed Tests/gates/slowed.c
	python3 Tests/gates/gates.py --file $(GATES_FILE) run $(STUDY_MINUTES)
	python3 Tests/gates/gates.py --file $(GATES_FILE) table

# Runs the loop of the driver sqlite in C. The column cpu_ns of the CSV has the CPU time of the driver itself.
c-loop: build
	cc -O2 -Wall -Wextra -o .build/c-loop Tests/c-loop/loop.c -lsqlite3
	.build/c-loop 1000000 .build/c-loop.sqlite
	.build/release/bench run million --driver sqlite --repetitions 1 --output .build/c-loop.csv --force

install: build
	install -d "$(DESTDIR)$(PREFIX)/bin"
	install -m 755 .build/release/bench "$(DESTDIR)$(PREFIX)/bin/bench"

plot: .venv/ready .build/release/bench
	@test -n "$(RESULTS)" || { echo "make plot: no result in Results/ yet; run make bench, or give RESULTS=FILE.csv" >&2; exit 1; }
	.venv/bin/python plot.py $(RESULTS)

# Computes the figures of the pictures.
.build/release/bench:
	$(MAKE) build

# Draws the curves of Results/instrument from the figures of bench power.
plot-power: .venv/ready
	.venv/bin/python plot.py --power Results/instrument/recorded.json
	.venv/bin/python plot.py --power Results/instrument/one-percent.json

.venv/ready: plot.py
	@command -v python3 >/dev/null || { echo "make plot: Python 3.9 or later is missing; only make plot needs it" >&2; exit 1; }
	python3 -m venv .venv
	.venv/bin/python -m pip install --quiet --disable-pip-version-check "matplotlib>=3.7"
	touch $@

lint:
	swift format lint --strict --recursive $(SOURCES)

format:
	swift format --in-place --recursive $(SOURCES)

clean:
	rm -rf .build .build-ci .build-release .build-thread .build-address Peers/.build .venv

# Looks for SQLite's header as the build will, and installs it where that takes no password.
requirements:
	@.ci/requirements

# The same for Peers, which needs LMDB's header too.
requirements-peers:
	@.ci/requirements peers

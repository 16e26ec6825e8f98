# Juzhong. `make` alone lists what there is.
#
# OpenBench's contract: `make EXE=path` builds the engine there, and `path bench` ends with "<nodes> nodes <nps> nps".

CARGO  ?= cargo
OUTPUT := $(or $(CARGO_TARGET_DIR),target)
BINARY := $(OUTPUT)/release/juzhong
WINDOWS := x86_64-pc-windows-gnu

DEPTH ?= 5
ARGS  ?=

# .cargo/config.toml builds for x86-64-v3; flags in the environment take its place.
ifdef CPU
export RUSTFLAGS := -C target-cpu=$(CPU)
endif

.DEFAULT_GOAL := $(if $(EXE),build,help)
.PHONY: help build engine check lint test mates endings slow doc signature bench perft match tune book tables net windows check-windows dist clean

help: ## this list
	@echo "make TARGET [VARIABLE=value]"
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  %-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

build: ## build the engine; CPU=native|x86-64|x86-64-v3 picks a processor, EXE=path puts it there
	$(CARGO) build --release --locked
	@$(if $(EXE),install -D $(BINARY) $(EXE),echo "built $(BINARY)")

engine: ## build the engine alone, without matches, training and analysis: half the time to compile
	$(CARGO) build --release --locked --no-default-features
	@echo "built $(BINARY), the engine alone"

check: lint test doc signature ## everything that has to pass before a change goes in

lint: ## formatting and clippy, no warning allowed
	$(CARGO) fmt --check
	$(CARGO) clippy --locked --workspace --all-targets -- -D warnings
	$(CARGO) clippy --locked --no-default-features --bins -- -D warnings

test: ## unit, integration and documentation tests
	$(CARGO) test --locked --workspace

mates: ## the mate suite, 1 s and 10 s for each of 240 positions, and proofs of 500 mates, 10 s at most each: 40 minutes
	$(CARGO) test --locked --release --test search --test mate_proofs -- --ignored --nocapture

endings: ## 300 endings with known results, played out and scored: 40 minutes
	$(CARGO) test --locked --release --test endings -- --ignored --nocapture

slow: ## every test that takes minutes: mates, deep perft, long matches
	$(CARGO) test --locked --release -- --ignored

doc: ## the documentation of the source, in target/doc
	RUSTDOCFLAGS="-D warnings" $(CARGO) doc --locked --workspace --no-deps

# A change that alters the search writes its node sum here and into its commit message: "Bench: <nodes>".
signature: build ## the node sum of the bench, compared with .ci/signature
	@sum=$$($(BINARY) bench | awk 'END { print $$1 }'); want=$$(cat .ci/signature); \
	echo "signature $$sum, expected $$want"; test "$$sum" = "$$want"

bench: build ## nodes and speed over the fixed positions
	$(BINARY) bench $(ARGS)

perft: build ## count the moves from the opening position to DEPTH=5
	$(BINARY) perft $(DEPTH) $(ARGS)

# The engine of another commit, for `make match`: BASE is the last commit if there are changes, else the one before.
BASE      ?= $(shell git diff --quiet HEAD -- src Cargo.toml && echo HEAD~1 || echo HEAD)
BASELINE   = $(OUTPUT)/baseline/$(shell git rev-parse --short $(BASE))
TC        ?= 2+0.02
SPRT      ?= elo0=0 elo1=8
JOBS      ?= $(shell nproc)

$(OUTPUT)/baseline/%:
	rm -rf $@.tree && mkdir -p $@.tree
	git archive $* | tar -x -C $@.tree
	cd $@.tree && $(CARGO) build --release --locked --target-dir $(abspath $(OUTPUT))/baseline/target
	install $(OUTPUT)/baseline/target/release/juzhong $@ && rm -rf $@.tree

match: build ## this tree against BASE by SPRT; TC, SPRT, JOBS, ARGS change it; ends with a line for the commit
	@$(MAKE) --no-print-directory $(BASELINE)
	$(BINARY) match --engine cmd=$(BINARY) name=new option.usebook=false \
	  --engine cmd=$(BASELINE) name=$(notdir $(BASELINE)) option.usebook=false --tc $(TC) \
	  --openings engine-tests/data/openings.fen --order random --seed $$(date +%s) --concurrency $(JOBS) \
	  --sprt $(SPRT) $(ARGS)

# SPSA on the numbers of the search, at fixed nodes; ARGS adds to the command, as `--knob lmr_base=700:0:1500:40`.
TUNE_DIR    = $(OUTPUT)/tune
KNOBS      ?= all
TUNE_GAMES ?= 20000

tune: ## better numbers for the search by SPSA: KNOBS=all TUNE_GAMES=20000; goes on where it was interrupted
	$(CARGO) build --release --locked --features tune --target-dir $(TUNE_DIR)
	$(TUNE_DIR)/release/juzhong tune --knobs $(KNOBS) --nodes 3000 --games $(TUNE_GAMES) --concurrency $(JOBS) \
	  --engine cmd=$(TUNE_DIR)/release/juzhong option.usebook=false option.hashsize=8 \
	  --openings engine-tests/data/openings.fen --state $(TUNE_DIR)/tune.json --plot $(TUNE_DIR)/tune.svg --resume $(ARGS)

# The recipe of the book that is part of the program; book/README.md explains it.
BOOK ?= --plies 30 --min-games 5 --nodes 30000 --margin 120 --trust 100

book: build ## make the opening book anew from a file of GAMES=path
	$(BINARY) book build $(GAMES) --out book/juzhong.book $(BOOK)
	$(BINARY) book verify book/juzhong.book

tables: build ## solve the endings and make their exact tables anew: two minutes on two cores
	$(BINARY) endgames build src/engine/endgame/juzhong.endgames
	$(BINARY) endgames verify src/engine/endgame/juzhong.endgames

# Everything that a network takes, on a small scale: games, their statistics, training, a short match against the
# network of the program.
NET_DIR   ?= $(OUTPUT)/net
NET_GAMES ?= 2000

net: build ## make a small network from scratch in target/net: NET_GAMES=2000 games, training, a match
	mkdir -p $(NET_DIR)
	$(BINARY) datagen $(NET_DIR)/a.games --games $(NET_GAMES) --nodes 500 --resume
	$(BINARY) data stats $(NET_DIR)/a.games --plot $(NET_DIR)/games.svg
	$(BINARY) train $(NET_DIR)/a.games --out $(NET_DIR)/a.net --epochs 20 --plot $(NET_DIR)/loss.svg \
	  --checkpoint $(NET_DIR)/a.checkpoint --resume
	$(BINARY) match --engine cmd=$(BINARY) name=small option.EvalFile=$(NET_DIR)/a.net option.usebook=false \
	  --engine cmd=$(BINARY) name=embedded option.usebook=false --nodes 2000 --games 100 --concurrency $(JOBS) \
	  --openings engine-tests/data/openings.fen --order random

windows: ## build juzhong.exe with rustup's target, or else with Debian's packages, and say what is missing
	dist/cargo-windows $(WINDOWS) build --release --locked
	@echo "built $(OUTPUT)/$(WINDOWS)/release/juzhong.exe"

check-windows: ## the suites that meet the system, compiled for Windows and run under wine: 20 minutes
	dist/check-windows

dist: ## the archives of a release for Linux and Windows, in target/dist: 20 minutes
	dist/make

clean: ## remove everything built
	$(CARGO) clean

# The one entry to everything a person or a machine does with this repository.
# `make help` lists the targets.

SHELL := /bin/sh
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
MAKEFLAGS += --no-print-directory

# Versions of the Go tools are pinned in tools/go.mod.
BUF_VERSION := 1.75.0
BENCH_PATTERN ?= .
FUZZ_SECONDS ?= 10
HUNT_SECONDS ?= 600
MODEL_INPUTS ?= 1000000
DEMO_ARGS ?=

BIN := $(CURDIR)/.tmp/bin
TOOLS := $(BIN)/tools-installed
BUF := $(BIN)/buf-$(BUF_VERSION)

.PHONY: help
help: ## list the targets
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / { printf "make %-16s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.PHONY: demo
demo: build ## start the whole chain, run order flow through it, print the result
	@bin/tollgate demo $(DEMO_ARGS)

.PHONY: build
build: ## build bin/tollgate
	@go build -buildvcs=auto -o bin/tollgate ./services/tollgate

# The plain tests come last: the closing lines of `go test` are the verdict.
.PHONY: test
test: ## everything continuous integration runs
	@tools/step "go build" go build ./...
	@$(MAKE) build lint check-generate race bench-once test-arm64 test-model unit

.PHONY: unit
unit: ## the plain tests, once, without the cache
	@tools/step "tests" go test -count=1 -timeout 10m ./...

.PHONY: race
race: ## the tests under the race detector; long ones shorten themselves
	@command -v gcc >/dev/null || tools/install-debian gcc libc6-dev
	@tools/step "tests with the race detector" env CGO_ENABLED=1 go test -race -short -timeout 10m ./...

# Where the naive model and the engine part, the seed of the life in which they did is printed and repeats it alone.
.PHONY: test-model
test-model: ## MODEL_INPUTS random inputs, with a fresh seed, to the engine and to its naive model
	@tools/step "$(MODEL_INPUTS) random inputs against the naive model" tools/test-model $(MODEL_INPUTS)

# Tests that find nothing prove little, unless it is known what they would find.
.PHONY: test-mutation
test-mutation: ## plant bugs in the engine, one at a time; its tests must catch each of them
	@tools/step "planted bugs" nice go test -tags mutation -count=1 -v -run '^TestMutants$$' -timeout 60m ./riskcheck

# The engine must decide the same everywhere: what one architecture has recorded is
# replayed on another, which an emulator stands in for.
.PHONY: test-arm64
test-arm64: ## replay a recorded day on an emulated arm64 and compare the engine's states
	@command -v qemu-aarch64 >/dev/null || tools/install-debian qemu-user
	@tools/step "the same engine on arm64" tools/test-arm64

.PHONY: lint
lint: $(TOOLS) $(BUF) ## go.mod, vet, gofumpt, staticcheck, buf lint and breaking, house rules
	@tools/step "go.mod is tidy" go mod tidy -diff
	@tools/step "go vet" go vet ./...
	@tools/step "gofumpt" tools/check-format $(BIN)/gofumpt
	@tools/step "staticcheck" $(BIN)/staticcheck ./...
	@tools/step "buf lint" $(BUF) lint
	@tools/step "buf breaking" $(BUF) breaking --against proto/baseline.binpb
	@tools/step "house rules" go test -count=1 ./internal/repolint

.PHONY: format
format: $(TOOLS) ## rewrite all Go files the way lint wants them
	@$(BIN)/gofumpt -l -w .

.PHONY: generate
generate: $(TOOLS) $(BUF) ## regenerate everything that is generated
	@tools/step "go generate" go generate ./...
	@tools/step "buf generate" $(BUF) generate

# A copy is regenerated and compared, so that the check changes nothing.
.PHONY: check-generate
check-generate: $(TOOLS) $(BUF) ## fail if generated files are not what generate makes
	@tools/step "generated files" tools/check-generate

.PHONY: baseline
baseline: $(BUF) ## record proto/ as what buf breaking compares with, at a release
	@$(BUF) build -o proto/baseline.binpb

.PHONY: bench
bench: ## run the benchmarks; BENCH_PATTERN picks some
	@go test -run '^$$' -bench '$(BENCH_PATTERN)' -benchmem ./...

.PHONY: bench-once
bench-once: ## run every benchmark for one iteration, so that none rots
	@tools/step "benchmarks, once" go test -run '^$$' -bench . -benchtime 1x -timeout 10m ./...

.PHONY: fuzz
fuzz: ## run every fuzz target for FUZZ_SECONDS
	@tools/fuzz $(FUZZ_SECONDS)

.PHONY: hunt
hunt: ## run the tests with fresh seeds for HUNT_SECONDS, until one fails
	@tools/hunt $(HUNT_SECONDS)

.PHONY: clean
clean: ## remove what was built, and the installed tools
	@rm -rf bin .tmp

$(TOOLS): tools/go.mod tools/go.sum
	@tools/step "tools" env GOBIN=$(BIN) go install -C tools tool
	@touch $@

$(BUF):
	@tools/step "buf $(BUF_VERSION)" tools/install-buf $(BUF_VERSION) $@

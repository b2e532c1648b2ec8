# Everything runs from here; `make` alone lists the targets.

PLAYGROUND := internal/gateway/playground/dist/index.html
# Go's own limit is 10 minutes for each package, which a busy machine under the race detector exceeds.
TEST_TIMEOUT := 40m
EXAMPLES   := $(sort $(patsubst examples/%/data.jsonl,%,$(wildcard examples/*/data.jsonl)))
GOLANGCI   := github.com/golangci/golangci-lint/v2/cmd/golangci-lint@v2.15.0
GORELEASER := github.com/goreleaser/goreleaser/v2@v2.15.1

.DEFAULT_GOAL := help

.PHONY: help
help: ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-11s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

.PHONY: run
run: check-example build ## Serve the shop on localhost:8080 with demo data, or an example: EXAMPLE=billing (installs what it needs)
	bin/partita serve $(if $(EXAMPLE),examples/$(EXAMPLE))

.PHONY: check-example
check-example:
	@test -z "$(EXAMPLE)" || test -f "examples/$(EXAMPLE)/data.jsonl" || \
		{ echo "There is no example $(EXAMPLE). Set EXAMPLE to one of: $(EXAMPLES)" >&2; exit 1; }

.PHONY: build
build: check-tools ## Write bin/partita
	@$(MAKE) --no-print-directory -j2 $(PLAYGROUND) compile
	@scripts/engine.sh
	go build -o bin/ .

# All but main, which embeds the playground; meanwhile npm works.
.PHONY: compile
compile:
	@go build ./loaders ./table ./graph ./internal/gen/directives

.PHONY: install
install: check-tools node_modules/.package-lock.json ## Install the npm side: local engine, playground
	@scripts/engine.sh

.PHONY: check-tools
check-tools:
	@command -v go >/dev/null || { echo "Go is missing: install Go 1.26 or newer, https://go.dev/dl" >&2; exit 1; }
	@command -v npm >/dev/null || { echo "Node.js is missing: install Node.js 20 or newer with npm, https://nodejs.org" >&2; exit 1; }

node_modules/.package-lock.json: package-lock.json
	npm ci --no-audit --no-fund --loglevel=error
	@touch $@

# The clients of the end-to-end tests have a project of their own, so that `make run` does not install them.
e2e/node_modules/.package-lock.json: e2e/package-lock.json
	npm ci --prefix e2e --no-audit --no-fund --loglevel=error
	@touch $@

$(PLAYGROUND): node_modules/.package-lock.json $(wildcard internal/gateway/playground/src/* internal/gateway/playground/src/*/*) internal/gateway/playground/build.mjs
	npm run --silent build:playground

# The tests in browsers mostly wait, so they run beside those of Go, and before them where both want the CPU: somebody waits
# for a page there. All of them run to their end, whichever fails.
.PHONY: test
test: build e2e/node_modules/.package-lock.json browser valkey ## Run all tests (installs what they need)
	@$(MAKE) --no-print-directory --jobs=2 --keep-going --output-sync=target test-go test-e2e

# `make lint` has all checks of go vet. The Go toolchain, which the tests of the generator run hundreds of times, needs a
# fifth less CPU with fewer collections.
.PHONY: test-go
test-go: export GOGC := 400
test-go:
	nice go test -p=3 -vet=off -timeout=$(TEST_TIMEOUT) ./...

.PHONY: test-e2e
test-e2e:
	node e2e/run.mjs

# The packages whose tests depend on package soak, and the random writes of other libraries.
.PHONY: soak
soak: FAULTS = AmongFaults|AfterFaults|FaultsLeave|Crowds|Lost|AnswersAboutWrites|RandomMutations|TestChanges
soak: export SOAK ?= 20
soak: export SOAK_SEED ?= $(shell date +%Y%m%d)
soak: build e2e/node_modules/.package-lock.json valkey ## Run the tests with kills and random cases 20 times as long; SOAK=20, SOAK_SEED=20260131
	@echo "SOAK=$(SOAK) SOAK_SEED=$(SOAK_SEED)"
	go test -vet=off -count=1 -timeout=6h $$(go list -test -f '{{if eq .Name "main"}}{{.ImportPath}} {{.Deps}}{{end}}' ./... | \
		sed -n 's|\.test \[.*/internal/soak .*||p')
# Those with faults once more, on tables whose partition keys take little, and whose indexes are late.
	PRESSURE=100,50ms go test -vet=off -count=1 -timeout=6h -run '$(FAULTS)' \
		./examples ./internal/migrate/follow ./internal/migratetest/crowd ./internal/shop/crowd ./loaders ./resolvers ./write
	node e2e/run.mjs e2e/writers/*.test.mjs

.PHONY: defects
defects: build e2e/node_modules/.package-lock.json browser ## Break the gateway on purpose, and see the end-to-end tests fail; DEFECTS=part of a name
	node e2e/defects/run.mjs $(if $(DEFECTS),'$(DEFECTS)')

.PHONY: storefront
storefront: build e2e/node_modules/.package-lock.json ## Serve the storefront on localhost:3000; `make run` in another terminal serves what it asks
	@node e2e/storefront/serve.mjs

.PHONY: screenshots
screenshots: build e2e/node_modules/.package-lock.json browser ## Take the screenshots of the documentation
	node e2e/screenshots.mjs

.PHONY: browser
browser:
	@scripts/browser.sh

.PHONY: valkey
valkey:
	@scripts/valkey.sh

.PHONY: race
race: install valkey ## Run the Go tests under the race detector
	go test -race -timeout=$(TEST_TIMEOUT) ./...

.PHONY: generate
generate: ## Write what follows from the schema: keys, models, executor, read resolvers, docs
# go generate and go run would print an exit status below the findings.
	@go tool partitagen -docs docs/reference/access-patterns.md
	@cd internal/testservice && go tool partitagen -docs ""
	go generate ./...

.PHONY: schema-diff
schema-diff: check-rev build ## Compare the shop's API, and what the storefront's operations cost, with a git revision: REV=main
	@bin/partita diff --base='$(REV)' --operations='e2e/storefront/src/**/*.ts' \
		--operations='e2e/storefront/src/**/*.tsx' $(DIFF)

.PHONY: check-rev
check-rev:
	@test -n "$(REV)" || { echo "Name the revision to compare with: make schema-diff REV=main" >&2; exit 1; }

.PHONY: bench
bench: build ## Compare what operations cost with what one would write instead; about 15 minutes
	go build -o bin/bench ./bench
	bin/bench $(BENCH)

.PHONY: microbench
microbench: install ## Run the benchmarks of packages
	go test -run '^$$' -bench . -benchmem ./...

.PHONY: cross
cross: check-tools $(PLAYGROUND) ## Build and vet for Linux, macOS and Windows on both architectures; minutes the first time
	@scripts/cross.sh

.PHONY: image
image: ARCH ?= amd64 arm64
image: check-tools $(PLAYGROUND) ## Write an OCI image into bin/image, without a container engine; SCHEMA=folder, ARCH=arm64
	for arch in $(ARCH); do \
		CGO_ENABLED=0 GOOS=linux GOARCH=$$arch go build -trimpath -buildvcs=true -ldflags='-s -w' -o bin/linux-$$arch . || exit; \
	done
	go run ./deploy/image -output bin/image $(if $(SCHEMA),-schema '$(SCHEMA)') $(ARCH:%=bin/linux-%)

.PHONY: image-test
image-test: ARCH := $(shell go env GOARCH)
image-test: install image ## Run the program in the root of the image, as root
	go test -tags=image -count=1 ./deploy/image

# What is not for this machine only takes time; RELEASE=--single-target leaves it out.
.PHONY: snapshot
snapshot: check-tools $(PLAYGROUND) ## Write the archives of a release into bin/release; minutes the first time
	go run $(GORELEASER) $(if $(RELEASE),build,release) --snapshot --clean --timeout=2h $(RELEASE)
	$(if $(RELEASE),,scripts/release-check.sh bin/release)

.PHONY: conformance
conformance: install ## Compare the local engine with DynamoDB by a public suite, which is cloned
	@mkdir -p .cache && node scripts/conformance.mjs

.PHONY: templates
templates: build ## Check the CloudFormation templates with cfn-lint
	@scripts/templates.sh

.PHONY: lint
lint: ## Run golangci-lint
	go run $(GOLANGCI) run

# `make help` lists what there is. `make demo` and `make test` are all a newcomer needs.
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:

GO      ?= go
DIST    := dist
BIN     := bin
NATIVE  := $(shell $(GO) env GOARCH)
STATIC  := CGO_ENABLED=0
LDFLAGS := -s -w
INTEGRATION := ./localstack ./localstack/integration ./localstack/taskrunner ./localstack/terraform
GOFILES := $(shell find internal lambda worker localstack -name '*.go' -not -name '*_test.go' 2>/dev/null) go.mod go.sum

export PATH := $(CURDIR)/$(BIN):$(PATH)

##@ Start here

.PHONY: demo
demo: setup build image-if-docker ## Run the whole loop on this machine: 200 jobs, from zero tasks and back
	$(BIN)/demo $(DEMO_FLAGS)

.PHONY: test
test: setup vet test-unit test-integration ## Pass all tests, unit and integration

.PHONY: setup
setup: ## Find or install what the tests and the demo need
	@tools/setup.sh

##@ Tests

.PHONY: test-unit
test-unit: ## Tests that need no other program, with the race detector
	$(GO) test -race -timeout 5m ./...

.PHONY: test-terraform
test-terraform: setup ## The module's own tests and its examples, offline (part of test-integration)
	$(GO) test -tags integration -count=1 -run 'TestModule|TestExamples' -v ./localstack/terraform

.PHONY: test-integration
test-integration: setup build ## Real Terraform, the real Lambda binary and real workers on the local cloud
	$(GO) test -tags integration -timeout 15m -count=1 $(INTEGRATION)

.PHONY: vet
vet: ## go vet, with and without the integration tests
	$(GO) vet ./...
	$(GO) vet -tags integration ./...

.PHONY: lint
lint: $(BIN)/golangci-lint ## Every linter, the package arrows among them, and terraform fmt
	$(BIN)/golangci-lint run ./...
	$$(command -v terraform || command -v tofu) fmt -check -recursive terraform

$(BIN)/golangci-lint: tools/go.mod
	cd tools && $(GO) build -o ../$@ github.com/golangci/golangci-lint/v2/cmd/golangci-lint

.PHONY: fuzz
fuzz: ## Fuzz the control law and the workload document (FUZZTIME=30s each)
	$(GO) test -run '^$$' -fuzz FuzzDecide -fuzztime $(or $(FUZZTIME),30s) ./internal/policy
	$(GO) test -run '^$$' -fuzz FuzzParse -fuzztime $(or $(FUZZTIME),30s) ./internal/workload

##@ Benchmarks (ratios to a floor and to peers in the same run)

.PHONY: bench-pool
bench-pool: ## The pool against a bare channel and other pools; fails behind either
	cd bench/pool && $(GO) run .

.PHONY: bench-worker
bench-worker: ## Messages a second and CPU per message against the SDK floor
	$(GO) test -run '^$$' -bench Throughput -benchtime 20000x ./worker

.PHONY: bench-scaler
bench-scaler: setup ## One tick over 100 workloads: time and calls, over HTTP and on the local cloud
	$(GO) test -tags integration -run '^$$' -bench . -benchtime 20x ./lambda/scaler

.PHONY: test-peers
test-peers: ## Check the simulator's peers against the real Knative and Kubernetes code (builds for minutes)
	cd bench/peers/knative && $(GO) test ./...
	cd bench/peers/kubernetes && $(GO) test ./...

.PHONY: bench-sim
bench-sim: ## A week of a million messages through the simulator
	$(GO) test -run '^$$' -bench . ./internal/sim

##@ Build

.PHONY: build
build: dist $(DIST)/job $(BIN)/demo ## Build everything into dist/ and bin/

.PHONY: dist
dist: $(DIST)/worker $(DIST)/scaler-arm64.zip $(DIST)/scaler-x86_64.zip ## Build what is deployed: the worker and the scaler's zips

$(DIST)/worker: $(GOFILES)
	$(STATIC) $(GO) build -trimpath -ldflags '$(LDFLAGS)' -o $@ ./worker/cmd/worker

$(DIST)/job: localstack/cmd/job/main.go
	$(STATIC) $(GO) build -trimpath -ldflags '$(LDFLAGS)' -o $@ ./localstack/cmd/job

$(BIN)/demo: $(GOFILES)
	$(GO) build -o $@ ./localstack/cmd/demo

$(DIST)/scaler-%.zip: $(GOFILES)
	mkdir -p $(DIST)/$*
	$(STATIC) GOOS=linux GOARCH=$(if $(filter x86_64,$*),amd64,$*) $(GO) build -trimpath -tags lambda.norpc -ldflags '$(LDFLAGS)' -o $(DIST)/$*/bootstrap ./lambda/scaler/cmd/bootstrap
	$(GO) run github.com/aws/aws-lambda-go/cmd/build-lambda-zip -o $@ $(DIST)/$*/bootstrap

.PHONY: docker-context
docker-context: $(DIST)/worker $(DIST)/job ## Gather what goes into the images in dist/docker
	mkdir -p $(DIST)/docker
	cp $(DIST)/worker $(DIST)/job $(DIST)/docker/
	cp "$$(ls /etc/ssl/certs/ca-certificates.crt /etc/pki/tls/certs/ca-bundle.crt /etc/ssl/cert.pem 2>/dev/null | head -n 1)" $(DIST)/docker/ca-certificates.crt

.PHONY: image
image: docker-context ## Build the worker's image and the demo's, where Docker runs
	docker build --quiet -t rouse-worker -f worker/Dockerfile $(DIST)/docker
	docker build --quiet -t rouse-demo -f localstack/cmd/job/Dockerfile $(DIST)/docker

# For the demo: images where an engine runs, processes elsewhere.
.PHONY: image-if-docker
image-if-docker:
	@if docker version >/dev/null 2>&1; then $(MAKE) --no-print-directory image; else echo "no Docker here: workers will run as processes"; fi

.PHONY: clean
clean: ## Remove what was built
	rm -rf $(DIST) $(BIN)

##@ Help

.PHONY: help
help: ## Show this
	@awk 'BEGIN {FS = ":.*## "} /^##@/ {printf "\n%s\n", substr($$0, 5)} /^[a-zA-Z_-]+:.*## / {printf "  %-18s %s\n", $$1, $$2}' Makefile

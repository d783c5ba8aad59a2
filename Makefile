# This file has all commands for developers. `make test` runs every check that must pass. Each step of `make test` is
# also a target of its own.
GO       ?= go
FUZZTIME ?= 60s
BROWSER  := build/browser
WASM_ENV := env -i PATH="$$PATH" HOME="$$HOME" GOOS=js GOARCH=wasm
# Node.js rejects a large environment, so tests in Node.js get only the variables that they need.
KEEP_ENV  = $(foreach v,GOGC GOPATH GOCACHE GOMODCACHE GOPROXY GOSUMDB GONOSUMDB GOFLAGS GOTOOLCHAIN TMPDIR BACKFILL_REFERENCE,$(if $(value $(v)),$(v)="$$$(v)"))
# In tests, checks and studies, the garbage collector runs less often, which cuts their time by a quarter.
lint test-short test-native test-golden test-race test-wasm studies claims: export GOGC = 400
# With -trimpath, all steps share the compiled packages in Go's build cache, even across clones of the repository.
export GOFLAGS += -trimpath
STEP      = @printf '\n== %s\n'

.PHONY: run site native check test bench fuzz soak studies claims race house generate lint prerequisites chromium firefox generated cluster python test-short test-native test-race test-golden test-wasm budget test-browser test-late test-smoke test-firefox labbuild unpacked

run: ## build what is missing and serve the page on this machine
	@$(GO) run ./build serve -quick

site: $(BROWSER)/node_modules/.package-lock.json ## write the static site to build/site, and a zip of it
	@$(GO) run ./build site
	@echo "the site is in build/site; the zip file to hand out is build/backfill-lab-*.zip"

native: ## put the command in build/bin/backfill
	@mkdir -p build/bin
	$(GO) build -buildvcs=false -o build/bin/backfill ./core/cmd/backfill

generate: ## write the Go code of the .vugu files
	@$(GO) run ./build generate

# These quick checks take a few minutes. They run the randomized tests in their short form, and open
# the page once in each browser.
check: prerequisites chromium firefox generated lint test-short test-golden test-smoke ## the quick part of make test
	$(STEP) "the quick checks passed"

# The steps that test Go code run two at a time, because some steps end with a long test that keeps
# only one processor core busy. Some Go tests use the npm packages.
test: prerequisites chromium firefox generated lint $(BROWSER)/node_modules/.package-lock.json
	@$(MAKE) --no-print-directory -j2 budget test-native test-race test-wasm
	@$(MAKE) --no-print-directory test-browser
	$(STEP) "all checks passed"

prerequisites:
	$(STEP) "prerequisites"
	@missing=0; \
	need() { command -v "$$1" >/dev/null 2>&1 || { echo "$$1 is missing: $$2"; missing=1; }; }; \
	need $(GO) "install Go 1.26 or newer from https://go.dev/dl/"; \
	need node "install Node.js 20.19 or newer from https://nodejs.org/"; \
	need npm "it comes with Node.js, on Debian as the package npm"; \
	[ $$missing = 0 ] || exit 1; \
	node -e 'const [a, b] = process.versions.node.split("."); if (a * 100 + +b < 2019) { console.log("node " + process.version + " is too old: install 20.19 or newer from https://nodejs.org/"); process.exit(1) }'; \
	echo "$$($(GO) version), node $$(node --version)"

# On Debian and similar systems, make installs missing packages if it runs as root. With the package
# chromium-headless-shell, the browser tests take a fifth less time.
APT_GET = if command -v apt-get >/dev/null && [ "$$(id -u)" = 0 ]; then \
	  export DEBIAN_FRONTEND=noninteractive; \
	  { apt-get update -q && apt-get install -y -q --no-install-recommends

chromium:
	$(STEP) "a Chromium for the browser tests"
	@found() { [ -n "$$CHROMIUM" ] || command -v chromium || command -v chromium-browser || command -v google-chrome; }; \
	found && exit 0; \
	$(APT_GET) chromium fonts-dejavu-core; apt-get install -y -q chromium-headless-shell || true; } </dev/null; fi; \
	found || { echo "No Chromium: install the package chromium (or Google Chrome), or set CHROMIUM to its program."; exit 1; }

firefox:
	$(STEP) "a Firefox as the second engine"
	@found() { [ -n "$$FIREFOX" ] || command -v firefox || command -v firefox-esr; }; \
	found && exit 0; \
	$(APT_GET) firefox-esr; } </dev/null; fi; \
	found || echo "No Firefox: its test will be skipped. Install the package firefox-esr (or Firefox), or set FIREFOX to its program."

generated:
	$(STEP) "generated files are current"
	@$(GO) run ./build check-generated

# JS_ONLY lists the packages with files that are compiled only for the browser, or only for other platforms. So lint
# checks these packages for the browser too.
JS_ONLY := $(addprefix ./,$(sort $(dir $(shell grep -rlw '^//go:build.*js' --include=*.go core ui wasm))))

lint:
	$(STEP) "gofmt"
	@files="$$(gofmt -l build/*.go build/docs build/cluster core ui wasm)"; [ -z "$$files" ] || { echo "not formatted, run gofmt -w on:"; echo "$$files"; exit 1; }
	$(STEP) "vet"
	@$(GO) vet ./...
	@GOOS=js GOARCH=wasm $(GO) vet $(JS_ONLY)
	$(STEP) "staticcheck"
	@$(GO) build -buildvcs=false -o build/bin/staticcheck honnef.co/go/tools/cmd/staticcheck
	@build/bin/staticcheck ./...
	@GOOS=js GOARCH=wasm build/bin/staticcheck $(JS_ONLY)

test-short:
	$(STEP) "tests, native, short"
	@$(GO) test -short ./...

test-native:
	$(STEP) "tests, native"
	@$(GO) test -vet=off ./...

# These tests run as WebAssembly. They compare the schedule, metrics and log of every policy with recorded
# results, byte by byte. They also check that each template script gives the same start times as the
# built-in policy that it imitates.
test-golden:
	$(STEP) "the golden runs as WebAssembly under node"
	@$(WASM_ENV) $(KEEP_ENV) $(GO) test -vet=off -exec "$(NODE_EXEC)" -run 'TestBytes$$|TestGolden$$|TestTemplates$$' ./core/policy/registry ./core/policy/script/interp

# test-race runs the race detector on the packages that use goroutines or are called by several
# goroutines. `make race` runs it on all packages.
test-race:
	$(STEP) "tests under the race detector"
	@command -v "$$($(GO) env CC)" >/dev/null || { echo "Skipped: the tests under the race detector, which need a C compiler. Install gcc."; exit 0; }; \
	CGO_ENABLED=1 $(GO) test -vet=off -race -short ./core/log ./core/sim ./core/sweep ./ui/experiments ./ui/files ./ui/lessons ./ui/protocol ./ui/session ./ui/worker

# BYTE_TESTS lists the packages that compute with floating-point numbers or write files. `make test`
# also runs their tests as WebAssembly. `make soak` does so for all core packages that the page
# contains (PAGE_CORE).
NODE_EXEC  = $$($(GO) env GOROOT)/lib/wasm/go_js_wasm_exec
BYTE_TESTS := ./core/explain ./core/format ./core/gantt ./core/log ./core/metrics ./core/scenario ./core/stats ./core/sweep ./core/workload/...
PAGE_CORE  = $$($(GO) list ./core/... | grep -v -e /cmd/ -e /experiment -e /claims)

test-wasm: test-golden
	$(STEP) "tests of floating-point numbers and files, as WebAssembly under node"
	@$(WASM_ENV) $(KEEP_ENV) $(GO) test -vet=off -short -exec "$(NODE_EXEC)" $(BYTE_TESTS)

budget: $(BROWSER)/node_modules/.package-lock.json
	$(STEP) "size of the page"
	@$(GO) run ./build budget

$(BROWSER)/node_modules/.package-lock.json: $(BROWSER)/package-lock.json
	@cd $(BROWSER) && npm ci --no-audit --no-fund --ignore-scripts
	@touch $@

# FIND_PYTHON prints the first Python that has pandas: $PYTHON, the one on PATH, or the system's.
FIND_PYTHON = for p in "$$PYTHON" python3 /usr/bin/python3; do \
	  [ -n "$$p" ] && "$$p" -c 'import pandas' 2>/dev/null && { echo "$$p"; break; }; done
PYTHON_LAB := build/cache/python

python: native ## install the Python package into build/cache/python, and test it with its notebook
	$(STEP) "the Python package"
	@found() { p="$$($(FIND_PYTHON))"; [ -n "$$p" ]; }; \
	complete() { found && "$$p" -c 'import setuptools, wheel, pip, matplotlib, nbclient, ipykernel' 2>/dev/null; }; \
	complete || $(APT_GET) python3-pandas python3-matplotlib python3-nbclient python3-ipykernel python3-venv python3-pip python3-setuptools python3-wheel; } </dev/null; fi; \
	found || { echo "Skipped: the Python package. Install pandas (the package python3-pandas), or set PYTHON to a Python that has it."; exit 0; }; \
	rm -rf $(PYTHON_LAB); \
	if "$$p" -m venv --system-site-packages $(PYTHON_LAB) && $(PYTHON_LAB)/bin/python -m pip install -q --no-index --no-build-isolation --no-deps ./python; then \
	  p=$(PYTHON_LAB)/bin/python; echo "the package is installed in $(PYTHON_LAB)"; \
	else \
	  echo "Skipped: installing the package, which needs venv, pip, setuptools and wheel. The tests use the sources."; export PYTHONPATH=$(CURDIR)/python/src; \
	fi; \
	BACKFILL=$(CURDIR)/build/bin/backfill MPLBACKEND=Agg "$$p" -m unittest discover -s python/tests -v

# With --test-force-exit, node does not wait for servers or browsers that a failed test has left running.
NODE_TEST := LAB_BUILT=1 node --test --test-force-exit --test-timeout=900000 --test-reporter=spec

# These programs are built once for all browser tests.
labbuild: native
	@$(GO) build -buildvcs=false -o build/bin/labbuild ./build

# Most browser tests use a site whose program is not compressed, because its pages open faster.
unpacked: labbuild
	@build/bin/labbuild site -quick -out build/cache/unpacked

test-browser: budget unpacked
	$(STEP) "browser tests"
	@cd $(BROWSER) && LAB_BASELINE=1 $(NODE_TEST) --test-concurrency=3 $(notdir $(wildcard $(BROWSER)/*.test.mjs))

test-late: export LAB_LATE := 150
test-late: test-browser ## the browser tests with delayed messages and frames; a test fails if it does not wait for what it asserts

test-smoke: budget labbuild
	$(STEP) "a visit in each engine"
	@cd $(BROWSER) && LAB_BASELINE=1 $(NODE_TEST) --test-concurrency=2 smoke.test.mjs

# OWN_ENGINE lists test files that select their browsers themselves. REPEATED lists test files with
# tests that `make test` runs only in Chromium, and `make test-firefox` in Firefox too. Tests that need
# Chromium are skipped in Firefox, with the reason.
OWN_ENGINE := $(notdir $(shell grep -l 'describe.engine' $(BROWSER)/*.test.mjs))
REPEATED   := $(notdir $(shell grep -lE 'repeated(File)?\(engine\)' $(BROWSER)/*.test.mjs))

test-firefox: firefox budget unpacked ## the browser tests in Firefox, except those that make test runs
	$(STEP) "browser tests in Firefox"
	@cd $(BROWSER) && LAB_ENGINE=firefox $(NODE_TEST) --test-concurrency=2 $(filter-out $(OWN_ENGINE),$(notdir $(wildcard $(BROWSER)/*.test.mjs)))
	@cd $(BROWSER) && LAB_ALL=1 $(NODE_TEST) --test-concurrency=2 $(REPEATED)

# BOUNDED lists the test files of `make test` that also check time limits if LAB_BENCH is set.
BOUNDED := $(notdir $(shell grep -lE 'import .*\b(assertDuration|timesBounded)\b' $(BROWSER)/*.test.mjs))

# The benchmarks need an otherwise idle machine. They measure the native command, a worker in
# Chromium, and the page, one after another.
bench: prerequisites chromium firefox budget labbuild ## the benchmark tables, and the tests that limit times in the page
	@build/bin/backfill bench
	@build/bin/backfill bench -growth
	@cd $(BROWSER) && node bench.mjs
	$(STEP) "times of the page"
	@cd $(BROWSER) && LAB_BENCH=1 $(NODE_TEST) --test-concurrency=1 $(notdir $(wildcard $(BROWSER)/*.bench.mjs)) $(BOUNDED)

# If a system such as Slurm is not installed, make skips its tests and prints the reason.
cluster: ## sweeps on Slurm, GNU parallel, Dask, Kubernetes and Ray, where they can be installed
	$(STEP) "engines"
	@found() { command -v slurmctld && command -v munged && command -v parallel && /usr/bin/python3 -c 'import distributed'; } >/dev/null 2>&1; \
	found && exit 0; \
	$(APT_GET) slurm-wlm munge parallel python3-distributed; } </dev/null; fi; \
	found || echo "Not all of slurm-wlm, munge, parallel and python3-distributed are installed. Their tests are skipped."
	$(STEP) "sweeps on clusters"
	@BACKFILL_CLUSTER=1 $(GO) test -count=1 -v -timeout 30m ./build/cluster
	@cd build/cluster/kubernetes && $(GO) test -count=1 -v .

fuzz: ## every fuzz target for FUZZTIME (default 60s)
	@for p in $$($(GO) list ./...); do \
	  for f in $$($(GO) test -list '^Fuzz' $$p | grep '^Fuzz'); do \
	    echo "== $$p $$f"; $(GO) test -run '^$$' -fuzz "^$$f\$$" -fuzztime $(FUZZTIME) $$p || exit 1; \
	  done; \
	done

house: ## print code metrics of ui, wasm and build
	@$(GO) run ./build house

race: ## the native tests under the race detector, which needs a C compiler
	@CGO_ENABLED=1 $(GO) test -race ./...

soak: ## the long forms of the tests named Soak..., and the tests of the page's core packages as WebAssembly
	@BACKFILL_SOAK=100000 $(GO) test -count=1 -timeout 0 -run Soak ./...
	$(STEP) "all of the core's tests as WebAssembly under node"
	@$(WASM_ENV) $(KEEP_ENV) $(GO) test -timeout 0 -exec "$(NODE_EXEC)" $(PAGE_CORE)

studies: native ## every study on the reference traces, into public/studies
	@test -n "$$BACKFILL_REFERENCE" || { echo "BACKFILL_REFERENCE is not set: it names the folder with the traces"; exit 1; }
	@mkdir -p build/cache
	build/bin/backfill study all "$$BACKFILL_REFERENCE/traces" -out public/studies -cells build/cache/cells.jsonl

claims: studies ## every study, then the book of claims in docs/; prints what changed
	build/bin/backfill claims

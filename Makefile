# Eigenmap. `make help` lists what there is; `make run` goes from a fresh clone to clusters.

GO        ?= go
# Debian's interpreter: the peers' packages are Debian's.
PYTHON3   ?= python3
PYTHON    ?= $(firstword $(wildcard /usr/bin/python3) python3)
BIN       := bin/eigenmap
LIB       := lib
PREFIX    ?= /usr/local
DATA      ?= ../shared/data
OUT       ?= out
SEED      ?= 0
FUZZTIME  ?= 60s
FUZZJOBS  ?= 1
MUTANTS   ?= 100
MUTATEARGS ?=
RELIABILITY ?=
KILLS     ?= 40
KILLSEED  ?= 19
CASES     ?= 3000
DOCUMENTS ?= 12000
BENCH     ?= all
BENCHARGS ?=
SIZES     ?= 1000,3000,10000,30000,100000,300000
RUNARGS   ?=
TABLE     ?=
TABLEARGS ?=
TESTS     ?= 10
CANARIES  := Guarded|SpareWord|Copies|Conformance|ARPACK|QR|Suite|Near|Maps
# Of these the short form leaves out, of the native build, what solves TestSuite's kinds of pencils
# on other numbers, and of the pure-Go one the kernels, which are in the native build too.
REPEATED  := ^(TestNearMultiple|TestOneCountOfCopies)$$

VERSION   := $(shell .ci/version)
LDFLAGS   := -X github.com/eigenmap/eigenmap.Version=$(VERSION)
# The native program on Linux is position-independent, and its tables of addresses are read-only from
# the start. Without cgo it stays one static file, which needs no loader.
HARDEN    := -buildmode=pie
HARDLINK  := -linkmode=external -extldflags "-Wl,-z,relro,-z,now"

# The native build: OpenBLAS, LAPACK and ARPACK through cgo; `make build PUREGO=1` builds without them.
# The certificates are what Go needs to fetch modules.
NATIVE_PACKAGES := ca-certificates gcc libc6-dev libopenblas-dev liblapacke-dev libarpack2-dev
# The cross compiler for arm64, with its libraries.
ARM64_PACKAGES  := gcc-aarch64-linux-gnu libc6-dev-arm64-cross libopenblas-dev:arm64 liblapacke-dev:arm64 libarpack2-dev:arm64
SLEPC_PACKAGES  := libslepc-real-dev libopenmpi-dev openmpi-bin pkg-config
PEER_PACKAGES   := python3-sklearn python3-scipy python3-numba python3-venv python3-dev g++ gfortran
# What the tests of the C interface need beside gcc.
HOST_PACKAGES   := g++ gfortran pkg-config
# A BLAS with 64-bit integers, which a host may have beside ours; without it a test is skipped.
BLAS64_PACKAGES := libopenblas64-0
STATICCHECK     := honnef.co/go/tools/cmd/staticcheck@v0.7.0
GOVULNCHECK     := golang.org/x/vuln/cmd/govulncheck@v1.9.0

ifdef PUREGO
  FACE := CGO_ENABLED=0
  DEPS :=
else
  FACE := CGO_ENABLED=1
  DEPS := deps
endif
ifneq ($(FACE)$(shell uname -s),CGO_ENABLED=1Linux)
  HARDEN :=
  HARDLINK :=
endif
# Without cgo, code of native/start comes before the Go runtime, which lacks a message where ulimit -v
# leaves too little.
ifeq ($(FACE) $(shell $(GO) env GOOS GOARCH 2>/dev/null),CGO_ENABLED=0 linux amd64)
  HARDLINK := -E=eigenmap_entry
endif
PURE := CGO_ENABLED=0
# What tests link runs here only: without tables for debuggers it takes half the time.
lint test test-purego test-memory race: export GOFLAGS := $(strip $(filter-out -ldflags=-w,$(GOFLAGS)) -ldflags=-w)
GOTEST := GO='$(GO)' .ci/gotest
# The packages whose tests run the program, read files as a whole, fit methods, or solve thousands
# of pencils or matrices: of these the short tests are enough for a change.
PROGRAMS := /eigenmap$$|/cmd/|/corpus|/bench/papers$$|/methods/|/eigen$$|/native$$
# The packages whose code or arithmetic differs between the builds. The short tests of the pure-Go
# one run those of them that call the kernels or have other files there (PUREONES), tests of the
# pipeline, and the checks of every method in which arithmetic takes part; what resumes, what
# scikit-learn says and what TDT2 shows, the native build's tests know.
NUMERIC := /(eigen|methods|native|sparse|model)(/|$$)|/internal/(panel|vecmath|parallel|memory|cores)$$
# The packages in which the tag purego chooses other files: of these the short form looks at that build.
CHOOSES := {{.ImportPath}} {{.GoFiles}} {{.CgoFiles}} {{.SFiles}} {{.TestGoFiles}} {{.XTestGoFiles}}
PUREONES = $$({ { CGO_ENABLED=1 $(GO) list -f '$(CHOOSES)' ./...; $(PURE) $(GO) list -f '$(CHOOSES)' ./...; } | sort | uniq -u | cut -d' ' -f1; \
  $(PURE) $(GO) list -f '{{.ImportPath}} {{join .Imports " "}}' ./... | awk '/\/eigenmap\/native( |$$)/ {print $$1}'; } | sort -u | grep -E '$(NUMERIC)' | grep -v /methodtest)
CHOOSING = $$({ $(GO) list -f '$(CHOOSES)' ./...; $(GO) list -tags purego -f '$(CHOOSES)' ./...; } | sort | uniq -u | cut -d' ' -f1 | sort -u)
PIPELINE := Pipeline|Golden|RoundsOnce|TrainingDocuments|TestRanksDivide|TestEqualDocuments$$|TestChooseK$$|TestViews
ARITHMETIC := degenerate_input|scale|units|precision|yields|nested|threads|used|store_and_load|training_rows|training_clusters|certainty|rows_apart|company|frame

.DEFAULT_GOAL := help
.PHONY: help go install-go deps build deps-slepc build-slepc test-slepc install lib install-lib test-lib test-python test-r test-julia wheel test-wheel deps-arm64 release test-release bench-python run test test-purego test-docs test-long test-properties test-kills test-slurm test-nodes test-pbs test-images race test-memory fuzz faults reliability mutate lint vuln docs site bench bench-peers bench-programs bench-methods bench-scaling tables study study-labels table maps clean

help: ## This list
	@awk 'BEGIN {FS = ":.*## "} /^[a-z-]+:.*## / {printf "  make %-12s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

go:
	@.ci/go-version $(GO)

install-go: ## Install Debian's package of Go where there is none or an old one; on Debian 12 from its backports
	@.ci/install-go $(GO)

deps: go ## Install the apt packages that the native build needs; only what is missing
	@.ci/deps $(NATIVE_PACKAGES)

build: go $(DEPS) ## Build bin/eigenmap (PUREGO=1: without cgo and without any system library)
	$(FACE) $(GO) build -trimpath $(HARDEN) -ldflags '$(LDFLAGS) $(HARDLINK)' -o $(BIN) ./cmd/eigenmap

install: build ## Copy bin/eigenmap to PREFIX/bin (default /usr/local)
	install -d '$(DESTDIR)$(PREFIX)/bin'
	install -m 755 $(BIN) '$(DESTDIR)$(PREFIX)/bin/eigenmap'

deps-slepc: deps ## Install the apt packages of SLEPc, PETSc and Open MPI; only what is missing
	@.ci/deps $(SLEPC_PACKAGES)

build-slepc: deps-slepc ## Build bin/eigenmap-slepc, which runs under mpirun and has --solver slepc
	CGO_ENABLED=1 $(GO) build -trimpath -tags slepc $(HARDEN) -ldflags '$(LDFLAGS) $(HARDLINK)' -o $(BIN)-slepc ./cmd/eigenmap

test-slepc: build-slepc ## Compare 1, 2 and 4 ranks with one process (SHORT=1: 2 ranks, without corpora)
	BIN='$(CURDIR)/$(BIN)' DATA='$(abspath $(DATA))' GO='$(GO)' .ci/slepc $(if $(SHORT),--short)

lib: go $(DEPS) ## Build the C interface into lib/: libeigenmap.so, libeigenmap.a, eigenmap.h, eigenmap.pc (PUREGO=1: without BLAS)
	PREFIX='$(PREFIX)' VERSION='$(VERSION)' GO='$(GO)' .ci/lib $(if $(PUREGO),--purego) $(LIB)

install-lib: lib ## Copy the C interface to PREFIX/lib (with pkgconfig and cmake) and PREFIX/include
	install -d '$(DESTDIR)$(PREFIX)/lib/pkgconfig' '$(DESTDIR)$(PREFIX)/lib/cmake/eigenmap' '$(DESTDIR)$(PREFIX)/include'
	install -m 644 $(LIB)/libeigenmap*.so.0 $(LIB)/libeigenmap.a '$(DESTDIR)$(PREFIX)/lib'
	ln -sf libeigenmap.so.0 '$(DESTDIR)$(PREFIX)/lib/libeigenmap.so'
	install -m 644 $(LIB)/eigenmap.h '$(DESTDIR)$(PREFIX)/include'
	install -m 644 $(LIB)/eigenmap.pc '$(DESTDIR)$(PREFIX)/lib/pkgconfig'
	install -m 644 $(LIB)/eigenmap-config*.cmake '$(DESTDIR)$(PREFIX)/lib/cmake/eigenmap'

test-lib: lib ## Test the C interface from C, C++ and Fortran, and for leaks by the address sanitizer
	@.ci/deps $(HOST_PACKAGES)
	@.ci/deps $(BLAS64_PACKAGES) || echo "the C library is not tested beside another BLAS"
	CGO_ENABLED=1 EIGENMAP_LIB='$(abspath $(LIB))' EIGENMAP_ASAN=1 $(GO) test -count=1 -v ./capi

test-python: lib ## Build the wheel, install it into a fresh environment and run its tests (SHORT=1: the short ones)
	GO='$(GO)' PYTHON='$(PYTHON3)' EIGENMAP_LIBRARY='$(abspath $(LIB))/libeigenmap.so.0' .ci/python $(if $(SHORT),--short)

test-r: lib ## R CMD check of the R package in r/ (R with Matrix; a minute)
	@.ci/r '$(LIB)'

test-julia: lib ## Run the program of docs/julia.md (julia, or as root Debian 11's in a Debian of its own)
	@.ci/deps debootstrap || true
	@.ci/julia '$(LIB)'

wheel: lib ## Build dist/eigenmap-*-manylinux_*.whl, which needs no Go, no compiler and no library where it is installed
	GO='$(GO)' PYTHON='$(PYTHON3)' .ci/wheel '$(LIB)/libeigenmap.so.0' dist

test-wheel: wheel ## Install the wheel in a bare Debian that debootstrap makes, and run its tests there (minutes)
	@.ci/deps debootstrap || true
	.ci/bare dist/eigenmap-*.whl

deps-arm64: ## Install the cross compiler and the libraries with which make release builds for Linux on arm64
	@.ci/deps --architecture arm64 $(ARM64_PACKAGES)

release: go $(DEPS) ## Build what a release has into dist/, the same bytes for one commit: archives, .deb, wheels, SBOM, checksums (minutes; TARGETS= for Linux on amd64 alone)
	@.ci/deps dpkg-dev zip
	GO='$(GO)' PYTHON='$(PYTHON3)' .ci/release dist

test-release: $(if $(wildcard dist/SHA256SUMS),,release) ## make release once more, compared with dist/; lintian; the .deb, Linux's archives and the wheels in a bare Debian, those for arm64 by qemu (many minutes)
	@.ci/deps debootstrap lintian || true
	GO='$(GO)' PYTHON='$(PYTHON3)' .ci/release '$(OUT)/release'
	@diff -r dist '$(OUT)/release' || { echo "dist/ is not what this commit gives: of another commit (rm -r dist), or the bytes differ" >&2; exit 1; }
	@echo "both releases have the same bytes"
	lintian --fail-on warning dist/*.deb
	.ci/bare dist/*_x86_64.whl dist/*.deb dist/*-linux-*.tar.gz $$(ls dist/*_aarch64.whl 2>/dev/null)

bench-python: lib ## Our estimators beside scikit-learn's from Python, in OUT/python (BENCHARGS=--quick)
	EIGENMAP_LIBRARY='$(abspath $(LIB))/libeigenmap.so.0' PYTHONPATH=python $(PYTHON3) bench/python/estimators.py --out '$(OUT)/python' $(BENCHARGS)

run: build ## Cluster the shipped corpus of package descriptions; the report is out/debian/report.html
	$(BIN) cluster examples/debian/packages.jsonl.gz -k 12 --out $(OUT)/debian $(RUNARGS)

test: deps ## Test the native build, then the pure-Go build, some 40 minutes on two cores (SHORT=1, some 12: the short tests of whole programs and of the latter, there without the program; capi is left to test-lib)
	@echo "All tests, $(if $(SHORT),the long ones of whole programs left out: some 12 minutes,native and then pure Go: some 40 minutes) on two cores; each package is named when it ends."
ifdef SHORT
	CGO_ENABLED=1 EIGENMAP_REPORT=small $(GOTEST) -timeout 30m $$($(GO) list ./... | grep -vE '$(PROGRAMS)|/capi$$')
	CGO_ENABLED=1 $(GOTEST) -short -timeout 30m $$($(GO) list ./... | grep -E '$(PROGRAMS)')
else
	CGO_ENABLED=1 $(GOTEST) -timeout 60m ./...
endif
	$(MAKE) --no-print-directory test-purego

test-purego: go ## Build and test without cgo (SHORT=1: the short tests); check that the purego tag builds as well
	$(PURE) $(GO) $(if $(SHORT),build -o /dev/null ./cmd/eigenmap,build ./...)
	$(GO) vet -tags purego $(if $(SHORT),$(CHOOSING),./...)
ifdef SHORT
	$(PURE) $(GOTEST) -short -timeout 30m -skip 'Scikit|StoppedAndResumed|TDT2' $(PUREONES)
	$(PURE) $(GOTEST) -short -timeout 30m -run '$(PIPELINE)' .
	$(PURE) $(GOTEST) -short -timeout 30m -run '^(TestAllMethods|TestGoldenModels)$$/^.*$$/^($(ARITHMETIC))$$' ./methods/methodtest
else
	$(PURE) $(GOTEST) -timeout 60m ./...
endif

test-docs: build ## The commands of the documentation on the whole corpus, with what they print; every page of the site in Chromium (minutes; LONG=1, an hour: also those that take minutes each; make test runs a part)
	EIGENMAP_BIN='$(CURDIR)/$(BIN)' EIGENMAP_DOCS=$(if $(LONG),long,all) $(GO) test -count=1 -timeout $(if $(LONG),180m,60m) -v -run TestCommands ./docs/commands
	EIGENMAP_SITE=all $(GO) test -count=1 -timeout 30m ./tools/site ./tools/gallery

test-long: deps ## What takes minutes: the solvers on the whole of TDT2 (DATA has it) and on 10,000 pencils, every byte damaged, every limit of memory, a page of a million documents, ranks stopped at every look
	CGO_ENABLED=1 EIGENMAP_LONG=1 $(GO) test -count=1 -timeout 60m -v -run TDT2 ./methods/le
	CGO_ENABLED=1 EIGENMAP_LONG=1 $(GO) test -count=1 -timeout 30m -v -run 'TestParquetDamaged|TestAddressSpaces' ./corpus ./cmd/eigenmap
	CGO_ENABLED=1 EIGENMAP_LONG=1 $(GO) test -count=1 -timeout 180m -v -run 'TestSuite|TestNearMultiple$$' ./eigen
	CGO_ENABLED=1 EIGENMAP_LONG=1 $(GO) test -count=1 -timeout 180m -v -run '^(TestTilesInBrowser|TestPageInBrowser|TestRanksStopTogether|TestAllMethods)$$/^.*$$/^ranks$$' . ./internal/report ./methods/methodtest

test-properties: deps ## The tests of properties on CASES=3000 cases each, from new seeds (make test draws 100 from a fixed one)
	CGO_ENABLED=1 GO='$(GO)' .ci/properties $(CASES)

test-kills: build ## SIGKILL at KILLS random moments of each of 12 kinds of run with --work, then the same command (half an hour; SHORT=1: 3 of 2 fast kinds)
	EIGENMAP_BIN='$(CURDIR)/$(BIN)' EIGENMAP_KILLS=$(if $(SHORT),3,$(KILLS)) EIGENMAP_SEED=$(KILLSEED) $(GO) test -count=1 -timeout 120m -v \
	  -run '^TestKilledAndResumed$$$(if $(SHORT),/^--method_(kmeans|cle))' ./cmd/eigenmap/faults

test-slurm: build ## The job scripts of docker/ under a real Slurm on this machine, unpacked from Debian's packages (DOCUMENTS=12000; SHORT=1: 5000)
	DOCUMENTS=$(if $(SHORT),5000,$(DOCUMENTS)) GO='$(GO)' .ci/slurm $(BIN)

test-nodes: build-slepc ## Ranks on two nodes, which are two network namespaces with a cable between them (root; skipped elsewhere)
	.ci/nodes $(BIN)-slepc

test-pbs: build ## The PBS job scripts of docker/, by a script that does what PBS would (DOCUMENTS=5000; a minute)
	GO='$(GO)' .ci/pbs $(BIN)

test-images: build ## Build docker/Dockerfile and eigenmap.def with buildah as root, and run the commands of docker/README.md with podman (minutes)
	@.ci/deps buildah debootstrap podman runc netavark aardvark-dns iptables || true
	GO='$(GO)' .ci/images $(BIN)

race: deps ## The short tests under the race detector (half an hour; SHORT=1: those in which goroutines share memory, 5 minutes of processor time)
	CGO_ENABLED=1 $(if $(SHORT),GO='$(GO)' .ci/race,$(GO) test -race -timeout 30m -short ./...)

test-memory: deps ## Calls of BLAS, LAPACK and ARPACK between canaries, and 20 runs of TestSuite with much garbage collection (SHORT=1: parts of the tests, 1 run)
	CGO_ENABLED=1 $(if $(SHORT),EIGENMAP_PENCILS=half) $(GO) test -tags canary -short -timeout 120m $(if $(SHORT),-run '$(CANARIES)' -skip '$(REPEATED)' ./native ./eigen,./...)
	$(PURE) $(GO) test -tags canary -short -timeout 120m $(if $(SHORT),-run Guarded ./native,./...)
	CGO_ENABLED=1 GOGC=10 $(GO) test $(if $(SHORT),-short) -count=$(if $(SHORT),1,20) -timeout 120m -run 'TestSuite$$' ./eigen

fuzz: deps ## Every fuzz target for FUZZTIME (default 60s) each, FUZZJOBS at a time
	@CGO_ENABLED=1 FUZZTIME=$(FUZZTIME) FUZZJOBS=$(FUZZJOBS) GO=$(GO) .ci/fuzz

mutate: deps ## Small faults in the packages that no test notices (MUTANTS=100, MUTATEARGS='-packages sparse -seed 2')
	@CGO_ENABLED=1 $(GO) run ./tools/mutate -go $(GO) -n $(MUTANTS) $(MUTATEARGS)

faults: build ## Full disks, little memory, few descriptors, pipes and devices, signals and kills at any moment (minutes; go test runs a part)
	EIGENMAP_BIN='$(CURDIR)/$(BIN)' EIGENMAP_FAULTS=all $(GO) test -count=1 -timeout 30m ./cmd/eigenmap/faults

reliability: deps ## The figures of docs/reliability.md (some 10 minutes; RELIABILITY=-long takes hours, RELIABILITY='-only eigen,faults')
	@CGO_ENABLED=1 $(GO) run ./tools/reliability -go $(GO) $(RELIABILITY)

# Type checkers make much garbage.
lint: export GOGC := 400
lint: deps ## gofmt, go vet on both builds, the rules of the house, a tidy go.mod, staticcheck, the Go API against the last release
	@unformatted=$$($$($(GO) env GOROOT)/bin/gofmt -l .); \
	  if [ -n "$$unformatted" ]; then echo "not gofmt-clean (run gofmt -w):"; echo "$$unformatted"; exit 1; fi
	CGO_ENABLED=1 $(GO) vet ./...
	$(PURE) $(GO) vet ./...
	$(PURE) $(GO) test -run '^TestHouse' .
	$(GO) mod tidy -diff
	CGO_ENABLED=1 $(GO) run $(STATICCHECK) ./...
	@GO='$(GO)' .ci/api

vuln: go ## Known vulnerabilities in what the program calls (fetches a database; no part of CI)
	@$(PURE) GO=$(GO) .ci/vuln $(GOVULNCHECK) ./cmd/eigenmap

site: go ## The documentation as a web site in build/site, which needs no server and no network (broken links are errors)
	$(PURE) $(GO) run ./tools/site -out build/site

docs: go ## Write what is made from the program: pages of methods and options, docs/api.txt, Python's estimators
	$(PURE) $(GO) run ./docs/gen

bench: build ## Native against pure Go and the peers (BENCH=dense,eigen,knn,whole BENCHARGS=--quick, or --long)
	CGO_ENABLED=1 $(GO) run ./bench/cmd/bench --data '$(DATA)' --out '$(OUT)/bench' --seed $(SEED) --sections $(BENCH) --python '$(PYTHON)' --eigenmap '$(BIN)' $(BENCHARGS)

bench-peers: deps ## Install Debian's scikit-learn and SciPy, and PyPI's with faiss, leidenalg, polars, UMAP and others into OUT/peers, then bench against them
	@.ci/deps $(PEER_PACKAGES)
	@.ci/peers '$(OUT)/peers' $(PYTHON3)
	@$(MAKE) --no-print-directory bench bench-programs bench-methods PYTHON="$$(.ci/peers --python '$(OUT)/peers' '$(PYTHON)')"

bench-programs: build ## Part of it: whole tasks beside faiss, leidenalg, polars, UMAP and others, and approximate neighbours beside pynndescent, as far as PYTHON has them
	'$(PYTHON)' bench/python/programs.py '$(BIN)' --data '$(DATA)'
	CGO_ENABLED=1 $(GO) build -o '$(OUT)/nearest' ./bench/cmd/nearest
	for data in smooth '$(wildcard $(DATA)/mnist-train-images-idx3-ubyte.gz)'; do [ -z "$$data" ] || \
	  OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 NUMBA_NUM_THREADS=1 '$(PYTHON)' bench/python/nearest.py '$(OUT)/nearest' "$$data" --peers pynndescent,hnswlib,faiss || exit; done

bench-methods: deps ## Methods beside libsvm, LIBLINEAR, numba, SciPy and scikit-learn, as far as they are installed, on files in ../shared/data
	CGO_ENABLED=1 EIGENMAP_PYTHON='$(PYTHON)' $(GO) test -run '^$$' -v -bench 'Peers|Linear$$|Solvers|USPS|Lengthen' -benchtime 3x -timeout 30m ./methods/plsa ./methods/svm ./methods/nmf ./methods/spca ./methods/fastica ./methods/lle ./eigen

bench-scaling: deps ## Time against the number of documents, with exponents and a plot, in OUT/scaling (an hour; SIZES=1000,3000 a minute; SIZES=...,1000000)
	CGO_ENABLED=1 $(GO) run ./bench/cmd/scaling --out '$(OUT)/scaling' --sizes '$(SIZES)' --python '$(PYTHON)' $(BENCHARGS)

tables: build ## All papers' tables and figures beside ours, in OUT/tables, from the original corpora under DATA (TABLEARGS=...)
	$(BIN) reproduce all --data '$(DATA)' --out '$(OUT)/tables' --seed $(SEED) $(TABLEARGS)

study: build ## The study of defaults, and scikit-learn's and UMAP's pipelines on the same draws, into OUT/tables (TESTS=2 draws shorten it)
	$(BIN) reproduce defaults --data '$(DATA)' --out '$(OUT)/tables' --seed $(SEED) --tests $(TESTS) $(TABLEARGS)
	$(GO) run ./bench/cmd/draws --data '$(DATA)' --out '$(OUT)/draws' --seed $(SEED) --tests $(TESTS) defaults
	test -x '$(OUT)/study/bin/python' || $(PYTHON3) -m venv '$(OUT)/study'
	'$(OUT)/study/bin/python' -m pip install -q --disable-pip-version-check -r bench/python/requirements.txt
	'$(OUT)/study/bin/python' bench/python/pipelines.py --draws '$(OUT)/draws' --out '$(OUT)/tables'

study-labels: build ## The method that known labels choose beside each single one and scikit-learn's classifiers, into OUT/tables (hours; TESTS=1 shortens it, TABLEARGS='--rows ...')
	$(BIN) reproduce by-labels --data '$(DATA)' --out '$(OUT)/tables' --seed $(SEED) --tests $(TESTS) $(TABLEARGS)
	$(GO) run ./bench/cmd/draws --data '$(DATA)' --out '$(OUT)/draws-by-labels' --seed $(SEED) --tests $(TESTS) by-labels
	test -x '$(OUT)/study/bin/python' || $(PYTHON3) -m venv '$(OUT)/study'
	'$(OUT)/study/bin/python' -m pip install -q --disable-pip-version-check -r bench/python/requirements.txt
	'$(OUT)/study/bin/python' bench/python/bylabels.py --draws '$(OUT)/draws-by-labels' --out '$(OUT)/tables'

maps: ## How well maps keep classes together, beside UMAP's, on the corpora under DATA
	test -x '$(OUT)/study/bin/python' || $(PYTHON3) -m venv '$(OUT)/study'
	'$(OUT)/study/bin/python' -m pip install -q --disable-pip-version-check -r bench/python/requirements.txt
	$(GO) run ./bench/cmd/maps --data '$(DATA)' --out '$(OUT)/maps' --seed $(SEED) --python '$(OUT)/study/bin/python'

table: build ## One of them: make table TABLE=cle/table3 (TABLEARGS='--tests 3 --cases 2' shortens it; without TABLE, the list)
	$(BIN) reproduce $(TABLE) --data '$(DATA)' --out '$(OUT)/tables' --seed $(SEED) $(TABLEARGS)

clean: ## Remove what was built and written: bin/, build/, lib/, dist/ and out/
	rm -rf bin build lib dist out

# Clotho's front door. `make demo` and `make test` install what is missing; nothing else touches the system.
PREFIX ?= /usr/local
# The .icd file names the library wherever a program runs.
override PREFIX := $(abspath $(PREFIX))
LIBDIR ?= $(PREFIX)/lib
BINDIR ?= $(PREFIX)/bin
# The loader reads /etc; a private prefix keeps its own folder, to be named in OCL_ICD_VENDORS.
ICDDIR ?= $(if $(filter /usr /usr/local,$(PREFIX)),/etc/OpenCL/vendors,$(PREFIX)/etc/OpenCL/vendors)
TARGET := $(or $(CARGO_TARGET_DIR),target)
LIBRARY := $(TARGET)/release/libclotho.so
# A vendors folder for the built library: `OCL_ICD_VENDORS=$(make -s vendors) program` uses it without installing.
VENDORS := $(abspath $(TARGET))/release/vendors
export PATH := $(PATH):$(HOME)/.cargo/bin

BUILD_PACKAGES := gcc g++ libc6-dev make pkg-config llvm-22-dev libpolly-22-dev libzstd-dev zlib1g-dev
HOST_PACKAGES := ocl-icd-libopencl1 ocl-icd-opencl-dev opencl-headers clinfo gdb
DEMO_PACKAGES := libpng-dev

.PHONY: build deps deps-demo vendors demo test sanitize soak random accuracy bench conformance install uninstall clean

build: deps
	cargo build --release

deps:
	@.ci/deps $(BUILD_PACKAGES) $(HOST_PACKAGES)

deps-demo:
	@.ci/deps $(BUILD_PACKAGES) $(HOST_PACKAGES) $(DEMO_PACKAGES)

$(LIBRARY):
	cargo build --release

vendors: $(LIBRARY)
	@mkdir -p $(VENDORS)
	@sed 's|@LIBRARY@|$(abspath $(LIBRARY))|' icd/clotho.icd > $(VENDORS)/clotho.icd
	@echo $(VENDORS)

demo: deps-demo
	cargo build --release
	@$(MAKE) -s vendors
	tests/demo/run $(VENDORS)

test: deps
	.ci/test

# The C host programs under AddressSanitizer, LeakSanitizer and ThreadSanitizer, and the models under loom. PARTS takes some of: address thread loom
sanitize: deps
	tests/sanitize/run $(PARTS)

# PEER names other platforms by a part of their names, with commas between: make bench PEER=pocl,intel
bench: deps
	cargo build --release
	@$(MAKE) -s vendors
	benches/run $(VENDORS) '$(PEER)'

# Every float, and a hundred times the samples of `make test`: an hour or two.
accuracy: deps
	CLOTHO_ACCURACY=1 CLOTHO_BLESS=1 cargo test --release --test accuracy

# N random kernels from seed SEED on, compared across the interpreter and machine code of several widths.
N ?= 10000
SEED ?= 0
random: deps
	cargo test --release --test kernels -- --seeds $(SEED) $(N)

# Random calls of eight threads on shared objects against a model, for SECONDS; a seed gives each thread the same steps again.
SECONDS ?= 1800
soak: deps
	cargo build --release
	@$(MAKE) -s vendors
	$(CC) -std=gnu11 -O1 -Wall -Wno-unused-function tests/host/api_soak.c -o $(TARGET)/release/api_soak -lOpenCL -lpthread
	CLOTHO_CACHE=0 OCL_ICD_VENDORS=$(VENDORS) $(TARGET)/release/api_soak --seconds $(SECONDS) --seed $(SEED)

# CTS names a built tree of the Khronos conformance tests.
conformance: vendors
	@test -n '$(CTS)' || { echo 'usage: make conformance CTS=DIR   (a built OpenCL-CTS tree)' >&2; exit 2; }
	OCL_ICD_VENDORS=$(VENDORS) conformance/run.py '$(CTS)' $(SUITES)

install: $(LIBRARY)
	install -d $(DESTDIR)$(LIBDIR) $(DESTDIR)$(BINDIR) $(DESTDIR)$(ICDDIR)
	install -m 644 $(LIBRARY) $(DESTDIR)$(LIBDIR)/libclotho.so
	install -m 755 $(TARGET)/release/clothoc $(DESTDIR)$(BINDIR)/clothoc
	sed 's|@LIBRARY@|$(LIBDIR)/libclotho.so|' icd/clotho.icd > $(DESTDIR)$(ICDDIR)/clotho.icd
	chmod 644 $(DESTDIR)$(ICDDIR)/clotho.icd

uninstall:
	rm -f $(DESTDIR)$(LIBDIR)/libclotho.so $(DESTDIR)$(BINDIR)/clothoc $(DESTDIR)$(ICDDIR)/clotho.icd

clean:
	cargo clean

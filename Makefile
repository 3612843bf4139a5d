# Two commands matter: `make sim` and `make test`. Both prepare what they need and do not prepare it twice.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
RUN := $(VENV)/.installed
TEST := $(VENV)/.installed-test
PROVED := .pytest_cache/d/clauses/record.json

.PHONY: floor bundle deb image test-image test-ansible test-arm64 test-kernel sim check test mutate lint bench bench-peers clean help firmware firmware-size fuzz soak judge

help:
	@echo "make sim     a simulated Big Wheel table that plays by itself, with a page on loopback"
	@echo "make floor   a broker, a floor and a dozen simulated tables; TABLES=300 for a large house"
	@echo "make check   a quick set: imports, the pure cores, a few scenarios; under a minute"
	@echo "make test    every test, and the trace from clause to code to test; it lists what it skipped"
	@echo "make mutate  break each rule in memory and list the breaks no marked test notices (an hour or two)"
	@echo "make bench   the benchmarks, as JSON lines; make bench-peers beside what others offer"
	@echo "make fuzz    hostile input for everything that reads; INPUTS=1000000 for a long campaign"
	@echo "make soak    a day per game with errors, faults and restarts, in virtual time; HOURS=1 for a first look"
	@echo "make firmware        the reference devices as images for an emulated Cortex-M3; DEVICE=shoe starts one"
	@echo "make firmware-size   flash, RAM, stack (seen and at most) and instructions an event of the reference devices on a Cortex-M0+"
	@echo "make bundle  the offline bundle for a Pi, in dist/; ARCH=x86_64 for a PC, KEY=... signs it"
	@echo "make deb     Debian packages for arm64 and amd64 in dist/, and dist/repository for apt; KEY=... signs it"
	@echo "make image   an image for the card of a Pi in dist/: Debian arm64 with the package (root, under 10 minutes)"
	@echo "make test-image   boot that image in QEMU, play, cut its power (root, an hour); STEPS='flash-war round-war' for a part"
	@echo "make test-ansible all of the Ansible role on tables in roots of their own (minutes); a part of it is in make test"
	@echo "make test-arm64   install the bundle in an arm64 root under emulation and play there (root, minutes);"
	@echo "                  RELEASE=trixie for Debian 13 and its Python 3.13"
	@echo "make test-kernel  boot Debian's kernel and systemd in QEMU and plug a USB/IP device in (root, minutes)"
	@echo "make judge   poker hands of every game and structure beside PokerKit; goes on where it was interrupted"
	@echo "make clean   remove what these made"

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "Python 3.11 or newer is needed; $(PYTHON) is older. Say make PYTHON=python3.12 ..."; exit 1; }
	@$(PYTHON) -m venv $(VENV) || \
	  { echo "This Python cannot make a virtual environment. On Debian: apt install python3-venv"; rm -rf $(VENV); exit 1; }

$(RUN): pyproject.toml distributions/floor/pyproject.toml distributions/lab/pyproject.toml | $(BIN)/python
	$(BIN)/pip install --quiet --disable-pip-version-check -e . -e distributions/floor -e distributions/lab
	@touch $@

$(TEST): $(RUN)
	$(BIN)/pip install --quiet --disable-pip-version-check -e '.[test]' -e 'distributions/floor[postgresql]' -e 'distributions/lab[pictures]'
	@touch $@

sim: $(RUN)
	$(BIN)/tablectl sim

# TABLES=300 for a large house; DATA=folder keeps it.
TABLES ?= 12

floor: $(TEST)
	$(BIN)/tablectl floor sim --tables $(TABLES) $(if $(DATA),--data $(DATA))

# Each worker takes a run of neighbours, which share what was made once; who is done first takes over half of what the
# other has left, so that no core is idle behind one long file. SIDE_BY_SIDE=0 runs one after the other.
# TESTS=--nothing-missing refuses what would be skipped for want of a tool.
SIDE_BY_SIDE ?= auto
TESTS ?=

# The files of the quick set are listed in tests/quick.txt; it leaves the record of proved clauses alone.
check: $(TEST)
	$(BIN)/ruff check .
	$(BIN)/python -m pytest -n $(SIDE_BY_SIDE) --dist worksteal -p no:cacheprovider @tests/quick.txt

# The trace is of this run alone: a test that did not run now has proved nothing.
test: $(TEST) lint
	@rm -f $(PROVED)
	$(BIN)/python -m pytest -n $(SIDE_BY_SIDE) --dist worksteal $(TESTS)
	$(BIN)/tablectl rules trace --strict --brief --tests $(PROVED)

mutate: $(TEST)
	$(BIN)/tablectl rules mutate

lint: $(TEST)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check --quiet .
	$(BIN)/mypy

bench: $(RUN)
	$(BIN)/tablectl bench all

# Hostile input for everything that reads, and a day per game with errors, faults and restarts: minutes to hours.
INPUTS ?= 20000
HOURS ?= 24

fuzz: $(RUN)
	$(BIN)/tablectl fuzz --inputs $(INPUTS) --keep build/fuzz

soak: $(RUN)
	$(BIN)/tablectl soak --hours $(HOURS)

PEERS := build/peers
PEER_PACKAGES := lewis mpf pokerkit python-statemachine

# Each on its own: one that cannot be installed on this Python is told by the comparison, not a reason to stop.
$(PEERS)/.installed: | $(BIN)/python
	$(PYTHON) -m venv $(PEERS)
	@for package in $(PEER_PACKAGES); do \
	  $(PEERS)/bin/pip install --quiet --disable-pip-version-check $$package || echo "$$package cannot be installed"; \
	done
	@touch $@

bench-peers: $(RUN) $(PEERS)/.installed
	$(BIN)/python lab/measurements/peers/compare.py $(PEERS)/bin/python --history bench-history.jsonl

HANDS ?= 10000

judge: $(TEST)
	@mkdir -p build
	$(BIN)/python -m tests.controller.games.poker.judge each $(HANDS) build/poker-judge.json

# One image a device for the emulated board; with DEVICE=shoe (wheel, chips, cards, shuffler) it is started too.
firmware:
	@$(MAKE) --no-print-directory -C firmware_specs/reference boards
	@[ -z "$(DEVICE)" ] || { \
	  echo "the line of the $(DEVICE): build/reference/$(DEVICE).line, its control lines: build/reference/$(DEVICE).control"; \
	  exec firmware_specs/reference/emulated $(DEVICE) --port pty:build/reference/$(DEVICE).line \
	    --control build/reference/$(DEVICE).control --memory build/reference/$(DEVICE).memory; }

firmware-size:
	@$(MAKE) --no-print-directory -C firmware_specs/reference size

clean:
	rm -rf $(VENV) build *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis

ARCH ?= aarch64
RELEASE ?= bookworm

bundle: $(RUN)
	$(BIN)/tablectl bundle build --arch $(ARCH) --to dist $(if $(KEY),--key $(KEY))

# KEY=... signs the repository directory; without it apt refuses it.
deb: $(RUN)
	$(BIN)/tablectl bundle deb --to dist $(if $(KEY),--key $(KEY))

test-arm64: $(RUN)
	$(BIN)/tablectl bundle build --arch aarch64 --to dist
	install/test-arm64.sh $$(ls -t dist/tablectl-*-aarch64.tar.gz | head -n 1) $(BIN)/tablectl build/arm64 $(RELEASE)

test-kernel: $(RUN)
	$(BIN)/tablectl bundle build --arch x86_64 --to dist
	install/test-kernel.sh $$(ls -t dist/tablectl-*-x86_64.tar.gz | head -n 1) $(BIN)/tablectl build/kernel

# REUSE=1 takes Debian's part from the build before; docs/image.md says what is in it.
image: $(RUN)
	$(BIN)/tablectl bundle deb --to dist
	install/image/build.sh $$(ls -t dist/tablectl_*_arm64.deb | head -n 1) dist build/image

STEPS ?=

test-image: $(TEST)
	@[ -e build/image/table.img ] || { echo "There is no image yet: make image"; exit 1; }
	$(BIN)/tablectl bundle build --arch aarch64 --to dist
	$(BIN)/python -m tests.whole.image.steps build/image/table.img $$(ls -t dist/tablectl-*-aarch64.tar.gz | head -n 1) build/image/try $(STEPS)

test-ansible: $(TEST)
	$(BIN)/python -m pytest -m "slow or not slow" tests/whole/pi/test_ansible.py

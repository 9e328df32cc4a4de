# `make up` and `make test` are the two to begin with; the scripts do the work (scripts/).
.PHONY: up test bench attacks localized chaos crowd simulate soak fuzz collect build validations packages test-packages

# Builds check queries by server/.sqlx (scripts/queries): they need no database.
export SQLX_OFFLINE = true

build: web/dist/index.html
	cargo build --release --locked --bin kerncast --bin kerncast-server

# The dashboard is embedded into the server, so it is built first. Its client's types are generated from openapi.json.
web/dist/index.html: web/node_modules/.package-lock.json openapi.json $(shell find web/src web/index.html web/*.ts web/*.js -type f ! -path web/src/api/schema.ts 2>/dev/null)
	cd web && npm run build
	touch $@

web/node_modules/.package-lock.json: web/package.json web/package-lock.json
	cd web && npm ci --no-audit --no-fund
	touch $@

# Install, build, serve, measure, fit, show.
up:
	@scripts/install up
	@$(MAKE) --no-print-directory build
	@scripts/up

# Measure this machine again; a server must be running (make up).
collect: build
	$${CARGO_TARGET_DIR:-target}/release/kerncast run

# Validates the fits to data/, so that servers need not: half an hour on two idle cores if all of it has changed. A test
# fails when it is due.
validations:
	cargo build --release --locked --bin kerncast
	$${CARGO_TARGET_DIR:-target}/release/kerncast validate data/*.jsonl.zst --out data/validations.zst

# Debian packages, container files and a tarball, in target/packages/out (docs/install.md).
packages: web/dist/index.html
	scripts/packages

# Installs, runs, upgrades and removes the packages in a clean Debian 12. Needs root.
test-packages: web/dist/index.html
	scripts/test-packages

# Every test but attacks and localized, below.
test:
	@scripts/install test
	@$(MAKE) --no-print-directory web/dist/index.html
	@scripts/test

# Speed beside peers in the same run (numpy, a bare axum handler, Postgres's COPY, Oclgrind, rayon), and of the dashboard's
# first page. numpy is installed below target/.
bench:
	@scripts/install bench
	@$(MAKE) --no-print-directory web/dist/index.html
	@scripts/bench

# Load on servers, by e2e/chaos; SERVER and AGENT name other binaries.
#   chaos     everything that can go wrong with servers, database, disk, network and clocks, while agents upload: for DURATION
#             seconds (1800), the faults of SEED. Best as root.
#   crowd     AGENTS (1000) agents upload the suite's samples at once, while dashboards read, a client asks for forecasts and
#             models are fitted: DURATION seconds (1200) for all of it. Says which of its targets are met.
#   simulate  how many agents one server here takes in: their uploads of a night, from AGENTS (1000) on until it falls behind.
#   soak      one server for DURATION seconds (7200) while agents upload and dashboards read: its memory must not grow.
chaos crowd simulate soak: build
	@scripts/install chaos
	@python3 -B e2e/chaos $@

# Fuzzes parsers of requests and files, each for DURATION seconds (600).
fuzz:
	@scripts/install fuzz
	@scripts/fuzz

# Attacks a server in all ways of docs/security.md at once: three minutes. Then ten thousand uploads that are wrong on purpose
# show how far forecasts move unnoticed (docs/notebook/security.md): an hour or more on two cores; COUNT=100 makes fewer.
attacks:
	@scripts/install test
	@$(MAKE) --no-print-directory web/dist/index.html
	cargo build --workspace --locked
	cargo test --workspace --locked --test e2e -- --ignored --nocapture
	cargo test --release --locked -p kerncast-training -- attacks:: --ignored --nocapture

# Runs the kernels that `kerncast localize` makes beside their originals, at every size, and looks for races: the suite's, those
# of collector/tests/localize and CASES (200) random ones. Some twenty minutes.
localized:
	cargo test --locked --workspace --test collector localize::all_do_the_same -- --ignored --nocapture
	PROPTEST_CASES=$${CASES:-200} cargo test --locked --workspace --test collector localize_random -- --nocapture

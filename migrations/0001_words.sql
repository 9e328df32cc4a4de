-- Kerncast's words as tables. docs/schema.md has the picture; docs/glossary.md the meanings.
-- Migrations are forward-only: a mistake is put right by a later file, never by editing this one.

-- A number that is one. Postgres sorts NaN above Infinity, so one comparison keeps both out.
CREATE DOMAIN finite AS double precision
    CHECK (VALUE > '-Infinity' AND VALUE < 'Infinity');

-- A model of OpenCL device. What two uploads say differently of it is settled by the later one.
CREATE TABLE devices (
    id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    vendor text NOT NULL,
    name text NOT NULL,
    kind text NOT NULL CHECK (kind IN ('cpu', 'gpu', 'accelerator')),
    compute_units bigint CHECK (compute_units >= 0),
    global_memory_bytes bigint CHECK (global_memory_bytes >= 0),
    local_memory_bytes bigint CHECK (local_memory_bytes >= 0),
    UNIQUE (vendor, name)
);

-- An installation of the collector on one machine, once a version, so that a sample says exactly what
-- measured it.
CREATE TABLE agents (
    id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name text NOT NULL,
    version text NOT NULL,
    last_seen_at timestamptz NOT NULL DEFAULT now(),
    UNIQUE (name, version)
);

-- One OpenCL function of a suite.
CREATE TABLE kernels (
    id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name text NOT NULL UNIQUE,
    family text
);

-- What runs: kernel, variant, sizes. jsonb compares sizes whatever their order.
CREATE TABLE workloads (
    id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    kernel_id integer NOT NULL REFERENCES kernels,
    variant text NOT NULL,
    parameters jsonb NOT NULL CHECK (jsonb_typeof(parameters) = 'object'),
    UNIQUE (kernel_id, variant, parameters)
);

-- The dictionary of counters: readings hold these ids, not names.
CREATE TABLE counters (
    id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    provider text NOT NULL CHECK (provider ~ '^[a-z0-9_]{1,40}$'),
    name text NOT NULL,
    UNIQUE (provider, name)
);

-- Kerncast's words as tables. docs/schema.md has the picture; docs/glossary.md the meanings.
-- Migrations are forward-only from version 0.3.0 on: a mistake is put right by a later file, never by editing these.

-- A number that is one. Postgres sorts NaN above Infinity, so one comparison keeps both out.
CREATE DOMAIN finite AS double precision
    CHECK (VALUE > '-Infinity' AND VALUE < 'Infinity');

-- A model of OpenCL device. What two uploads say differently of it is settled by the later one that may describe it. What nobody
-- has said is NULL.
CREATE TABLE devices (
    id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    vendor text NOT NULL,
    name text NOT NULL,
    kind text NOT NULL CHECK (kind IN ('cpu', 'gpu', 'accelerator')),
    compute_units bigint CHECK (compute_units >= 0),
    global_memory_bytes bigint CHECK (global_memory_bytes >= 0),
    local_memory_bytes bigint CHECK (local_memory_bytes >= 0),
    -- What a device has room for: what it can't run is not forecast.
    max_work_group_size bigint CHECK (max_work_group_size > 0),
    max_buffer_bytes bigint CHECK (max_buffer_bytes > 0),
    -- Its last cache: only what moves beyond it is held against the ceiling of its memory.
    cache_bytes bigint CHECK (cache_bytes > 0),
    UNIQUE (vendor, name)
);

-- Rows in the words of the API, here and below: what a listing answers is put together by its query and read as one value.
-- Numbers come through exactly: Postgres prints the shortest decimals that read back the same. Each is one expression, which
-- the planner puts in the place of the call.
CREATE FUNCTION device_json(it devices) RETURNS json LANGUAGE sql STABLE AS $$
    SELECT json_build_object(
        'vendor', it.vendor, 'name', it.name, 'kind', it.kind, 'compute_units', it.compute_units,
        'global_memory_bytes', it.global_memory_bytes, 'local_memory_bytes', it.local_memory_bytes,
        'max_work_group_size', it.max_work_group_size, 'max_buffer_bytes', it.max_buffer_bytes,
        'cache_bytes', it.cache_bytes
    )
$$;

-- An installation of the collector on one machine, once a version, so that a sample says exactly what measured it.
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
    family text,
    -- Whether Kerncast has generated it: models learn from it and are not judged by it. It is said by a kernel's first
    -- sample; later ones that say otherwise are an admin's, or refused.
    generated boolean NOT NULL DEFAULT false
);

-- What runs: kernel, variant, sizes. jsonb compares sizes whatever their order.
CREATE TABLE workloads (
    id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    kernel_id integer NOT NULL REFERENCES kernels,
    variant text NOT NULL,
    parameters jsonb NOT NULL CHECK (jsonb_typeof(parameters) = 'object'),
    UNIQUE (kernel_id, variant, parameters)
);

-- The dictionary of counters: lists of counters hold these ids, not names.
CREATE TABLE counters (
    id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    provider text NOT NULL CHECK (provider ~ '^[a-z0-9_]{1,40}$'),
    name text NOT NULL,
    UNIQUE (provider, name)
);

-- What many samples have in common is stored once: their lists of counters, and what was built from what with which driver. Of
-- a real sample both are a fifth of its bytes. None is deleted, so that samples refer to them without a check for each.
CREATE TABLE counter_lists (
    id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    -- SHA-256 of counter_ids, which may be thousands.
    list bytea NOT NULL UNIQUE,
    counter_ids integer[] NOT NULL
);
CREATE TABLE provenances (
    id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    -- SHA-256 of its text.
    hash bytea NOT NULL UNIQUE,
    provenance jsonb NOT NULL
);

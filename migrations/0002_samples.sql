-- One workload measured once on one device.
CREATE TABLE samples (
    -- Made by the client, so that an upload sent twice is stored once.
    id uuid PRIMARY KEY,
    -- SHA-256 of the sample as uploaded: tells a repeat from another sample under the same id.
    content_hash bytea NOT NULL CHECK (length(content_hash) = 32),
    -- References are checked at the commit: within store_samples each check would be planned anew, which
    -- takes as long as all the rest.
    workload_id integer NOT NULL REFERENCES workloads DEFERRABLE INITIALLY DEFERRED,
    device_id integer NOT NULL REFERENCES devices DEFERRABLE INITIALLY DEFERRED,
    agent_id integer NOT NULL REFERENCES agents DEFERRABLE INITIALLY DEFERRED,
    measured_at timestamptz NOT NULL,
    received_at timestamptz NOT NULL DEFAULT now(),
    -- Seconds per launch, in the order measured: all of them, never thinned out.
    repetitions double precision[] NOT NULL
        CHECK (cardinality(repetitions) BETWEEN 1 AND 100000)
        CHECK ((0 < ALL (repetitions) AND 1e6 > ALL (repetitions)) IS TRUE),
    min_s finite NOT NULL,
    median_s finite NOT NULL,
    -- Standard deviation (n - 1) over mean; absent for one repetition.
    cv finite,
    launches_per_repetition bigint NOT NULL CHECK (launches_per_repetition > 0),
    -- Whether the median had settled before the budget ended; absent where nobody knows.
    settled boolean,
    -- Seconds of launches right after the caches were overwritten; empty where nobody measured it.
    cold_repetitions double precision[] NOT NULL
        CHECK (cardinality(cold_repetitions) <= 100000)
        CHECK ((0 < ALL (cold_repetitions) AND 1e6 > ALL (cold_repetitions)) IS TRUE),
    -- The device's clocks, temperature and power meanwhile; absent where nobody knows.
    conditions jsonb CHECK (jsonb_typeof(conditions) = 'object'),
    -- What makes the times doubtful. Flagged, never deleted.
    flags text[] NOT NULL CHECK ((flags <@ '{throttled,shared,outliers}') IS TRUE),
    provenance jsonb NOT NULL,
    -- Kerncast's own agent, another profiler's file, or the data that come with Kerncast.
    origin text NOT NULL CHECK (origin IN ('measured', 'imported', 'shipped'))
);
CREATE INDEX ON samples (device_id);
CREATE INDEX ON samples (workload_id);

-- What one provider says of a sample: counters, or why it has none. One row for all its counters: a row
-- a counter would cost fifty times the inserts and be read together anyway.
CREATE TABLE readings (
    sample_id uuid NOT NULL REFERENCES samples ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
    provider text NOT NULL CHECK (provider ~ '^[a-z0-9_]{1,40}$'),
    -- counter_ids[i] counted values[i].
    counter_ids integer[],
    values double precision[],
    scope text NOT NULL CHECK (scope IN ('full', 'first_and_last_group', 'reduced_size')),
    refusal text,
    PRIMARY KEY (sample_id, provider),
    CHECK ((counter_ids IS NULL) = (values IS NULL)),
    CHECK ((counter_ids IS NULL) <> (refusal IS NULL)),
    CHECK (cardinality(counter_ids) = cardinality(values) AND cardinality(values) > 0),
    -- No NULL, NaN or infinity inside: an absent counter has no place in the arrays.
    CHECK (values IS NULL OR (0 <= ALL (values) AND 'Infinity' > ALL (values)) IS TRUE)
);

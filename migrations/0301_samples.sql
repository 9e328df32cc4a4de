-- One workload measured once on one device.
CREATE TABLE samples (
    -- Made by the client, so that an upload sent twice is stored once.
    id uuid PRIMARY KEY,
    -- SHA-256 of the sample as uploaded: tells a repeat from another sample under the same id.
    content_hash bytea NOT NULL CHECK (length(content_hash) = 32),
    -- What these three refer to is there because the sample's rows in the tables of counts refer to it: that is checked once a
    -- series, where it would be checked once a sample and take a quarter of an upload.
    workload_id integer NOT NULL,
    device_id integer NOT NULL,
    agent_id integer NOT NULL,
    measured_at timestamptz NOT NULL,
    received_at timestamptz NOT NULL DEFAULT now(),
    -- Seconds per launch, in the order measured: all of them.
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
    provenance_id integer NOT NULL,
    -- Kerncast's own agent, another profiler's file, or the data that come with Kerncast.
    origin text NOT NULL CHECK (origin IN ('measured', 'imported', 'shipped')),
    -- Whose token brought it. No reference, here and elsewhere: a token that was deleted by hand leaves its number, which no
    -- other gets.
    token_id bigint,
    -- How many repetitions it has: a listing cuts its pages by this before it reads them. The arrays themselves would be read
    -- and unpacked for that, a megabyte a sample where they are long.
    numbers integer NOT NULL GENERATED ALWAYS AS (cardinality(repetitions) + cardinality(cold_repetitions)) STORED
);
-- Samples of a series, in the two orders in which they are listed.
CREATE INDEX samples_of_series_by_time ON samples (device_id, workload_id, measured_at, id);
CREATE INDEX samples_of_series_by_id ON samples (device_id, workload_id, origin, id);
-- What came within the hour is judged again with what follows. In the order of time such an index is tiny.
CREATE INDEX ON samples USING brin (received_at) WITH (autosummarize = on);
-- Samples with flags are few, and a listing of them is in the order of ids.
CREATE INDEX samples_flagged ON samples (id) WHERE flags <> '{}';

-- What one provider says of a sample: counters, or why it has none. One row for all its counters: a row a counter would cost
-- fifty times the inserts and be read together anyway.
CREATE TABLE readings (
    sample_id uuid NOT NULL REFERENCES samples ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
    provider text NOT NULL CHECK (provider ~ '^[a-z0-9_]{1,40}$'),
    -- counter_ids[i] of this list counted values[i].
    list_id integer,
    -- No NULL, NaN or infinity inside: an absent counter has no place in the array.
    values double precision[] CHECK (values IS NULL OR (0 <= ALL (values) AND 'Infinity' > ALL (values)) IS TRUE),
    -- An analysis of source looks at some work-groups, which stand for the others.
    scope text NOT NULL CHECK (scope IN ('full', 'first_and_last_group', 'sampled_groups', 'reduced_size')),
    refusal text,
    PRIMARY KEY (sample_id, provider),
    CHECK (cardinality(values) > 0),
    CHECK ((list_id IS NULL) = (values IS NULL)),
    CHECK ((values IS NULL) <> (refusal IS NULL))
);

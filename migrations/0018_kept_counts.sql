-- Counts are kept, not counted: what listings show of all samples costs as much with a million of them as with
-- a thousand. A trigger keeps them, so that whoever inserts samples need not think of it.

-- How many samples there are, by everything that is counted. Few rows: kernels, not workloads.
CREATE TABLE sample_counts (
    device_id integer NOT NULL REFERENCES devices DEFERRABLE INITIALLY DEFERRED,
    kernel_id integer NOT NULL REFERENCES kernels DEFERRABLE INITIALLY DEFERRED,
    agent_id integer NOT NULL REFERENCES agents DEFERRABLE INITIALLY DEFERRED,
    origin text NOT NULL,
    -- Of the provenance; '': it has none.
    source_hash text NOT NULL,
    samples bigint NOT NULL,
    first_measured_at timestamptz NOT NULL,
    last_measured_at timestamptz NOT NULL
) WITH (fillfactor = 50);
-- No index takes text of any length, so it takes the hash of it.
CREATE UNIQUE INDEX sample_counts_key ON sample_counts (
    device_id, kernel_id, agent_id, origin, hashtextextended(source_hash, 0)
);

-- A workload that a device has run, once or every night, by where the samples come from.
CREATE TABLE series (
    device_id integer NOT NULL REFERENCES devices DEFERRABLE INITIALLY DEFERRED,
    workload_id integer NOT NULL REFERENCES workloads DEFERRABLE INITIALLY DEFERRED,
    origin text NOT NULL,
    samples bigint NOT NULL,
    -- The fastest repetition of all.
    min_s finite NOT NULL,
    -- The newest sample, and when that was measured.
    newest_id uuid NOT NULL,
    newest_at timestamptz NOT NULL,
    PRIMARY KEY (device_id, workload_id, origin)
) WITH (fillfactor = 50);
CREATE INDEX ON series (workload_id);

-- The newest sample of a workload on a device that a provider has counted. Every sample has the launch's geometry,
-- which nobody counts: that provider is left out.
CREATE TABLE counted_series (
    device_id integer NOT NULL,
    provider text NOT NULL,
    workload_id integer NOT NULL,
    newest_id uuid NOT NULL,
    newest_at timestamptz NOT NULL,
    PRIMARY KEY (device_id, provider, workload_id)
) WITH (fillfactor = 50);

-- How many samples of a kernel have readings of the same counters.
CREATE TABLE reading_counts (
    kernel_id integer NOT NULL,
    provider text NOT NULL,
    -- SHA-256 of counter_ids, which may be thousands.
    list bytea NOT NULL,
    counter_ids integer[] NOT NULL,
    samples bigint NOT NULL,
    PRIMARY KEY (kernel_id, provider, list)
) WITH (fillfactor = 50);

-- A sample's device, workload and agent are there because its row in these tables refers to them: that is
-- checked once a series, where it was checked once a sample and took a quarter of an upload.
ALTER TABLE samples
    DROP CONSTRAINT samples_device_id_fkey,
    DROP CONSTRAINT samples_workload_id_fkey,
    DROP CONSTRAINT samples_agent_id_fkey;

-- Samples of a series, in the two orders in which they are listed.
CREATE INDEX samples_of_series_by_time ON samples (device_id, workload_id, measured_at, id);
CREATE INDEX samples_of_series_by_id ON samples (device_id, workload_id, origin, id);
DROP INDEX samples_workload_id_idx;
DROP INDEX samples_device_id_workload_id_measured_at_origin_agent_id_idx;

-- Adds new samples with their readings, which the same statement inserts: a sample comes whole. Rows are inserted
-- and locked in order, and tables always in this one: two uploads that meet wait for each other, not in a circle.
CREATE FUNCTION count_samples() RETURNS trigger LANGUAGE plpgsql
-- Plans are made once, when a table may be small still. Whatever its size later, each new sample is a look-up: in
-- workloads by a subquery, in readings by one that OFFSET 0 keeps from becoming a join.
SET enable_seqscan = off
SET enable_bitmapscan = off
-- Lists of counters are grouped by their hashes, not compared number by number.
SET enable_sort = off
AS $$
#variable_conflict use_column
BEGIN
    INSERT INTO sample_counts AS kept (
        device_id, kernel_id, agent_id, origin, source_hash, samples, first_measured_at, last_measured_at
    )
    SELECT
        device_id, (SELECT kernel_id FROM workloads WHERE workloads.id = workload_id), agent_id, origin,
        coalesce(provenance ->> 'source_hash', ''), count(*), min(measured_at), max(measured_at)
    FROM new_rows
    GROUP BY 1, 2, 3, 4, 5
    ORDER BY 1, 2, 3, 4, 5
    ON CONFLICT (device_id, kernel_id, agent_id, origin, hashtextextended(source_hash, 0)) DO UPDATE SET
        samples = kept.samples + excluded.samples,
        first_measured_at = least(kept.first_measured_at, excluded.first_measured_at),
        last_measured_at = greatest(kept.last_measured_at, excluded.last_measured_at);

    INSERT INTO series AS kept (device_id, workload_id, origin, samples, min_s, newest_id, newest_at)
    SELECT device_id, workload_id, origin, count(*), min(min_s), (array_agg(id))[1], max(measured_at)
    FROM (
        SELECT device_id, workload_id, origin, min_s, id, measured_at
        FROM new_rows
        ORDER BY device_id, workload_id, origin, measured_at DESC, id DESC
    ) AS newest_first
    GROUP BY 1, 2, 3
    ORDER BY 1, 2, 3
    ON CONFLICT (device_id, workload_id, origin) DO UPDATE SET
        samples = kept.samples + excluded.samples,
        min_s = least(kept.min_s, excluded.min_s),
        newest_id = CASE WHEN (excluded.newest_at, excluded.newest_id) > (kept.newest_at, kept.newest_id)
            THEN excluded.newest_id ELSE kept.newest_id END,
        newest_at = greatest(kept.newest_at, excluded.newest_at);

    WITH counted AS MATERIALIZED (
        SELECT id, device_id, workload_id, measured_at, provider, counter_ids
        FROM new_rows
        CROSS JOIN LATERAL (
            SELECT provider, counter_ids FROM readings
            WHERE sample_id = new_rows.id AND refusal IS NULL OFFSET 0
        ) AS reading
    ), lists AS (
        INSERT INTO reading_counts AS kept (kernel_id, provider, list, counter_ids, samples)
        SELECT
            (SELECT kernel_id FROM workloads WHERE workloads.id = workload_id), provider,
            sha256(array_send(counter_ids)), counter_ids, count(*)
        FROM counted
        GROUP BY 1, 2, counter_ids
        ORDER BY 1, 2, 3
        ON CONFLICT (kernel_id, provider, list) DO UPDATE SET samples = kept.samples + excluded.samples
    )
    INSERT INTO counted_series AS kept (device_id, provider, workload_id, newest_id, newest_at)
    SELECT device_id, provider, workload_id, (array_agg(id))[1], max(measured_at)
    FROM (
        SELECT device_id, provider, workload_id, id, measured_at
        FROM counted
        WHERE provider <> 'launch'
        ORDER BY device_id, provider, workload_id, measured_at DESC, id DESC
    ) AS newest_first
    GROUP BY 1, 2, 3
    ORDER BY 1, 2, 3
    ON CONFLICT (device_id, provider, workload_id) DO UPDATE SET
        newest_id = excluded.newest_id, newest_at = excluded.newest_at
    WHERE (excluded.newest_at, excluded.newest_id) > (kept.newest_at, kept.newest_id);
    RETURN NULL;
END
$$;
CREATE TRIGGER count AFTER INSERT ON samples REFERENCING NEW TABLE AS new_rows
    FOR EACH STATEMENT EXECUTE FUNCTION count_samples();

-- Counts everything anew, as if all samples had just come. Uploads wait meanwhile.
CREATE FUNCTION recount() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    LOCK TABLE samples IN SHARE ROW EXCLUSIVE MODE;
    DELETE FROM sample_counts;
    DELETE FROM series;
    DELETE FROM counted_series;
    DELETE FROM reading_counts;
    CREATE TEMPORARY TABLE counted_anew AS
        SELECT id, device_id, workload_id, agent_id, origin, provenance, measured_at, min_s FROM samples
        WITH NO DATA;
    CREATE TRIGGER count AFTER INSERT ON counted_anew REFERENCING NEW TABLE AS new_rows
        FOR EACH STATEMENT EXECUTE FUNCTION count_samples();
    INSERT INTO counted_anew
    SELECT id, device_id, workload_id, agent_id, origin, provenance, measured_at, min_s FROM samples;
    DROP TABLE counted_anew;
END
$$;
SELECT recount();

-- Samples are not changed and not deleted; whoever does so by hand finds the counts right all the same.
CREATE FUNCTION count_anew() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM recount();
    RETURN NULL;
END
$$;
CREATE TRIGGER count_anew AFTER UPDATE OR DELETE OR TRUNCATE ON samples
    FOR EACH STATEMENT EXECUTE FUNCTION count_anew();

-- How many samples there are is counted by agent alone, and by device, kernel, origin and source without the agent: a row
-- for each agent's kernels were 4 million of 100,000 agents, and every page summed them.
-- Uploads wait meanwhile.
DO $$ BEGIN LOCK TABLE samples IN SHARE ROW EXCLUSIVE MODE; END $$;

-- A row that uploads of one agent share, and no others.
CREATE TABLE agent_counts (
    agent_id integer PRIMARY KEY REFERENCES agents DEFERRABLE INITIALLY DEFERRED,
    samples bigint NOT NULL,
    -- Of these.
    shipped bigint NOT NULL
) WITH (fillfactor = 50);
INSERT INTO agent_counts
SELECT agent_id, sum(samples), coalesce(sum(samples) FILTER (WHERE origin = 'shipped'), 0)
FROM sample_counts
GROUP BY agent_id;

CREATE TEMPORARY TABLE counted_before AS
SELECT
    device_id, kernel_id, origin, source_hash, sum(samples) AS samples,
    min(first_measured_at) AS first_measured_at, max(last_measured_at) AS last_measured_at
FROM sample_counts
GROUP BY device_id, kernel_id, origin, source_hash;
TRUNCATE sample_counts;
-- And with it the index.
ALTER TABLE sample_counts DROP COLUMN agent_id;
CREATE UNIQUE INDEX sample_counts_key ON sample_counts (
    device_id, kernel_id, origin, hashtextextended(source_hash, 0)
);
INSERT INTO sample_counts (device_id, kernel_id, origin, source_hash, samples, first_measured_at, last_measured_at)
SELECT device_id, kernel_id, origin, source_hash, samples, first_measured_at, last_measured_at FROM counted_before;
DROP TABLE counted_before;

-- As in 0034, with these. Rows that more uploads share come later, so that they wait for each other no longer than they must.
CREATE OR REPLACE FUNCTION count_samples() RETURNS trigger LANGUAGE plpgsql
-- Plans are made once, when a table may be small still. Whatever its size later, each new sample is a look-up: in
-- workloads by a subquery, in readings by one that OFFSET 0 keeps from becoming a join.
SET enable_seqscan = off
SET enable_bitmapscan = off
-- Lists of counters are grouped by their hashes, not compared number by number.
SET enable_sort = off
AS $$
#variable_conflict use_column
BEGIN
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
        newest_id = CASE
            WHEN kept.newest_id IS NULL
                OR (excluded.newest_at, excluded.newest_id) > (kept.newest_at, kept.newest_id)
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

    INSERT INTO sample_counts AS kept (
        device_id, kernel_id, origin, source_hash, samples, first_measured_at, last_measured_at
    )
    SELECT
        device_id, (SELECT kernel_id FROM workloads WHERE workloads.id = workload_id), origin,
        coalesce(provenance ->> 'source_hash', ''), count(*), min(measured_at), max(measured_at)
    FROM new_rows
    GROUP BY 1, 2, 3, 4
    ORDER BY 1, 2, 3, 4
    ON CONFLICT (device_id, kernel_id, origin, hashtextextended(source_hash, 0)) DO UPDATE SET
        samples = kept.samples + excluded.samples,
        first_measured_at = least(kept.first_measured_at, excluded.first_measured_at),
        last_measured_at = greatest(kept.last_measured_at, excluded.last_measured_at);

    INSERT INTO agent_counts AS kept (agent_id, samples, shipped)
    SELECT agent_id, count(*), count(*) FILTER (WHERE origin = 'shipped')
    FROM new_rows
    GROUP BY agent_id
    ORDER BY agent_id
    ON CONFLICT (agent_id) DO UPDATE SET
        samples = kept.samples + excluded.samples, shipped = kept.shipped + excluded.shipped;
    RETURN NULL;
END
$$;

-- As in 0034, with the counts of agents.
CREATE OR REPLACE FUNCTION recount() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    LOCK TABLE samples IN SHARE ROW EXCLUSIVE MODE;
    DELETE FROM agent_counts;
    DELETE FROM sample_counts;
    DELETE FROM series;
    DELETE FROM counted_series;
    DELETE FROM reading_counts;
    DELETE FROM standings WHERE NOT EXISTS (SELECT FROM samples WHERE samples.id = sample_id);
    CREATE TEMPORARY TABLE counted_anew AS
        SELECT id, device_id, workload_id, agent_id, origin, provenance, measured_at, min_s FROM samples
        WITH NO DATA;
    CREATE TRIGGER count AFTER INSERT ON counted_anew REFERENCING NEW TABLE AS new_rows
        FOR EACH STATEMENT EXECUTE FUNCTION count_samples();
    INSERT INTO counted_anew
    SELECT id, device_id, workload_id, agent_id, origin, provenance, measured_at, min_s FROM samples;
    DROP TABLE counted_anew;
    PERFORM look_again(ARRAY(SELECT sample_id FROM standings WHERE standing IN ('quarantined', 'rejected')));
END
$$;

-- Who is silent or failing is found among any number.
ALTER TABLE agent_reports ADD COLUMN failing boolean NOT NULL GENERATED ALWAYS AS (
    coalesce(rejected, 0) > 0 OR coalesce((run ->> 'failed')::bigint, 0) > 0
        OR coalesce(jsonb_array_length(run -> 'errors'), 0) > 0
) STORED;
CREATE INDEX agent_reports_by_time ON agent_reports (reported_at);
CREATE INDEX agent_reports_failing ON agent_reports (reported_at) WHERE failing;

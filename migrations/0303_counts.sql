-- Counts are kept, not counted: what listings show of all samples costs as much with a million of them as with a thousand. A
-- trigger keeps them, so that whoever inserts samples need not think of it. Every upload changes their rows in place: half of each
-- page is left for that.

-- A workload that a device has run, once or every night, by where the samples come from.
CREATE TABLE series (
    device_id integer NOT NULL REFERENCES devices DEFERRABLE INITIALLY DEFERRED,
    workload_id integer NOT NULL REFERENCES workloads DEFERRABLE INITIALLY DEFERRED,
    origin text NOT NULL,
    -- All of them, but the fastest repetition and the newest sample are of those in use; absent where none is.
    samples bigint NOT NULL,
    min_s finite,
    newest_id uuid,
    newest_at timestamptz,
    PRIMARY KEY (device_id, workload_id, origin)
) WITH (fillfactor = 50);
CREATE INDEX ON series (workload_id);

-- The newest sample in use of a workload on a device that a provider has counted, for each list of counters, and since when there
-- has been one with it; the newest is absent where all are set aside. So neither fits nor the gate go through all samples of a
-- device to find it.
CREATE TABLE counted_series (
    device_id integer NOT NULL,
    provider text NOT NULL,
    workload_id integer NOT NULL,
    list_id integer NOT NULL,
    oldest_at timestamptz NOT NULL,
    newest_id uuid,
    newest_at timestamptz,
    PRIMARY KEY (device_id, provider, workload_id, list_id)
) WITH (fillfactor = 50);

-- How many samples of a kernel have readings of the same counters.
CREATE TABLE reading_counts (
    kernel_id integer NOT NULL,
    provider text NOT NULL,
    list_id integer NOT NULL,
    samples bigint NOT NULL,
    PRIMARY KEY (kernel_id, provider, list_id)
) WITH (fillfactor = 50);

-- How many samples there are, by everything that is counted but the agent. Few rows: kernels, not workloads.
CREATE TABLE sample_counts (
    device_id integer NOT NULL REFERENCES devices DEFERRABLE INITIALLY DEFERRED,
    kernel_id integer NOT NULL REFERENCES kernels DEFERRABLE INITIALLY DEFERRED,
    origin text NOT NULL,
    -- Of the provenance; '': it has none.
    source_hash text NOT NULL,
    samples bigint NOT NULL,
    first_measured_at timestamptz NOT NULL,
    last_measured_at timestamptz NOT NULL
) WITH (fillfactor = 50);
-- No index takes text of any length, so it takes the hash of it.
CREATE UNIQUE INDEX sample_counts_key ON sample_counts (
    device_id, kernel_id, origin, hashtextextended(source_hash, 0)
);

-- A row that uploads of one agent share, and no others.
CREATE TABLE agent_counts (
    agent_id integer PRIMARY KEY REFERENCES agents DEFERRABLE INITIALLY DEFERRED,
    samples bigint NOT NULL,
    -- Of these.
    shipped bigint NOT NULL
) WITH (fillfactor = 50);

-- Adds new samples with their readings, which the same statement inserts: a sample comes whole. Rows are inserted and locked in
-- order, and tables always in this one: two uploads that meet wait for each other, not in a circle. Rows that more uploads share
-- come later, so that they wait for each other no longer than they must.
CREATE FUNCTION count_samples() RETURNS trigger LANGUAGE plpgsql
-- Plans are made once, when a table may be small still. Whatever its size later, each new sample is a look-up: in
-- workloads by a subquery, in readings by one that OFFSET 0 keeps from becoming a join.
SET enable_seqscan = off
SET enable_bitmapscan = off
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
        SELECT id, device_id, workload_id, measured_at, provider, list_id
        FROM new_rows
        CROSS JOIN LATERAL (
            SELECT provider, list_id FROM readings
            WHERE sample_id = new_rows.id AND refusal IS NULL OFFSET 0
        ) AS reading
    ), lists AS (
        INSERT INTO reading_counts AS kept (kernel_id, provider, list_id, samples)
        SELECT
            (SELECT kernel_id FROM workloads WHERE workloads.id = workload_id), provider, list_id, count(*)
        FROM counted
        GROUP BY 1, 2, 3
        ORDER BY 1, 2, 3
        ON CONFLICT (kernel_id, provider, list_id) DO UPDATE SET samples = kept.samples + excluded.samples
    )
    INSERT INTO counted_series AS kept (device_id, provider, workload_id, list_id, oldest_at, newest_id, newest_at)
    SELECT device_id, provider, workload_id, list_id, min(measured_at), (array_agg(id))[1], max(measured_at)
    FROM (
        SELECT device_id, provider, workload_id, list_id, id, measured_at
        FROM counted
        ORDER BY device_id, provider, workload_id, list_id, measured_at DESC, id DESC
    ) AS newest_first
    GROUP BY 1, 2, 3, 4
    ORDER BY 1, 2, 3, 4
    ON CONFLICT (device_id, provider, workload_id, list_id) DO UPDATE SET
        oldest_at = least(kept.oldest_at, excluded.oldest_at),
        newest_id = CASE
            WHEN kept.newest_id IS NULL
                OR (excluded.newest_at, excluded.newest_id) > (kept.newest_at, kept.newest_id)
            THEN excluded.newest_id ELSE kept.newest_id END,
        newest_at = greatest(kept.newest_at, excluded.newest_at)
    WHERE kept.newest_id IS NULL OR excluded.oldest_at < kept.oldest_at
        OR (excluded.newest_at, excluded.newest_id) > (kept.newest_at, kept.newest_id);

    INSERT INTO sample_counts AS kept (
        device_id, kernel_id, origin, source_hash, samples, first_measured_at, last_measured_at
    )
    SELECT
        device_id, (SELECT kernel_id FROM workloads WHERE workloads.id = workload_id), origin,
        coalesce((SELECT provenance ->> 'source_hash' FROM provenances WHERE id = provenance_id), ''),
        count(*), min(measured_at), max(measured_at)
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
CREATE TRIGGER count AFTER INSERT ON samples REFERENCING NEW TABLE AS new_rows
    FOR EACH STATEMENT EXECUTE FUNCTION count_samples();

-- Finds the newest and the fastest anew in the series of these samples, after they were set aside or taken back.
CREATE FUNCTION look_again(changed uuid[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    -- An upload to one of them waits, and has been seen by the statements below or comes after them.
    PERFORM FROM series
    WHERE (device_id, workload_id) IN (SELECT device_id, workload_id FROM samples WHERE id = ANY (changed))
    ORDER BY device_id, workload_id, origin
    FOR UPDATE;

    UPDATE series AS it
    SET newest_id = newest.id, newest_at = newest.measured_at, min_s = fastest.min_s
    FROM series AS key
    LEFT JOIN (
        SELECT device_id, workload_id, origin, min(min_s::float8) AS min_s
        FROM samples
        WHERE id = ANY (changed)
        GROUP BY 1, 2, 3
    ) AS moved USING (device_id, workload_id, origin)
    LEFT JOIN LATERAL (
        SELECT id, measured_at FROM samples_in_use
        WHERE device_id = key.device_id AND workload_id = key.workload_id AND origin = key.origin
        ORDER BY measured_at DESC, id DESC
        LIMIT 1
    ) AS newest ON true
    -- Among all of the series only where a change may change it.
    LEFT JOIN LATERAL (
        SELECT CASE WHEN moved.min_s IS NULL OR key.min_s < moved.min_s THEN key.min_s::float8 ELSE (
            SELECT min(min_s::float8) FROM samples_in_use
            WHERE device_id = key.device_id AND workload_id = key.workload_id AND origin = key.origin
        ) END AS min_s
    ) AS fastest ON true
    WHERE (key.device_id, key.workload_id) IN (
            SELECT device_id, workload_id FROM samples WHERE id = ANY (changed)
        )
        AND (it.device_id, it.workload_id, it.origin) = (key.device_id, key.workload_id, key.origin);

    -- So does one that brings another origin, of which there is no series to lock yet.
    PERFORM FROM counted_series
    WHERE (device_id, workload_id) IN (SELECT device_id, workload_id FROM samples WHERE id = ANY (changed))
    ORDER BY device_id, provider, workload_id, list_id
    FOR UPDATE;

    -- Only of lists that these have: the newest with another list is as it was.
    UPDATE counted_series AS it
    SET newest_id = newest.id, newest_at = newest.measured_at
    FROM (
        SELECT device_id, provider, workload_id, list_id, max(measured_at) AS newest_at
        FROM samples JOIN readings ON sample_id = id
        WHERE id = ANY (changed) AND refusal IS NULL
        GROUP BY 1, 2, 3, 4
    ) AS touched
    JOIN counted_series AS kept USING (device_id, provider, workload_id, list_id)
    LEFT JOIN LATERAL (
        SELECT id, measured_at FROM samples_in_use AS sample
        WHERE sample.device_id = kept.device_id AND sample.workload_id = kept.workload_id
            AND measured_at BETWEEN kept.oldest_at AND greatest(kept.newest_at, touched.newest_at)
            AND kept.list_id = (
                SELECT list_id FROM readings WHERE sample_id = sample.id AND provider = kept.provider
            )
        ORDER BY measured_at DESC, id DESC
        LIMIT 1
    ) AS newest ON true
    WHERE (it.device_id, it.provider, it.workload_id, it.list_id)
        = (kept.device_id, kept.provider, kept.workload_id, kept.list_id);
END
$$;

-- Of what is trusted the newest with this list, but for these; mostly the newest of all, or few before it. Of a new list
-- nothing is trusted at first: then nothing older than the list is looked at.
CREATE FUNCTION newest_trusted(kept counted_series, without uuid[])
RETURNS TABLE (id uuid, measured_at timestamptz) LANGUAGE sql STABLE AS $$
    SELECT it.id, it.measured_at FROM trusted_samples AS it
    WHERE it.device_id = kept.device_id AND it.workload_id = kept.workload_id
        AND (it.measured_at, it.id) <= (kept.newest_at, kept.newest_id) AND it.measured_at >= kept.oldest_at
        AND it.id <> ALL (without)
        AND kept.list_id = (
            SELECT list_id FROM readings WHERE sample_id = it.id AND provider = kept.provider
        )
    ORDER BY it.measured_at DESC, it.id DESC
    LIMIT 1
$$;

-- Counts everything anew, as if all samples had just come. Uploads wait meanwhile.
CREATE FUNCTION recount() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    LOCK TABLE samples IN SHARE ROW EXCLUSIVE MODE;
    DELETE FROM agent_counts;
    DELETE FROM sample_counts;
    DELETE FROM series;
    DELETE FROM counted_series;
    DELETE FROM reading_counts;
    DELETE FROM standings WHERE NOT EXISTS (SELECT FROM samples WHERE samples.id = sample_id);
    CREATE TEMPORARY TABLE counted_anew AS
        SELECT id, device_id, workload_id, agent_id, origin, provenance_id, measured_at, min_s FROM samples
        WITH NO DATA;
    CREATE TRIGGER count AFTER INSERT ON counted_anew REFERENCING NEW TABLE AS new_rows
        FOR EACH STATEMENT EXECUTE FUNCTION count_samples();
    INSERT INTO counted_anew
    SELECT id, device_id, workload_id, agent_id, origin, provenance_id, measured_at, min_s FROM samples;
    DROP TABLE counted_anew;
    PERFORM look_again(ARRAY(SELECT sample_id FROM standings WHERE standing IN ('quarantined', 'rejected')));
END
$$;

-- Samples are not changed and not deleted; whoever does so by hand finds the counts right all the same.
CREATE FUNCTION count_anew() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM recount();
    RETURN NULL;
END
$$;
CREATE TRIGGER count_anew
    AFTER UPDATE OF id, workload_id, device_id, agent_id, origin, provenance_id, measured_at, min_s, median_s
        OR DELETE OR TRUNCATE ON samples
    FOR EACH STATEMENT EXECUTE FUNCTION count_anew();

-- Whether a sample may be learned from. One that has no row here is sound: that is most of them, and their queries
-- need not know of this table. What the gate says and what an admin says stand beside each other, so that an
-- admin's word is never undone by the gate, and taking it back leaves what the gate had said.
CREATE TABLE standings (
    -- No reference: samples are never deleted, and the row comes with its sample.
    sample_id uuid PRIMARY KEY,
    -- As the sample has them, so that attention reads this table alone.
    device_id integer NOT NULL,
    agent_id integer NOT NULL,
    -- The gate's; absent: sound.
    judgement text CHECK (judgement IN ('unjudged', 'quarantined')),
    judgement_reason text,
    -- An admin's; absent: none.
    decision text CHECK (decision IN ('rejected', 'accepted')),
    decision_reason text,
    -- The name of the admin's token, or 'command line'.
    decided_by text,
    since timestamptz NOT NULL DEFAULT now(),
    standing text NOT NULL GENERATED ALWAYS AS (coalesce(decision, judgement)) STORED,
    CHECK ((judgement_reason IS NOT NULL) = (judgement IS NOT NULL AND judgement = 'quarantined')),
    CHECK ((decision IS NULL) = (decision_reason IS NULL)),
    CHECK ((decision IS NULL) = (decided_by IS NULL))
);
CREATE INDEX ON standings (standing, sample_id);

-- What came within the hour is judged again with what follows. In the order of time such an index is tiny.
CREATE INDEX ON samples USING brin (received_at) WITH (autosummarize = on);

-- Whoever inserts samples need not think of it. The data that come with Kerncast are trusted: only an admin's
-- token brings them.
CREATE FUNCTION await_judgement() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO standings (sample_id, device_id, agent_id, judgement)
    SELECT id, device_id, agent_id, 'unjudged' FROM new_rows WHERE origin <> 'shipped' ORDER BY id;
    RETURN NULL;
END
$$;
CREATE TRIGGER await_judgement AFTER INSERT ON samples REFERENCING NEW TABLE AS new_rows
    FOR EACH STATEMENT EXECUTE FUNCTION await_judgement();

-- A changed standing is a change of samples.
CREATE TRIGGER tell_new AFTER INSERT ON standings REFERENCING NEW TABLE AS new_rows
    FOR EACH STATEMENT EXECUTE FUNCTION tell_of_samples();
CREATE TRIGGER tell_changed AFTER UPDATE ON standings REFERENCING NEW TABLE AS new_rows
    FOR EACH STATEMENT EXECUTE FUNCTION tell_of_samples();
CREATE TRIGGER tell_gone AFTER DELETE ON standings REFERENCING OLD TABLE AS new_rows
    FOR EACH STATEMENT EXECUTE FUNCTION tell_of_samples();

-- What is shown of times: all but what is set aside, by the gate or by an admin.
CREATE VIEW samples_in_use AS
SELECT * FROM samples
WHERE NOT EXISTS (
    SELECT FROM standings WHERE sample_id = samples.id AND standing IN ('quarantined', 'rejected')
);
-- What is fitted: only what the gate found sound or an admin has accepted.
CREATE VIEW trusted_samples AS
SELECT * FROM samples
WHERE NOT EXISTS (SELECT FROM standings WHERE sample_id = samples.id AND standing <> 'accepted');

-- A series counts all its samples, but its newest and its fastest are in use; absent where none is.
ALTER TABLE series
    ALTER min_s DROP NOT NULL,
    ALTER newest_id DROP NOT NULL,
    ALTER newest_at DROP NOT NULL;

-- As in 0018, but that a series may have had no sample in use.
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
    RETURN NULL;
END
$$;

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
    LEFT JOIN LATERAL (
        SELECT id, measured_at FROM samples_in_use
        WHERE device_id = key.device_id AND workload_id = key.workload_id AND origin = key.origin
        ORDER BY measured_at DESC, id DESC
        LIMIT 1
    ) AS newest ON true
    LEFT JOIN LATERAL (
        SELECT min(min_s::float8) AS min_s FROM samples_in_use
        WHERE device_id = key.device_id AND workload_id = key.workload_id AND origin = key.origin
    ) AS fastest ON true
    WHERE (key.device_id, key.workload_id) IN (
            SELECT device_id, workload_id FROM samples WHERE id = ANY (changed)
        )
        AND (it.device_id, it.workload_id, it.origin) = (key.device_id, key.workload_id, key.origin);

    DELETE FROM counted_series
    WHERE (device_id, workload_id) IN (SELECT device_id, workload_id FROM samples WHERE id = ANY (changed));
    INSERT INTO counted_series (device_id, provider, workload_id, newest_id, newest_at)
    SELECT DISTINCT ON (device_id, provider, workload_id) device_id, provider, workload_id, id, measured_at
    FROM samples_in_use
    JOIN readings ON sample_id = id AND refusal IS NULL AND provider <> 'launch'
    WHERE (device_id, workload_id) IN (SELECT device_id, workload_id FROM samples WHERE id = ANY (changed))
    ORDER BY device_id, provider, workload_id, measured_at DESC, id DESC;
END
$$;

-- As in 0018, and then what is set aside.
CREATE OR REPLACE FUNCTION recount() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    LOCK TABLE samples IN SHARE ROW EXCLUSIVE MODE;
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

-- What is there is sound, but for times that no clock of OpenCL resolves: older servers took them, and one made
-- every fit of its device fail.
INSERT INTO standings (sample_id, device_id, agent_id, judgement, judgement_reason)
SELECT
    id, device_id, agent_id, 'quarantined',
    format('its median of %s s is below 1 ns, which no clock of OpenCL resolves', median_s::float8)
FROM samples
WHERE median_s < 1e-9;
SELECT look_again(ARRAY(SELECT sample_id FROM standings));
INSERT INTO fitting_jobs (device_id, provider)
SELECT DISTINCT device_id, provider
FROM standings JOIN readings USING (sample_id)
WHERE refusal IS NULL;

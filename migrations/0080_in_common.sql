-- What many samples have in common is stored once: their lists of counters, so far only of readings on shards, and what
-- was built from what with which driver. Of a real sample both are a fifth of its bytes. And the newest sample is known
-- of each list, so that neither fits nor the gate go through all samples of a device to find it: with 50,000 of them that
-- took a fit 0.3 s and the gate 0.8 s at a time. Rows of before stay as they are: views and coalesce() read both.
-- Uploads wait meanwhile.
DO $$ BEGIN LOCK TABLE samples, readings IN ACCESS EXCLUSIVE MODE; END $$;

INSERT INTO counter_lists (list, counter_ids)
SELECT DISTINCT sha256(array_send(counter_ids)), counter_ids FROM readings WHERE counter_ids IS NOT NULL ORDER BY 1
ON CONFLICT DO NOTHING;

-- Values are here or on a shard, with their counters or the list of them.
ALTER TABLE readings
    DROP CONSTRAINT readings_check,
    DROP CONSTRAINT readings_shard_check,
    ADD CONSTRAINT readings_values_somewhere CHECK (num_nonnulls(values, shard, refusal) = 1) NOT VALID,
    ADD CONSTRAINT readings_shard_check CHECK (shard IS NULL OR list_id IS NOT NULL) NOT VALID;

CREATE OR REPLACE VIEW counted_readings AS
SELECT
    sample_id, provider,
    coalesce(counter_ids, (SELECT counter_lists.counter_ids FROM counter_lists WHERE id = list_id)) AS counter_ids,
    values, scope, refusal, shard,
    coalesce(
        list_id,
        CASE WHEN counter_ids IS NOT NULL THEN
            (SELECT id FROM counter_lists WHERE list = sha256(array_send(readings.counter_ids)))
        END
    ) AS list_id
FROM readings;

CREATE TABLE provenances (
    id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    -- SHA-256 of its text.
    hash bytea NOT NULL UNIQUE,
    provenance jsonb NOT NULL
);
-- No reference, which would be checked for each: none is deleted.
ALTER TABLE samples
    ALTER provenance DROP NOT NULL,
    ADD provenance_id integer,
    ADD CONSTRAINT samples_provenance_check CHECK (num_nonnulls(provenance, provenance_id) = 1) NOT VALID;
-- As the others: its place in the batch's list.
ALTER TYPE new_sample ALTER ATTRIBUTE provenance TYPE integer;

-- As in 0034.
CREATE OR REPLACE VIEW samples_in_use AS
SELECT
    id, content_hash, workload_id, device_id, agent_id, measured_at, received_at, repetitions, min_s, median_s, cv,
    launches_per_repetition, settled, cold_repetitions, conditions, flags, provenance, origin, numbers, token_id,
    provenance_id
FROM samples
WHERE NOT EXISTS (SELECT FROM standings WHERE sample_id = samples.id AND standing IN ('quarantined', 'rejected'));

CREATE OR REPLACE VIEW trusted_samples AS
SELECT
    id, content_hash, workload_id, device_id, agent_id, measured_at, received_at, repetitions, min_s, median_s, cv,
    launches_per_repetition, settled, cold_repetitions, conditions, flags, provenance, origin, numbers, token_id,
    provenance_id
FROM samples
WHERE NOT EXISTS (SELECT FROM standings WHERE sample_id = samples.id AND standing <> 'accepted');

-- For each list, and since when there has been one with it; the newest is absent where all are set aside.
TRUNCATE counted_series;
ALTER TABLE counted_series
    ADD list_id integer NOT NULL,
    ADD oldest_at timestamptz NOT NULL,
    ALTER newest_id DROP NOT NULL,
    ALTER newest_at DROP NOT NULL,
    DROP CONSTRAINT counted_series_pkey,
    ADD PRIMARY KEY (device_id, provider, workload_id, list_id);

-- Of what is trusted the newest with this list, but for these; mostly the newest of all, or few before it. Of a new list
-- nothing is trusted at first: then nothing older than the list is looked at.
CREATE FUNCTION newest_trusted(kept counted_series, without uuid[])
RETURNS TABLE (id uuid, measured_at timestamptz) LANGUAGE sql STABLE AS $$
    SELECT it.id, it.measured_at FROM trusted_samples AS it
    WHERE it.device_id = kept.device_id AND it.workload_id = kept.workload_id
        AND (it.measured_at, it.id) <= (kept.newest_at, kept.newest_id) AND it.measured_at >= kept.oldest_at
        AND it.id <> ALL (without)
        AND kept.list_id = (
            SELECT list_id FROM counted_readings WHERE sample_id = it.id AND provider = kept.provider
        )
    ORDER BY it.measured_at DESC, it.id DESC
    LIMIT 1
$$;

-- As in 0079, for servers since then.
CREATE OR REPLACE FUNCTION store_samples(
    names jsonb, samples_in new_sample[], readings_in new_reading[], token bigint, describes boolean
)
RETURNS TABLE (sample integer, stored_hash bytea)
LANGUAGE plpgsql
-- A plan made for a batch of ten would crawl through one of ten thousand.
SET plan_cache_mode = force_custom_plan
AS $$
#variable_conflict use_column
DECLARE
    device_ids integer[];
    agent_ids integer[];
    workload_ids integer[];
    lists bytea[];
    list_ids integer[];
    provenance_ids integer[];
    stored bigint[];
    placed smallint[];
    warm_were integer[];
    cold_were integer[];
BEGIN
    PERFORM store_devices_and_agents(names, describes);

    INSERT INTO kernels AS known (name, family)
    SELECT new.kernel, max(new.family)
    FROM jsonb_to_recordset(names -> 'workloads') AS new (kernel text, family text)
    WHERE NOT EXISTS (
        SELECT FROM kernels AS old
        WHERE old.name = new.kernel
            AND (
                old.family IS NOT DISTINCT FROM coalesce(new.family, old.family)
                OR old.family IS NOT NULL AND NOT describes
            )
    )
    GROUP BY new.kernel
    ORDER BY new.kernel
    ON CONFLICT (name) DO UPDATE
        SET family = coalesce(CASE WHEN describes THEN excluded.family END, known.family, excluded.family);

    INSERT INTO workloads (kernel_id, variant, parameters)
    SELECT DISTINCT kernels.id, new.variant, new.parameters
    FROM jsonb_to_recordset(names -> 'workloads') AS new (kernel text, variant text, parameters jsonb)
    JOIN kernels ON kernels.name = new.kernel
    WHERE NOT EXISTS (
        SELECT FROM workloads AS old
        WHERE old.kernel_id = kernels.id AND old.variant = new.variant AND old.parameters = new.parameters
    )
    ORDER BY 1, 2, 3
    ON CONFLICT DO NOTHING;

    INSERT INTO counters (provider, name)
    SELECT DISTINCT list.provider, new.name
    FROM jsonb_to_recordset(names -> 'counter_lists') AS list (provider text, names text[])
    CROSS JOIN unnest(list.names) AS new (name)
    WHERE NOT EXISTS (
        SELECT FROM counters AS old WHERE old.provider = list.provider AND old.name = new.name
    )
    ORDER BY 1, 2
    ON CONFLICT DO NOTHING;

    SELECT array_agg(devices.id ORDER BY place) INTO device_ids
    FROM jsonb_array_elements(names -> 'devices') WITH ORDINALITY AS new (item, place)
    JOIN devices ON devices.vendor = item ->> 'vendor' AND devices.name = item ->> 'name';

    SELECT array_agg(agents.id ORDER BY place) INTO agent_ids
    FROM jsonb_array_elements(names -> 'agents') WITH ORDINALITY AS new (item, place)
    JOIN agents ON agents.name = item ->> 'name' AND agents.version = item ->> 'version';

    -- A look-up in the index for each: a join may go by the variant alone, which most workloads share.
    SELECT array_agg(
        (
            SELECT workloads.id FROM workloads
            WHERE kernel_id = (SELECT kernels.id FROM kernels WHERE kernels.name = item ->> 'kernel')
                AND variant = item ->> 'variant' AND parameters = item -> 'parameters'
        )
        ORDER BY place
    ) INTO workload_ids
    FROM jsonb_array_elements(names -> 'workloads') WITH ORDINALITY AS new (item, place);

    SELECT array_agg(sha256(array_send(counter_ids)) ORDER BY place) INTO lists FROM named_lists(names);
    IF EXISTS (
        SELECT FROM unnest(lists) AS new (list) WHERE NOT EXISTS (SELECT FROM counter_lists AS old WHERE old.list = new.list)
    ) THEN
        INSERT INTO counter_lists (list, counter_ids)
        SELECT DISTINCT sha256(array_send(counter_ids)), counter_ids FROM named_lists(names)
        ORDER BY 1
        ON CONFLICT DO NOTHING;
    END IF;
    SELECT array_agg((SELECT id FROM counter_lists WHERE counter_lists.list = new.list) ORDER BY place) INTO list_ids
    FROM unnest(lists) WITH ORDINALITY AS new (list, place);

    INSERT INTO provenances (hash, provenance)
    SELECT DISTINCT sha256(convert_to(item::text, 'UTF8')), item
    FROM jsonb_array_elements(names -> 'provenances') AS new (item)
    WHERE NOT EXISTS (SELECT FROM provenances AS old WHERE old.hash = sha256(convert_to(new.item::text, 'UTF8')))
    ORDER BY 1
    ON CONFLICT DO NOTHING;

    SELECT array_agg(
        (SELECT id FROM provenances WHERE hash = sha256(convert_to(item::text, 'UTF8')))
        ORDER BY place
    ) INTO provenance_ids
    FROM jsonb_array_elements(names -> 'provenances') WITH ORDINALITY AS new (item, place);

    IF names ? 'shards' THEN
        SELECT array_agg(shard::smallint ORDER BY place) INTO placed
        FROM jsonb_array_elements_text(names -> 'shards') WITH ORDINALITY AS new (shard, place);

        SELECT array_agg(were::integer ORDER BY place) INTO warm_were
        FROM jsonb_array_elements_text(names -> 'warm_were') WITH ORDINALITY AS new (were, place);
        SELECT array_agg(were::integer ORDER BY place) INTO cold_were
        FROM jsonb_array_elements_text(names -> 'cold_were') WITH ORDINALITY AS new (were, place);
    END IF;

    WITH arrived AS MATERIALIZED (
        SELECT *
        FROM unnest(samples_in) WITH ORDINALITY AS new (
            id, content_hash, workload, device, agent, measured_at, repetitions, min_s, median_s, cv,
            launches_per_repetition, settled, cold_repetitions, conditions, flags, provenance, origin,
            place
        )
    ), inserted AS (
        INSERT INTO samples (
            id, content_hash, workload_id, device_id, agent_id, measured_at, repetitions, min_s,
            median_s, cv, launches_per_repetition, settled, cold_repetitions, conditions, flags,
            provenance_id, origin, token_id, repetitions_were, cold_were, shard
        )
        SELECT
            id, content_hash, workload_ids[workload], device_ids[device], agent_ids[agent], measured_at,
            repetitions, min_s, median_s, cv, launches_per_repetition, settled, cold_repetitions, conditions,
            flags, provenance_ids[provenance], origin, token, CASE WHEN away THEN warm END, CASE WHEN away THEN cold END,
            CASE WHEN away THEN placed[place] END
        FROM arrived
        CROSS JOIN LATERAL (
            SELECT warm_were[place] AS warm, cold_were[place] AS cold,
                coalesce(placed[place] > 0 AND warm_were[place] > 3, false) AS away
        ) AS times
        ORDER BY id
        ON CONFLICT (id) DO NOTHING
        RETURNING id, content_hash
    ), fresh AS (
        SELECT place, id FROM inserted JOIN arrived USING (id, content_hash)
    ), counted AS (
        INSERT INTO readings (sample_id, provider, list_id, values, scope, refusal, shard)
        SELECT
            fresh.id, new.provider, list_ids[new.counter_list], new.values, new.scope, new.refusal,
            CASE WHEN new.values IS NULL AND new.refusal IS NULL THEN placed[new.sample] END
        FROM unnest(readings_in) AS new
        JOIN fresh ON fresh.place = new.sample
    )
    SELECT coalesce(array_agg(place), '{}') INTO stored FROM fresh;

    -- Of what is fresh no plan knows how many rows it has: taken for one, it was joined by trying every pair. Of arrays it does.
    INSERT INTO fitting_jobs (device_id, provider)
    SELECT DISTINCT device_ids[sample.device], new.provider
    FROM unnest(readings_in) AS new
    JOIN unnest(samples_in) WITH ORDINALITY AS sample (
        id, content_hash, workload, device, agent, measured_at, repetitions, min_s, median_s, cv,
        launches_per_repetition, settled, cold_repetitions, conditions, flags, provenance, origin, place
    ) ON sample.place = new.sample
    WHERE new.refusal IS NULL AND sample.place = ANY (stored);

    -- Whom another batch sees at this moment need not be waited for.
    WITH seen AS (
        SELECT id FROM agents WHERE id = ANY (agent_ids) ORDER BY id FOR NO KEY UPDATE SKIP LOCKED
    )
    UPDATE agents SET last_seen_at = now() FROM seen WHERE agents.id = seen.id;

    IF cardinality(stored) = cardinality(samples_in) THEN
        RETURN;
    END IF;
    -- A new statement, so that it sees what another batch committed meanwhile.
    RETURN QUERY
    SELECT new.place::integer, samples.content_hash
    FROM unnest(samples_in) WITH ORDINALITY AS new (
        id, content_hash, workload, device, agent, measured_at, repetitions, min_s, median_s, cv,
        launches_per_repetition, settled, cold_repetitions, conditions, flags, provenance, origin, place
    )
    JOIN samples ON samples.id = new.id
    WHERE NOT EXISTS (SELECT FROM unnest(stored) AS it WHERE it = new.place);
END
$$;

-- As in 0072, by list, also of what a launch tells.
CREATE OR REPLACE FUNCTION count_samples() RETURNS trigger LANGUAGE plpgsql
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
            SELECT provider, list_id FROM counted_readings
            WHERE sample_id = new_rows.id AND refusal IS NULL OFFSET 0
        ) AS reading
    ), lists AS (
        INSERT INTO reading_counts AS kept (kernel_id, provider, list, counter_ids, samples)
        SELECT kernel_id, provider, list, counter_ids, samples
        FROM (
            SELECT
                (SELECT kernel_id FROM workloads WHERE workloads.id = workload_id) AS kernel_id, provider, list_id,
                count(*) AS samples
            FROM counted
            GROUP BY 1, 2, 3
        ) AS counts
        JOIN counter_lists ON counter_lists.id = list_id
        ORDER BY 1, 2, 3
        ON CONFLICT (kernel_id, provider, list) DO UPDATE SET samples = kept.samples + excluded.samples
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
        coalesce(
            provenance ->> 'source_hash',
            (SELECT provenances.provenance ->> 'source_hash' FROM provenances WHERE provenances.id = provenance_id),
            ''
        ),
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

-- As in 0034, by list.
CREATE OR REPLACE FUNCTION look_again(changed uuid[]) RETURNS void LANGUAGE plpgsql AS $$
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
        FROM samples JOIN counted_readings ON sample_id = id
        WHERE id = ANY (changed) AND refusal IS NULL
        GROUP BY 1, 2, 3, 4
    ) AS touched
    JOIN counted_series AS kept USING (device_id, provider, workload_id, list_id)
    LEFT JOIN LATERAL (
        SELECT id, measured_at FROM samples_in_use AS sample
        WHERE sample.device_id = kept.device_id AND sample.workload_id = kept.workload_id
            AND measured_at BETWEEN kept.oldest_at AND greatest(kept.newest_at, touched.newest_at)
            AND kept.list_id = (
                SELECT list_id FROM counted_readings WHERE sample_id = sample.id AND provider = kept.provider
            )
        ORDER BY measured_at DESC, id DESC
        LIMIT 1
    ) AS newest ON true
    WHERE (it.device_id, it.provider, it.workload_id, it.list_id)
        = (kept.device_id, kept.provider, kept.workload_id, kept.list_id);
END
$$;

DROP TRIGGER count_anew ON samples;
CREATE TRIGGER count_anew
    AFTER DELETE OR TRUNCATE
    OR UPDATE OF id, workload_id, device_id, agent_id, origin, provenance, provenance_id, measured_at, min_s, median_s
    ON samples FOR EACH STATEMENT EXECUTE FUNCTION count_anew();

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
        SELECT id, device_id, workload_id, agent_id, origin, provenance, provenance_id, measured_at, min_s FROM samples
        WITH NO DATA;
    CREATE TRIGGER count AFTER INSERT ON counted_anew REFERENCING NEW TABLE AS new_rows
        FOR EACH STATEMENT EXECUTE FUNCTION count_samples();
    INSERT INTO counted_anew
    SELECT id, device_id, workload_id, agent_id, origin, provenance, provenance_id, measured_at, min_s FROM samples;
    DROP TABLE counted_anew;
    PERFORM look_again(ARRAY(SELECT sample_id FROM standings WHERE standing IN ('quarantined', 'rejected')));
END
$$;

SELECT recount();

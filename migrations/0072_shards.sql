-- The values of readings may be elsewhere, on shards: other databases, each of which has those of some devices' samples
-- (docs/scale.md). All else stays here: who counted which counters of a sample, or why not. So only who wants the
-- values needs a shard.

CREATE TABLE shards (
    number smallint PRIMARY KEY CHECK (number > 0),
    name text NOT NULL UNIQUE CHECK (name ~ '^[a-z0-9_-]{1,40}$'),
    -- The shard's own table `this_shard` has it too, so that another database in its place is found out.
    id uuid NOT NULL UNIQUE,
    added_at timestamptz NOT NULL DEFAULT now(),
    -- What was written there until then has been looked through for values whose samples never came.
    swept_until timestamptz NOT NULL DEFAULT now()
);

-- Whose turn it is to have a new device: each shard draws a number for it, and the highest has it. So a shard that is
-- added gets its share, and no device goes from one of the others to another.
CREATE FUNCTION shard_of(vendor text, device text) RETURNS smallint LANGUAGE sql STABLE AS $$
    SELECT number FROM shards
    ORDER BY sha256(convert_to(shards.name || E'\n' || vendor || E'\n' || device, 'UTF8')) DESC
    LIMIT 1
$$;

-- Where the values of its new samples go; absent: they stay here.
ALTER TABLE devices ADD shard smallint REFERENCES shards;
CREATE FUNCTION place_device() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.shard := coalesce(NEW.shard, shard_of(NEW.vendor, NEW.name));
    RETURN NEW;
END
$$;
CREATE TRIGGER place BEFORE INSERT ON devices FOR EACH ROW EXECUTE FUNCTION place_device();

-- Lists of counters, each once: readings whose values are elsewhere name theirs.
CREATE TABLE counter_lists (
    id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    -- SHA-256 of counter_ids, which may be thousands.
    list bytea NOT NULL UNIQUE,
    counter_ids integer[] NOT NULL
);

-- A reading has counters and values, or names its list and the shard that has the values, or is refused. No references,
-- which would be checked for each: neither lists nor shards are deleted.
ALTER TABLE readings
    ADD list_id integer,
    ADD shard smallint,
    DROP CONSTRAINT readings_check1,
    ADD CONSTRAINT readings_one_of CHECK (num_nonnulls(counter_ids, list_id, refusal) = 1) NOT VALID,
    ADD CONSTRAINT readings_shard_check CHECK ((list_id IS NULL) = (shard IS NULL)) NOT VALID;

-- Readings with their counters, wherever the values are.
CREATE VIEW counted_readings AS
SELECT
    sample_id, provider,
    coalesce(counter_ids, (SELECT counter_lists.counter_ids FROM counter_lists WHERE id = list_id)) AS counter_ids,
    values, scope, refusal, shard
FROM readings;

-- The numbers of a batch's lists of counters, in their order.
CREATE FUNCTION named_lists(names jsonb) RETURNS TABLE (place bigint, counter_ids integer[]) LANGUAGE sql STABLE AS $$
    SELECT list.place, array_agg(counters.id ORDER BY counter.place)
    FROM jsonb_array_elements(names -> 'counter_lists') WITH ORDINALITY AS list (item, place)
    CROSS JOIN jsonb_array_elements_text(list.item -> 'names') WITH ORDINALITY AS counter (name, place)
    JOIN counters ON counters.provider = list.item ->> 'provider' AND counters.name = counter.name
    GROUP BY list.place
$$;

-- As in 0033, with values that are elsewhere: `names` then has "shards", for each sample the number of the shard that
-- its values have been written to, or 0.
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
    stored bigint[];
    placed smallint[];
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

    IF names ? 'shards' THEN
        SELECT array_agg(shard::smallint ORDER BY place) INTO placed
        FROM jsonb_array_elements_text(names -> 'shards') WITH ORDINALITY AS new (shard, place);

        INSERT INTO counter_lists (list, counter_ids)
        SELECT DISTINCT sha256(array_send(counter_ids)), counter_ids
        FROM named_lists(names)
        WHERE NOT EXISTS (SELECT FROM counter_lists AS old WHERE old.list = sha256(array_send(named_lists.counter_ids)))
        ORDER BY 1
        ON CONFLICT DO NOTHING;
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
            provenance, origin, token_id
        )
        SELECT
            id, content_hash, workload_ids[workload], device_ids[device], agent_ids[agent], measured_at,
            repetitions, min_s, median_s, cv, launches_per_repetition, settled, cold_repetitions,
            conditions, flags, provenance, origin, token
        FROM arrived
        ORDER BY id
        ON CONFLICT (id) DO NOTHING
        RETURNING id, content_hash, device_id
    ), fresh AS (
        SELECT place, id, device_id FROM inserted JOIN arrived USING (id, content_hash)
    ), lists AS (
        SELECT
            place, counter_ids,
            CASE WHEN names ? 'shards' THEN (
                SELECT id FROM counter_lists WHERE list = sha256(array_send(named.counter_ids))
            ) END AS list_id
        FROM named_lists(names) AS named
    ), counted AS (
        INSERT INTO readings (sample_id, provider, counter_ids, values, scope, refusal, list_id, shard)
        SELECT
            fresh.id, new.provider, CASE WHEN new.values IS NOT NULL THEN lists.counter_ids END, new.values, new.scope,
            new.refusal, CASE WHEN new.values IS NULL THEN lists.list_id END,
            CASE WHEN new.values IS NULL AND new.refusal IS NULL THEN placed[new.sample] END
        FROM unnest(readings_in) AS new
        JOIN fresh ON fresh.place = new.sample
        LEFT JOIN lists ON lists.place = new.counter_list
        RETURNING sample_id, provider, refusal
    ), asked AS (
        INSERT INTO fitting_jobs (device_id, provider)
        SELECT DISTINCT fresh.device_id, counted.provider
        FROM counted JOIN fresh ON fresh.id = counted.sample_id
        WHERE counted.refusal IS NULL
    )
    SELECT coalesce(array_agg(place), '{}') INTO stored FROM fresh;

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

-- As in 0070, of readings wherever their values are.
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
            SELECT provider, counter_ids FROM counted_readings
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

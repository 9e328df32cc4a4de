-- A batch of samples in one call: one round trip, one transaction, one commit for all of it.

-- A sample of a batch. workload, device, agent and provenance are places (from 1) in the batch's lists of them.
CREATE TYPE new_sample AS (
    id uuid,
    content_hash bytea,
    workload integer,
    device integer,
    agent integer,
    measured_at timestamptz,
    repetitions double precision[],
    min_s double precision,
    median_s double precision,
    cv double precision,
    launches_per_repetition bigint,
    settled boolean,
    cold_repetitions double precision[],
    conditions jsonb,
    flags text[],
    provenance integer,
    origin text
);

-- A reading of a batch. sample is a place (from 1) among the samples; counter_list one among the lists
-- of counters, since most samples of a batch have the same counters.
CREATE TYPE new_reading AS (
    sample integer,
    provider text,
    counter_list integer,
    values double precision[],
    scope text,
    refusal text
);

-- Makes the devices and agents of an upload known: `names` is {"devices": [{vendor, name, kind, …}], "agents": [{name, version}]}.
-- What is known of a device changes only where the upload `describes`, as an admin's does: another adds what is missing. Rows are
-- inserted and locked in order: two uploads that meet wait for each other, not in a circle.
CREATE FUNCTION store_devices_and_agents(names jsonb, describes boolean)
RETURNS void
LANGUAGE plpgsql
AS $$
#variable_conflict use_column
BEGIN
    INSERT INTO devices (
        vendor, name, kind, compute_units, global_memory_bytes, local_memory_bytes,
        max_work_group_size, max_buffer_bytes, cache_bytes
    )
    SELECT
        vendor, name, kind, compute_units, global_memory_bytes, local_memory_bytes,
        max_work_group_size, max_buffer_bytes, cache_bytes
    FROM jsonb_populate_recordset(NULL::devices, names -> 'devices') AS new
    WHERE NOT EXISTS (SELECT FROM devices AS old WHERE old.vendor = new.vendor AND old.name = new.name)
    ORDER BY vendor, name
    ON CONFLICT DO NOTHING;

    WITH changed AS (
        SELECT said.*
        FROM devices AS old
        JOIN (SELECT jsonb_strip_nulls(item) AS item FROM jsonb_array_elements(names -> 'devices') AS new (item)) AS new
            ON old.vendor = item ->> 'vendor' AND old.name = item ->> 'name'
        CROSS JOIN jsonb_populate_record(
            old, CASE WHEN describes THEN item ELSE item || jsonb_strip_nulls(to_jsonb(old)) END
        ) AS said
        WHERE said.* IS DISTINCT FROM old.*
        ORDER BY old.id
        FOR NO KEY UPDATE OF old
    )
    UPDATE devices AS old
    SET kind = changed.kind,
        compute_units = changed.compute_units,
        global_memory_bytes = changed.global_memory_bytes,
        local_memory_bytes = changed.local_memory_bytes,
        max_work_group_size = changed.max_work_group_size,
        max_buffer_bytes = changed.max_buffer_bytes,
        cache_bytes = changed.cache_bytes
    FROM changed
    WHERE old.id = changed.id;

    INSERT INTO agents (name, version)
    SELECT name, version
    FROM jsonb_populate_recordset(NULL::agents, names -> 'agents') AS new
    WHERE NOT EXISTS (SELECT FROM agents AS old WHERE old.name = new.name AND old.version = new.version)
    ORDER BY name, version
    ON CONFLICT DO NOTHING;
END
$$;

-- The numbers of a batch's lists of counters, in their order.
CREATE FUNCTION named_lists(names jsonb) RETURNS TABLE (place bigint, counter_ids integer[]) LANGUAGE sql STABLE AS $$
    SELECT list.place, array_agg(counters.id ORDER BY counter.place)
    FROM jsonb_array_elements(names -> 'counter_lists') WITH ORDINALITY AS list (item, place)
    CROSS JOIN jsonb_array_elements_text(list.item -> 'names') WITH ORDINALITY AS counter (name, place)
    JOIN counters ON counters.provider = list.item ->> 'provider' AND counters.name = counter.name
    GROUP BY list.place
$$;

-- Stores a batch, and returns those of its samples whose id was there before, by place, with the hash of what is stored under it.
-- `names` has, beside devices and agents, "workloads": [{kernel, family, variant, parameters}], "counter_lists":
-- [{provider, names}] and "provenances". A kernel's family is treated as a device is.
CREATE FUNCTION store_samples(
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
    room integer := CASE WHEN describes THEN 2 ELSE 1 END;
    brings_providers boolean;
    brings_names boolean;
    stored bigint[];
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

    brings_providers := EXISTS (
        SELECT FROM jsonb_to_recordset(names -> 'counter_lists') AS list (provider text)
        WHERE NOT EXISTS (SELECT FROM counters AS old WHERE old.provider = list.provider)
    );
    INSERT INTO counters (provider, name)
    SELECT DISTINCT list.provider, new.name
    FROM jsonb_to_recordset(names -> 'counter_lists') AS list (provider text, names text[])
    CROSS JOIN unnest(list.names) AS new (name)
    WHERE NOT EXISTS (
        SELECT FROM counters AS old WHERE old.provider = list.provider AND old.name = new.name
    )
    ORDER BY 1, 2
    ON CONFLICT DO NOTHING;
    brings_names := FOUND;
    -- Every fit and many listings go through them. An admin may bring twice as many, so that there is room where agents have
    -- used theirs up. Batches that bring names wait for each other: one does not see what another has not committed.
    IF brings_names THEN
        PERFORM pg_advisory_xact_lock(308);
        IF (
            SELECT count(*) > 20000 * room OR brings_providers AND count(DISTINCT provider) > 100 * room
            FROM counters
        ) THEN
            RAISE EXCEPTION USING ERRCODE = 'KC001', MESSAGE = format(
                'a known counter: there are at most %s, of %s providers%s', 20000 * room, 100 * room,
                CASE WHEN describes THEN '' ELSE '; an admin''s token may bring twice as many' END
            );
        END IF;
    END IF;

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
            provenance_id, origin, token_id
        )
        SELECT
            id, content_hash, workload_ids[workload], device_ids[device], agent_ids[agent], measured_at,
            repetitions, min_s, median_s, cv, launches_per_repetition, settled, cold_repetitions, conditions,
            flags, provenance_ids[provenance], origin, token
        FROM arrived
        ORDER BY id
        ON CONFLICT (id) DO NOTHING
        RETURNING id, content_hash
    ), fresh AS (
        SELECT place, id FROM inserted JOIN arrived USING (id, content_hash)
    ), counted AS (
        INSERT INTO readings (sample_id, provider, list_id, values, scope, refusal)
        SELECT
            fresh.id, new.provider, list_ids[new.counter_list], new.values, new.scope, new.refusal
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
    -- What is not stored brings no names.
    IF brings_names THEN
        RAISE EXCEPTION 'new names beside samples that are there' USING ERRCODE = 'KC002';
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

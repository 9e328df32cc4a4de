-- Whose token brought what; absent: uploaded to an earlier server. No references: a token that was deleted by
-- hand leaves its number, which no other gets.
ALTER TABLE samples ADD token_id bigint;
ALTER TABLE ceilings ADD token_id bigint;
ALTER TABLE sources ADD token_id bigint;

-- As in 0006, but what is known of a device changes only where the upload `describes`, as an admin's does:
-- another adds what is missing.
DROP FUNCTION store_samples(jsonb, new_sample[], new_reading[]);
DROP FUNCTION store_devices_and_agents(jsonb);
CREATE FUNCTION store_devices_and_agents(names jsonb, describes boolean)
RETURNS void
LANGUAGE plpgsql
AS $$
#variable_conflict use_column
BEGIN
    INSERT INTO devices (vendor, name, kind, compute_units, global_memory_bytes, local_memory_bytes)
    SELECT vendor, name, kind, compute_units, global_memory_bytes, local_memory_bytes
    FROM jsonb_populate_recordset(NULL::devices, names -> 'devices') AS new
    WHERE NOT EXISTS (SELECT FROM devices AS old WHERE old.vendor = new.vendor AND old.name = new.name)
    ORDER BY vendor, name
    ON CONFLICT DO NOTHING;

    WITH said AS (
        SELECT
            vendor, name,
            CASE WHEN describes THEN new.kind ELSE old.kind END AS kind,
            coalesce(CASE WHEN describes THEN new.compute_units END, old.compute_units, new.compute_units)
                AS compute_units,
            coalesce(
                CASE WHEN describes THEN new.global_memory_bytes END,
                old.global_memory_bytes, new.global_memory_bytes
            ) AS global_memory_bytes,
            coalesce(
                CASE WHEN describes THEN new.local_memory_bytes END,
                old.local_memory_bytes, new.local_memory_bytes
            ) AS local_memory_bytes
        FROM devices AS old
        JOIN jsonb_populate_recordset(NULL::devices, names -> 'devices') AS new USING (vendor, name)
    ), changed AS (
        SELECT old.id, said.kind, said.compute_units, said.global_memory_bytes, said.local_memory_bytes
        FROM said
        JOIN devices AS old USING (vendor, name)
        WHERE (old.kind, old.compute_units, old.global_memory_bytes, old.local_memory_bytes)
            IS DISTINCT FROM
            (said.kind, said.compute_units, said.global_memory_bytes, said.local_memory_bytes)
        ORDER BY old.id
        FOR NO KEY UPDATE OF old
    )
    UPDATE devices AS old
    SET kind = changed.kind,
        compute_units = changed.compute_units,
        global_memory_bytes = changed.global_memory_bytes,
        local_memory_bytes = changed.local_memory_bytes
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

-- As in 0015, with the token that brings the samples, and a kernel's family treated as a device is.
--
-- `names` has, beside devices and agents, "workloads": [{kernel, family, variant, parameters}] and
-- "counter_lists": [{provider, names}].
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
        SELECT list.place, array_agg(counters.id ORDER BY counter.place) AS counter_ids
        FROM jsonb_array_elements(names -> 'counter_lists') WITH ORDINALITY AS list (item, place)
        CROSS JOIN jsonb_array_elements_text(list.item -> 'names') WITH ORDINALITY AS counter (name, place)
        JOIN counters ON counters.provider = list.item ->> 'provider' AND counters.name = counter.name
        GROUP BY list.place
    ), counted AS (
        INSERT INTO readings (sample_id, provider, counter_ids, values, scope, refusal)
        SELECT fresh.id, new.provider, lists.counter_ids, new.values, new.scope, new.refusal
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

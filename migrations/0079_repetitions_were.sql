-- As in 0075; of a sample whose repetitions are on a shard the caller sends what stays here of them, as `warm_of` and `cold_of`
-- would make it, and how many there were: `names` then has "warm_were" and "cold_were", for each sample. Hundreds of numbers
-- that are not kept were half of what such a sample took. And the batch's lists of counters are made once, not for each reading:
-- of real samples, of which a batch has many lists, that was most of the time.
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

    IF names ? 'shards' THEN
        SELECT array_agg(shard::smallint ORDER BY place) INTO placed
        FROM jsonb_array_elements_text(names -> 'shards') WITH ORDINALITY AS new (shard, place);

        SELECT array_agg(were::integer ORDER BY place) INTO warm_were
        FROM jsonb_array_elements_text(names -> 'warm_were') WITH ORDINALITY AS new (were, place);
        SELECT array_agg(were::integer ORDER BY place) INTO cold_were
        FROM jsonb_array_elements_text(names -> 'cold_were') WITH ORDINALITY AS new (were, place);

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
            provenance, origin, token_id, repetitions_were, cold_were, shard
        )
        SELECT
            id, content_hash, workload_ids[workload], device_ids[device], agent_ids[agent], measured_at,
            CASE WHEN away AND warm_were IS NULL THEN warm_of(repetitions, min_s, median_s) ELSE repetitions END, min_s,
            median_s, cv, launches_per_repetition, settled,
            CASE WHEN away AND cold_were IS NULL THEN cold_of(cold_repetitions) ELSE cold_repetitions END, conditions,
            flags, provenance, origin, token, CASE WHEN away THEN warm END, CASE WHEN away THEN cold END,
            CASE WHEN away THEN placed[place] END
        FROM arrived
        CROSS JOIN LATERAL (
            SELECT
                coalesce(warm_were[place], cardinality(repetitions)) AS warm,
                coalesce(cold_were[place], cardinality(cold_repetitions)) AS cold
        ) AS were
        CROSS JOIN LATERAL (
            SELECT names ? 'repetitions_too' AND coalesce(placed[place] > 0, false) AND warm > 3 AS away
        ) AS times
        ORDER BY id
        ON CONFLICT (id) DO NOTHING
        RETURNING id, content_hash
    ), fresh AS (
        SELECT place, id FROM inserted JOIN arrived USING (id, content_hash)
    ), lists AS MATERIALIZED (
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

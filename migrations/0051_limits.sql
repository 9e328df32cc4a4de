-- What a device has room for, beside its memories: what it can't run is not forecast. `cache_bytes` is its last cache:
-- only what moves beyond it is held against the ceiling of its memory. NULL: nobody has said.
ALTER TABLE devices
    ADD max_work_group_size bigint CHECK (max_work_group_size > 0),
    ADD max_buffer_bytes bigint CHECK (max_buffer_bytes > 0),
    ADD cache_bytes bigint CHECK (cache_bytes > 0);

CREATE OR REPLACE FUNCTION device_json(it devices) RETURNS json LANGUAGE sql STABLE AS $$
    SELECT json_build_object(
        'vendor', it.vendor, 'name', it.name, 'kind', it.kind, 'compute_units', it.compute_units,
        'global_memory_bytes', it.global_memory_bytes, 'local_memory_bytes', it.local_memory_bytes,
        'max_work_group_size', it.max_work_group_size, 'max_buffer_bytes', it.max_buffer_bytes,
        'cache_bytes', it.cache_bytes
    )
$$;

-- As in 0033, with these.
CREATE OR REPLACE FUNCTION store_devices_and_agents(names jsonb, describes boolean)
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
            ) AS local_memory_bytes,
            coalesce(
                CASE WHEN describes THEN new.max_work_group_size END,
                old.max_work_group_size, new.max_work_group_size
            ) AS max_work_group_size,
            coalesce(CASE WHEN describes THEN new.max_buffer_bytes END, old.max_buffer_bytes, new.max_buffer_bytes)
                AS max_buffer_bytes,
            coalesce(CASE WHEN describes THEN new.cache_bytes END, old.cache_bytes, new.cache_bytes) AS cache_bytes
        FROM devices AS old
        JOIN jsonb_populate_recordset(NULL::devices, names -> 'devices') AS new USING (vendor, name)
    ), changed AS (
        SELECT
            old.id, said.kind, said.compute_units, said.global_memory_bytes, said.local_memory_bytes,
            said.max_work_group_size, said.max_buffer_bytes, said.cache_bytes
        FROM said
        JOIN devices AS old USING (vendor, name)
        WHERE (
            old.kind, old.compute_units, old.global_memory_bytes, old.local_memory_bytes,
            old.max_work_group_size, old.max_buffer_bytes, old.cache_bytes
        ) IS DISTINCT FROM (
            said.kind, said.compute_units, said.global_memory_bytes, said.local_memory_bytes,
            said.max_work_group_size, said.max_buffer_bytes, said.cache_bytes
        )
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

-- Rows in the words of the API: what a listing answers is put together by its query and read as one value.
-- Numbers come through exactly: Postgres prints the shortest decimals that read back the same. Each is one
-- expression, which the planner puts in the place of the call.

CREATE FUNCTION device_json(it devices) RETURNS json LANGUAGE sql STABLE AS $$
    SELECT json_build_object(
        'vendor', it.vendor, 'name', it.name, 'kind', it.kind, 'compute_units', it.compute_units,
        'global_memory_bytes', it.global_memory_bytes, 'local_memory_bytes', it.local_memory_bytes
    )
$$;

CREATE FUNCTION ceilings_json(it ceilings) RETURNS json LANGUAGE sql STABLE AS $$
    SELECT json_build_object(
        'copy_bytes_per_s', it.copy_bytes_per_s,
        'host_to_device_bytes_per_s', it.host_to_device_bytes_per_s,
        'device_to_host_bytes_per_s', it.device_to_host_bytes_per_s,
        'fp32_flop_per_s', it.fp32_flop_per_s, 'fp64_flop_per_s', it.fp64_flop_per_s,
        'int32_op_per_s', it.int32_op_per_s, 'local_bytes_per_s', it.local_bytes_per_s,
        'launch_latency_s', it.launch_latency_s
    )
$$;

-- NULL where no row could be forecast.
CREATE FUNCTION errors_json(it hold_out_errors) RETURNS json LANGUAGE sql STABLE AS $$
    SELECT CASE WHEN it.n > 0 THEN json_build_object(
        'n', it.n, 'unpredicted', it.unpredicted, 'mean_ape', it.mean_ape, 'median_ape', it.median_ape,
        'factor', it.factor, 'within_25', it.within_25, 'negative', it.negative
    ) END
$$;

-- A few samples, as every schema since 0002 can hold them: make.sh stores them in each.
INSERT INTO devices (vendor, name, kind) VALUES ('Vendor', 'Device', 'cpu'), ('Vendor', 'Slower', 'gpu');
INSERT INTO agents (name, version) VALUES ('lab-3', '0.1.0');
INSERT INTO kernels (name, family) VALUES ('copy', NULL), ('matrix_mul', 'matrices'), ('stencil', NULL);
INSERT INTO workloads (kernel_id, variant, parameters)
SELECT kernels.id, variant, jsonb_build_object('n', n)
FROM kernels, unnest('{global,local}'::text[]) AS variant, generate_series(1, 4) AS n;
INSERT INTO counters (provider, name) VALUES ('oclgrind', 'load_global'), ('oclgrind', 'store_global');
INSERT INTO samples (
    id, content_hash, workload_id, device_id, agent_id, measured_at, repetitions, min_s, median_s, cv,
    launches_per_repetition, settled, cold_repetitions, conditions, flags, provenance, origin
)
SELECT
    md5(devices.name || workloads.id)::uuid, sha256((devices.name || workloads.id)::bytea), workloads.id, devices.id,
    agents.id, '2026-11-01 12:00:00+00', array[time, time, time], time, time, 0, 1, true, '{}', NULL, '{}', '{}',
    'measured'
FROM workloads, devices, agents,
    LATERAL (SELECT 0.001 * devices.id * workloads.id::float8 AS time) AS timed;
INSERT INTO readings (sample_id, provider, counter_ids, values, scope)
SELECT
    samples.id, 'oclgrind',
    (SELECT array_agg(id ORDER BY id) FROM counters),
    array[1000.0 * samples.workload_id, 10.0 * samples.workload_id ^ 2], 'full'
FROM samples
JOIN devices ON devices.id = device_id
WHERE devices.name = 'Device';

"""A lab that has grown: how long every listing that a page shows takes with 100,000 samples and with 1,000,000, and how soon
the dashboard's first page can be used with 100,000.

Twenty devices measure 500 workloads each, every night; every device has models of its own, and every pair of
devices has some across. Samples and models are written by SQL into a server's own database. The number of
models is the same both times.

Called by scripts/bench with the server's binary and a folder.
"""

import http.client
import json
import pathlib
import statistics
import subprocess
import sys
import time

from throwaway import server

BINARY, FOLDER = sys.argv[1], pathlib.Path(sys.argv[2])
NIGHTS, DEVICES = (10, 100), 20
A_NIGHT = 10_000
REPEATS = 15
# Milliseconds asked of a page's query and of /metrics, and how much longer either may take with ten times the samples.
MOST, MOST_METRICS, MOST_GROWTH = 100, 20, 2

# The same names in every table below: `bench_…` tables hold what the fill repeats for each night.
LAB = """
INSERT INTO devices (vendor, name, kind, compute_units)
SELECT 'Bench', 'Device ' || lpad(number::text, 2, '0'), 'gpu', 100 FROM generate_series(1, 20) AS number;
INSERT INTO agents (name, version)
SELECT 'lab-' || lpad(number::text, 2, '0'), version FROM generate_series(1, 20) AS number, unnest('{1,2}'::text[]) AS version;
INSERT INTO agent_reports (agent, version, spool, rejected) SELECT DISTINCT name, '2', 0, 0 FROM agents;
INSERT INTO kernels (name, family)
SELECT 'kernel_' || lpad(number::text, 2, '0'), 'family_' || number % 9 FROM generate_series(1, 46) AS number
UNION ALL SELECT 'local_memory', NULL;
INSERT INTO workloads (kernel_id, variant, parameters)
SELECT kernels.id, variant, jsonb_build_object('n', (4 ^ size)::int)
FROM kernels, unnest('{global,local}'::text[]) AS variant, generate_series(3, 7) AS size WHERE name <> 'local_memory'
UNION ALL
SELECT kernels.id, 'load', jsonb_build_object('point', point)
FROM kernels, generate_series(1, 40) AS point WHERE name = 'local_memory';
INSERT INTO counters (provider, name)
SELECT 'ncu', unnest('{smsp__sass_thread_inst_executed_op_fadd_pred_on.sum,smsp__sass_thread_inst_executed_op_fmul_pred_on.sum,
    smsp__sass_thread_inst_executed_op_ffma_pred_on.sum,dram__sectors_read.sum,dram__sectors_write.sum}'::text[])
UNION ALL SELECT 'ncu', 'a_counter_with_a_long_name_as_ncu_has_them_' || lpad(number::text, 2, '0') || '.sum' FROM generate_series(1, 55) AS number
UNION ALL SELECT 'oclgrind', unnest('{fadd,fmul,call_fma,load_global_bytes,store_global_bytes}'::text[])
UNION ALL SELECT 'oclgrind', 'opcode_' || lpad(number::text, 2, '0') FROM generate_series(1, 45) AS number
UNION ALL SELECT 'launch', unnest('{work_items,work_groups,local_size,local_bytes}'::text[])
UNION ALL SELECT 'local_memory', unnest('{instructions,warps,congestion,cycles,product}'::text[]);
INSERT INTO sources (hash, files)
SELECT encode(sha256(name::bytea), 'hex'), jsonb_build_object('a.cl', repeat('x', 2000)) FROM kernels;

-- What each device runs every night, and what is counted of it; half of the devices have ncu, the others Oclgrind.
CREATE UNLOGGED TABLE bench_runs AS
SELECT
    row_number() OVER (ORDER BY devices.id, workloads.id) AS number, devices.id AS device_id, workloads.id AS workload_id,
    (SELECT min(id) FROM agents WHERE name = 'lab-' || right(devices.name, 2)) AS agent_id, kernels.name AS kernel, variant,
    1e-6 * devices.id * (1 + workloads.id % 97) AS seconds,
    encode(sha256(kernels.name::bytea), 'hex') AS source_hash,
    CASE WHEN variant = 'load' THEN 'local_memory' WHEN devices.id <= 10 THEN 'ncu' ELSE 'oclgrind' END AS provider
FROM devices CROSS JOIN workloads JOIN kernels ON kernels.id = kernel_id;
INSERT INTO counter_lists (list, counter_ids)
SELECT sha256(array_send(counter_ids)), counter_ids
FROM (SELECT array_agg(id ORDER BY name) AS counter_ids FROM counters GROUP BY provider) AS of_provider;
CREATE UNLOGGED TABLE bench_counted AS
SELECT number, counters.provider, counter_lists.id AS list_id,
    array_agg(1 + (number * counters.id) % 100003 ORDER BY name)::float8[] AS values
FROM bench_runs
JOIN counters ON counters.provider IN (bench_runs.provider, 'launch')
JOIN counter_lists ON counters.id = ANY (counter_ids)
GROUP BY number, counters.provider, counter_lists.id;
"""

# Ids of version 7, in the order of time; on the first night a tenth of the samples came with Kerncast.
NIGHT = """
INSERT INTO provenances (hash, provenance)
SELECT sha256(convert_to(provenance::text, 'UTF8')), provenance
FROM (SELECT DISTINCT source_hash FROM bench_runs) AS sources CROSS JOIN LATERAL (
    SELECT jsonb_build_object('source_hash', source_hash, 'driver_version', '5' || {night} / 30, 'build_options', '', 'tools', '{{}}'::jsonb)
        AS provenance
) AS made
ON CONFLICT DO NOTHING;
WITH stored AS (
INSERT INTO samples (id, content_hash, workload_id, device_id, agent_id, measured_at, received_at, repetitions, min_s,
    median_s, cv, launches_per_repetition, settled, cold_repetitions, conditions, flags, provenance_id, origin)
SELECT
    (lpad(to_hex((extract(epoch FROM at) * 1000)::bigint), 12, '0') || '70008000' || lpad(to_hex(number), 12, '0'))::uuid,
    sha256(int8send({night} * 10000 + number)), workload_id, device_id, agent_id + ({night} > 50)::int, at, at,
    ARRAY(SELECT s * (1 + place / 1000.0) FROM generate_series(0, 9) AS place), s, s * 1.0045, 0.003, 1, true, '{{}}',
    '{{"compute_clock_mhz": 1980, "temperature_c": 40}}', '{{}}',
    provenances.id, CASE WHEN {night} = 1 AND device_id <= 2 THEN 'shipped' ELSE 'measured' END
FROM (
    SELECT *, timestamptz '2026-01-01' + {night} * interval '1 day' + number * interval '100 ms' AS at,
        seconds * (1 + hashint8(number * {night}) % 100 / 5000.0) AS s
    FROM bench_runs
) AS run
JOIN provenances ON provenance ->> 'source_hash' = source_hash AND provenance ->> 'driver_version' = '5' || {night} / 30
ORDER BY number
RETURNING id, device_id, workload_id
)
INSERT INTO readings (sample_id, provider, list_id, values, scope)
SELECT id, bench_counted.provider, list_id, values, 'full'
FROM stored JOIN bench_runs USING (device_id, workload_id) JOIN bench_counted USING (number);
"""

# Two generations of every model: the newer one has superseded the older. Fits are linear: how long a listing takes
# does not hang on what is in them.
MODELS = """
CREATE UNLOGGED TABLE bench_models AS
SELECT gen_random_uuid() AS id, generation, target.id AS device_id, nullif(source.id, target.id) AS counted_on_device_id,
    CASE WHEN of.provider = 'launch' THEN 'launch' WHEN source.id <= 10 THEN 'ncu' ELSE 'oclgrind' END AS provider,
    method, place::smallint AS complexity, variant, response
FROM generate_series(0, 1) AS generation, devices AS target, devices AS source,
    (VALUES ('launch'), ('counted')) AS of (provider),
    (VALUES (NULL, 'time', '{{nnls,ols,per_worker,known_costs,waves,waves_forest,forest}}'::text[], true),
        ('global', 'time', '{{ols}}', true), ('local', 'time', '{{ols}}', true),
        (NULL, 'time', '{{across_median_ratio,across_counters,paper_counters,paper_counters_and_time,across_counters_and_time}}', false)
    ) AS kind (variant, response, methods, own),
    unnest(methods) WITH ORDINALITY AS it (method, place)
WHERE own = (source.id = target.id) AND (of.provider = 'counted' OR own AND variant IS NULL);

CREATE UNLOGGED TABLE bench_rows AS
SELECT device_id, array_agg(id ORDER BY place) AS sample_ids, array_agg(workload_id ORDER BY place) AS workload_ids
FROM (
    SELECT DISTINCT ON (device_id, workload_id) samples.device_id, workload_id, samples.id, variant, (kernel, parameters) AS place
    FROM samples JOIN workloads ON workloads.id = workload_id JOIN kernels ON kernels.id = kernel_id
    CROSS JOIN LATERAL (SELECT kernels.name AS kernel) AS named
    WHERE variant <> 'load'
    ORDER BY device_id, workload_id, measured_at DESC
) AS newest
GROUP BY device_id;

INSERT INTO models (id, device_id, counted_on_device_id, provider, method, complexity, counters, variant,
    response, code_version, fingerprint, sample_ids, counted_on_sample_ids, kernels, fit, dropped,
    calibration, warned, superseded, superseded_at, workload_ids)
SELECT
    bench_models.id, bench_models.device_id, counted_on_device_id, provider, method, complexity, names, variant, response,
    'bench', sha256(uuid_send(bench_models.id)), target.sample_ids,
    CASE WHEN counted_on_device_id IS NOT NULL THEN source.sample_ids END, 46, fit::json,
    array_fill(NULL::text, ARRAY[cardinality(names)]), '[[0.1, 0.2], [0.15, 0.3]]', '[]',
    generation = 0, CASE generation WHEN 0 THEN now() END,
    target.workload_ids
FROM bench_models
JOIN bench_rows AS target ON target.device_id = bench_models.device_id
LEFT JOIN bench_rows AS source ON source.device_id = counted_on_device_id
JOIN (
    SELECT provider, array_agg(provider || ':' || name ORDER BY id) AS names FROM counters GROUP BY provider
) AS counted USING (provider)
JOIN (VALUES {fits}) AS fits (provider, fit) USING (provider)
ORDER BY generation, bench_models.device_id, counted_on_device_id NULLS FIRST, complexity;

INSERT INTO hold_outs (model_id, key, predicted, refusals, doubts)
SELECT id, key, ARRAY(SELECT 1e-3 * (1 + place / 100.0) FROM generate_series(1, cardinality(sample_ids)) AS place),
    array_fill(NULL::text, ARRAY[cardinality(sample_ids)]), array_fill(1::float8, ARRAY[cardinality(sample_ids)])
FROM models CROSS JOIN unnest('{{kernel,family,row}}'::text[]) AS key
WHERE key = 'kernel' OR counted_on_device_id IS NULL;
INSERT INTO hold_out_errors (model_id, key, kernel, n, unpredicted, mean_ape, median_ape, factor, within_25, negative)
SELECT model_id, key, kernel, 10, 0, error, error, 1 + error, 0.5, 0
FROM hold_outs CROSS JOIN (SELECT name FROM kernels WHERE name <> 'local_memory' UNION ALL SELECT '') AS of (kernel)
CROSS JOIN LATERAL (SELECT 0.05 + abs(hashtext(model_id::text || kernel) % 1000) / 2000.0 AS error) AS drawn;
INSERT INTO coverages SELECT id, 0.9, 0.9, 0.9, 1.4, 460, 0 FROM models;
UPDATE models SET rank = ranked.rank
FROM (
    SELECT id, row_number() OVER (
        PARTITION BY device_id, counted_on_device_id, provider, response ORDER BY variant IS NOT NULL, mean_ape
    ) AS rank
    FROM models JOIN hold_out_errors ON model_id = id AND key = 'kernel' AND kernel = '' WHERE NOT superseded
) AS ranked
WHERE ranked.id = models.id;
"""


def linear(columns):
    """A stored fit (server/src/db/models/stored_fit.rs) of so many counters."""
    place = range(columns)
    return json.dumps({
        "seen": [{"mean": 1e4, "min": 1.0, "max": 1e5} for _ in place], "dropped": [],
        "form": {"linear": {"intercept": 1e-5, "coefficients": [
            {"column": at, "mean": 1e4, "scale": 1e4, "weight": 1e-5} for at in place]}}})


def grow(kerncast, nights):
    for night in nights:
        kerncast.psql(NIGHT.format(night=night))


def paths(kerncast):
    """What the dashboard's pages ask for, and listings with filters on their first page and a later one."""
    first = lambda path: kerncast.request("GET", path)
    sample = first("/v1/samples?limit=1")["items"][0]["id"]
    device = next(it["id"] for it in first("/v1/devices")["items"] if it["name"] == "Device 07")
    models = first(f"/v1/models?own=true&limit=1000&device={device}")["items"]
    model = next(it["id"] for it in models if it["champion"] and "response" not in it["specification"])
    source = first("/v1/kernels/kernel_07")["sources"][0]["hash"]
    deep = kerncast.psql("SELECT id FROM samples ORDER BY id OFFSET 20000 LIMIT 1")
    pages = [
        "/v1/overview", "/v1/models?own=true&limit=1000", "/v1/devices?limit=1000", "/v1/jobs", "/v1/agents?limit=1000",
        "/v1/counters?limit=1000", "/v1/counters?provider=ncu&limit=1000", "/v1/kernels?limit=1000",
        "/v1/kernels/kernel_07", "/v1/kernels/kernel_07/times?limit=1000", "/v1/kernels/kernel_07/speedups",
        f"/v1/kernels/kernel_07/history?device={device}&limit=1000", f"/v1/sources/{source}", "/v1/pairs", "/v1/speedups",
        f"/v1/devices/{device}/roofline?limit=1000",
        f"/v1/models/{model}", f"/v1/models/{model}/validation",
        f"/v1/samples/{sample}",
    ]
    filters = [
        "", f"device={device}", "kernel=kernel_07", "variant=local", "origin=shipped", "origin=measured",
        f"device={device}&kernel=kernel_07&variant=local", "kernel=kernel_07&origin=shipped", f"cursor={deep}",
        f"kernel=kernel_07&cursor={deep}", f"variant=local&cursor={deep}",
    ]
    history = ["/v1/kernels/kernel_07/history?limit=100", "/v1/kernels/kernel_07/history?variant=global&limit=100"]
    return ["/metrics", *pages, *history, *(f"/v1/samples?{it}&limit=100".replace("?&", "?") for it in filters)]


def medians(kerncast, paths):
    """Milliseconds a path."""
    connection = http.client.HTTPConnection(kerncast.address)

    def ask(path):
        start = time.perf_counter()
        connection.request("GET", path)
        answer = connection.getresponse()
        text = answer.read()
        if answer.status != 200:
            sys.exit(f"{path}: {answer.status} {text.decode()}")
        return 1e3 * (time.perf_counter() - start)

    medians_ms = {}
    for path in paths:
        ask(path)
        times = []
        # A request that takes seconds needs few repeats.
        while len(times) < REPEATS and sum(times) < 10_000:
            times.append(ask(path))
        medians_ms[path] = statistics.median(times)
    return medians_ms


def main():
    few, many = (f"{nights * A_NIGHT:,}" for nights in NIGHTS)
    with server(BINARY, FOLDER / "grown") as kerncast:
        kerncast.psql(LAB)
        grow(kerncast, range(1, NIGHTS[0] + 1))
        fits = ", ".join(f"('{provider}', '{linear(columns)}')" for provider, columns in
                         (("ncu", 60), ("oclgrind", 50), ("launch", 4)))
        kerncast.psql(MODELS.format(fits=fits))
        kerncast.psql("VACUUM ANALYZE")
        pages = paths(kerncast)
        small = medians(kerncast, pages)
        subprocess.run(["node", "bench/dashboard.mjs", f"http://{kerncast.address}", str(DEVICES)], check=True)
        grow(kerncast, range(NIGHTS[0] + 1, NIGHTS[1] + 1))
        kerncast.psql("VACUUM ANALYZE")
        models = kerncast.psql("SELECT count(*) FROM models WHERE NOT superseded")
        pages = dict(zip(pages, paths(kerncast)))
        large = medians(kerncast, pages.values())
    print(f"a lab that has grown: {DEVICES} devices, 500 workloads, {models} models, medians of {REPEATS}")
    print(f"  target: below {MOST} ms, /metrics below {MOST_METRICS}, and with ten times the samples at most {MOST_GROWTH} times as long")
    print(f"  {few:>9} {many:>9}  ratio   samples")
    for path, then in pages.items():
        took, takes = small[path], large[then]
        most = MOST_METRICS if path == "/metrics" else MOST
        missed = "  missed" if takes > most or takes > MOST_GROWTH * took else ""
        print(f"  {took:6.1f} ms {takes:6.1f} ms  {takes / took:5.2f}   {path}{missed}")


if __name__ == "__main__":
    FOLDER.mkdir(parents=True, exist_ok=True)
    main()

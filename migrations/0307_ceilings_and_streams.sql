-- What a device can do at most, measured once. What could not be measured is absent.
CREATE TABLE ceilings (
    -- Made by the client, so that an upload sent twice is stored once.
    id uuid PRIMARY KEY,
    -- SHA-256 of the ceilings as uploaded: tells a repeat from others under the same id.
    content_hash bytea NOT NULL CHECK (length(content_hash) = 32),
    device_id integer NOT NULL REFERENCES devices,
    agent_id integer NOT NULL REFERENCES agents,
    measured_at timestamptz NOT NULL,
    copy_bytes_per_s finite CHECK (copy_bytes_per_s > 0),
    host_to_device_bytes_per_s finite CHECK (host_to_device_bytes_per_s > 0),
    device_to_host_bytes_per_s finite CHECK (device_to_host_bytes_per_s > 0),
    fp32_flop_per_s finite CHECK (fp32_flop_per_s > 0),
    fp64_flop_per_s finite CHECK (fp64_flop_per_s > 0),
    int32_op_per_s finite CHECK (int32_op_per_s > 0),
    local_bytes_per_s finite CHECK (local_bytes_per_s > 0),
    launch_latency_s finite CHECK (launch_latency_s > 0),
    -- The device's clocks, temperature and power meanwhile; absent where nobody knows.
    conditions jsonb CHECK (jsonb_typeof(conditions) = 'object'),
    provenance jsonb NOT NULL,
    origin text NOT NULL CHECK (origin IN ('measured', 'imported', 'shipped')),
    token_id bigint,
    -- By the server's own clock: what an agent says of the time of its ceilings is not what the gate goes by.
    received_at timestamptz NOT NULL DEFAULT now(),
    CHECK (
        num_nonnulls(
            copy_bytes_per_s, host_to_device_bytes_per_s, device_to_host_bytes_per_s, fp32_flop_per_s,
            fp64_flop_per_s, int32_op_per_s, local_bytes_per_s, launch_latency_s
        ) > 0
    )
);
CREATE INDEX ON ceilings (device_id, measured_at, id);

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

-- What a device does at most, as forecasts and pages have it. Whatever else computes takes from a rate and adds to a
-- launch, so the newest measurement may be the worst: of the agent that measured last counts the best of each within
-- the ninety days before. Ninety, as for the gate: another driver or a lower limit of power shows at last.
CREATE VIEW device_ceilings AS
SELECT
    device_id, max(measured_at) AS measured_at,
    (array_agg(origin ORDER BY measured_at DESC, id DESC))[1] AS origin,
    max(copy_bytes_per_s) AS copy_bytes_per_s, max(host_to_device_bytes_per_s) AS host_to_device_bytes_per_s,
    max(device_to_host_bytes_per_s) AS device_to_host_bytes_per_s, max(fp32_flop_per_s) AS fp32_flop_per_s,
    max(fp64_flop_per_s) AS fp64_flop_per_s, max(int32_op_per_s) AS int32_op_per_s,
    max(local_bytes_per_s) AS local_bytes_per_s, min(launch_latency_s) AS launch_latency_s
FROM (
    SELECT
        ceilings.*, coalesce(tokens.agent, agents.name) AS agent,
        first_value(coalesce(tokens.agent, agents.name)) OVER newest AS last_agent,
        first_value(measured_at) OVER newest AS last_at
    FROM ceilings
    JOIN agents ON agents.id = agent_id
    LEFT JOIN tokens ON tokens.id = token_id
    WINDOW newest AS (PARTITION BY device_id ORDER BY measured_at DESC, ceilings.id DESC)
) AS measured
WHERE agent = last_agent AND measured_at >= last_at - interval '90 days'
GROUP BY device_id;

CREATE FUNCTION ceilings_json(it device_ceilings) RETURNS json LANGUAGE sql STABLE AS $$
    SELECT json_build_object(
        'copy_bytes_per_s', it.copy_bytes_per_s,
        'host_to_device_bytes_per_s', it.host_to_device_bytes_per_s,
        'device_to_host_bytes_per_s', it.device_to_host_bytes_per_s,
        'fp32_flop_per_s', it.fp32_flop_per_s, 'fp64_flop_per_s', it.fp64_flop_per_s,
        'int32_op_per_s', it.int32_op_per_s, 'local_bytes_per_s', it.local_bytes_per_s,
        'launch_latency_s', it.launch_latency_s
    )
$$;

-- What streams through a device can do: how fast arrays get there and back, how long the device and its host work on
-- elements, and how far forecasts from that were off. A history, of which the newest answers whether a device pays.
CREATE TABLE stream_rates (
    -- Made by the client, so that an upload sent twice is stored once.
    id uuid PRIMARY KEY,
    -- SHA-256 of the rates as uploaded: tells a repeat from others under the same id.
    content_hash bytea NOT NULL CHECK (length(content_hash) = 32),
    device_id integer NOT NULL REFERENCES devices,
    agent_id integer NOT NULL REFERENCES agents,
    measured_at timestamptz NOT NULL,
    rates jsonb NOT NULL CHECK (jsonb_typeof(rates) = 'object'),
    origin text NOT NULL CHECK (origin IN ('measured', 'imported', 'shipped')),
    token_id bigint
);
COMMENT ON COLUMN stream_rates.rates IS 'In the API''s words: StreamRates. Nobody asks for a part of it.';
CREATE INDEX ON stream_rates (device_id, measured_at, id);

-- Streams through devices that were done, each with what had been forecast of it: they validate forecasts, and those that a
-- device's newest rates forecast are checks of what these answer.
CREATE TABLE stream_runs (
    -- Made by the client, so that an upload sent twice is stored once.
    id uuid PRIMARY KEY,
    -- SHA-256 of the run as uploaded: tells a repeat from another under the same id.
    content_hash bytea NOT NULL CHECK (length(content_hash) = 32),
    device_id integer NOT NULL REFERENCES devices,
    agent_id integer NOT NULL REFERENCES agents,
    measured_at timestamptz NOT NULL,
    run jsonb NOT NULL CHECK (jsonb_typeof(run) = 'object'),
    origin text NOT NULL CHECK (origin IN ('measured', 'imported', 'shipped')),
    token_id bigint
);
COMMENT ON COLUMN stream_runs.run IS 'In the API''s words: StreamRun. It may name rates that nobody has uploaded.';
CREATE INDEX ON stream_runs (device_id, measured_at, id);
-- Those that some rates forecast.
CREATE INDEX ON stream_runs (device_id, (run ->> 'rates'), measured_at);

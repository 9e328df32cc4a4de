-- What is uploaded by itself, in the API's words: what a device can do at most (ceilings: what could not be measured is absent), and
-- what streams through it can do (how fast arrays get there and back, how long the device and its host work on elements, and how far
-- forecasts from that were off). Both are histories.
CREATE TABLE measurements (
    -- Made by the client, so that an upload sent twice is stored once.
    id uuid PRIMARY KEY,
    kind text NOT NULL CHECK (kind IN ('ceilings', 'stream_rates')),
    -- SHA-256 of what was uploaded: tells a repeat from others under the same id.
    content_hash bytea NOT NULL CHECK (length(content_hash) = 32),
    device_id integer NOT NULL REFERENCES devices,
    agent_id integer NOT NULL REFERENCES agents,
    measured_at timestamptz NOT NULL,
    -- By the server's own clock: what an agent says of the time of its ceilings is not what the gate goes by.
    received_at timestamptz NOT NULL DEFAULT now(),
    -- Ceilings, or Rates.
    measured jsonb NOT NULL CHECK (jsonb_typeof(measured) = 'object'),
    -- Of ceilings: the device's clocks, temperature and power meanwhile, absent where nobody knows; and what they were made by.
    conditions jsonb CHECK (jsonb_typeof(conditions) = 'object'),
    provenance jsonb,
    origin text NOT NULL CHECK (origin IN ('measured', 'imported', 'shipped')),
    token_id bigint,
    CHECK ((kind = 'ceilings') = (provenance IS NOT NULL))
);
CREATE INDEX ON measurements (device_id, kind, measured_at, id);

CREATE VIEW ceilings AS
SELECT
    id, device_id, agent_id, measured_at, received_at, conditions, provenance, origin, token_id, measured AS ceilings,
    (measured ->> 'copy_bytes_per_s')::float8 AS copy_bytes_per_s,
    (measured ->> 'host_to_device_bytes_per_s')::float8 AS host_to_device_bytes_per_s,
    (measured ->> 'device_to_host_bytes_per_s')::float8 AS device_to_host_bytes_per_s,
    (measured ->> 'fp32_flop_per_s')::float8 AS fp32_flop_per_s, (measured ->> 'fp64_flop_per_s')::float8 AS fp64_flop_per_s,
    (measured ->> 'int32_op_per_s')::float8 AS int32_op_per_s, (measured ->> 'local_bytes_per_s')::float8 AS local_bytes_per_s,
    (measured ->> 'launch_latency_s')::float8 AS launch_latency_s
FROM measurements WHERE kind = 'ceilings';
CREATE VIEW stream_rates AS
SELECT id, device_id, agent_id, measured_at, measured AS rates FROM measurements WHERE kind = 'stream_rates';

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

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

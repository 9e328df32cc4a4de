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
    CHECK (
        num_nonnulls(
            copy_bytes_per_s, host_to_device_bytes_per_s, device_to_host_bytes_per_s, fp32_flop_per_s,
            fp64_flop_per_s, int32_op_per_s, local_bytes_per_s, launch_latency_s
        ) > 0
    )
);
-- A device's newest ceilings speak for it.
CREATE INDEX ON ceilings (device_id, measured_at, id);

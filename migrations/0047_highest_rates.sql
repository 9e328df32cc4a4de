-- The most that any workload of a device did per second, by a provider's counters: a ceiling that lies well below was
-- measured on a busy device. Written with each fit of the device's own samples; ceilings are compared when somebody
-- looks, as new ones may come any time.
CREATE TABLE highest_rates (
    device_id integer REFERENCES devices,
    provider text,
    -- The column of "ceilings" that it may not exceed.
    ceiling text,
    per_second finite NOT NULL CHECK (per_second > 0),
    sample_id uuid NOT NULL REFERENCES samples ON DELETE CASCADE,
    PRIMARY KEY (device_id, provider, ceiling)
);

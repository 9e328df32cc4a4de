-- Fits that uploads have asked for. An upload adds its row in its own transaction, so that no sample is
-- stored without one. A worker locks all rows of a device and provider (SKIP LOCKED), fits once for all
-- of them, and deletes them in the transaction that stores the models: killed in between, the rows are
-- simply there again. Uploads only ever insert, so they never wait for a fit or for each other.
CREATE TABLE fitting_jobs (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    device_id integer NOT NULL REFERENCES devices,
    -- The device whose counters forecast it; absent: its own. A job of a device's own models asks for those
    -- across devices that its samples may change.
    source_device_id integer REFERENCES devices CHECK (source_device_id <> device_id),
    provider text NOT NULL,
    requested_at timestamptz NOT NULL DEFAULT now(),
    attempts integer NOT NULL DEFAULT 0,
    last_error text,
    -- Not before this time, after a failed try.
    retry_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX ON fitting_jobs (device_id, source_device_id, provider);

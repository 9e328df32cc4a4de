-- Fits that uploads have asked for. An upload adds its row in its own transaction, so that no sample is
-- stored without one. A worker locks all rows of a device and provider (SKIP LOCKED), fits once for all
-- of them, and deletes them in the transaction that stores the models: killed in between, the rows are
-- simply there again. Uploads only ever insert, so they never wait for a fit or for each other.
CREATE TABLE fitting_jobs (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    device_id integer NOT NULL REFERENCES devices,
    provider text NOT NULL,
    requested_at timestamptz NOT NULL DEFAULT now(),
    attempts integer NOT NULL DEFAULT 0,
    last_error text,
    -- Not before this time, after a failed try.
    retry_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX ON fitting_jobs (device_id, provider);

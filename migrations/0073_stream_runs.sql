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

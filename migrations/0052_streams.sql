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

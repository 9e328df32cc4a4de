-- What samples were made from: their provenance's source_hash is this hash.
CREATE TABLE sources (
    hash text PRIMARY KEY CHECK (hash ~ '^[0-9a-f]{64}$'),
    -- Text by file name: the launch file and every OpenCL file.
    files jsonb NOT NULL CHECK (jsonb_typeof(files) = 'object'),
    received_at timestamptz NOT NULL DEFAULT now()
);

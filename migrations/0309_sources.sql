-- What samples were made from: their provenance's source_hash is this hash.
CREATE TABLE sources (
    hash text PRIMARY KEY CHECK (hash ~ '^[0-9a-f]{64}$'),
    -- Text by file name: the launch file and every OpenCL file.
    files jsonb NOT NULL CHECK (jsonb_typeof(files) = 'object'),
    received_at timestamptz NOT NULL DEFAULT now(),
    token_id bigint
);

-- What is known of sources. It says by whose token it came; an agent's stays until an admin sends another.
CREATE TABLE analyses (
    hash text PRIMARY KEY REFERENCES sources ON DELETE CASCADE,
    -- In the API's words: KernelAnalysis.
    analysis jsonb NOT NULL CHECK (jsonb_typeof(analysis) = 'object'),
    token_id bigint NOT NULL,
    received_at timestamptz NOT NULL DEFAULT now()
);

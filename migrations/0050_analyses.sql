-- What kernels' memory accesses do, found from the sources alone: the newest that an admin has sent, else an agent's.
CREATE TABLE analyses (
    hash text PRIMARY KEY REFERENCES sources ON DELETE CASCADE,
    -- In the API's words: KernelAnalysis.
    analysis jsonb NOT NULL CHECK (jsonb_typeof(analysis) = 'object'),
    token_id bigint NOT NULL,
    received_at timestamptz NOT NULL DEFAULT now()
);

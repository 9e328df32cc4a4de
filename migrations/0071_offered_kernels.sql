-- Kernels that agents may fetch from the server, and measure in place of their installed ones of the same name.
CREATE TABLE offered_kernels (
    name text PRIMARY KEY CHECK (name ~ '^[A-Za-z0-9_-][A-Za-z0-9_.-]{0,99}$'),
    source_hash text NOT NULL REFERENCES sources,
    offered_at timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE offered_kernels IS 'A kernel that the server offers to agents; the audit log has who offered it';

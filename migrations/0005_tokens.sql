-- Bearer tokens that may upload, as SHA-256: who reads this table can't use it.
CREATE TABLE tokens (
    hash bytea PRIMARY KEY CHECK (length(hash) = 32),
    created_at timestamptz NOT NULL DEFAULT now()
);

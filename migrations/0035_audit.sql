-- What admins did, and when: rows are only ever added.
CREATE TABLE audit_log (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    at timestamptz NOT NULL DEFAULT now(),
    -- Whose token it was, and what that was called then; of the server's command line, and of who had only a code,
    -- there is no number.
    token_id bigint,
    actor text NOT NULL,
    action text NOT NULL,
    -- What was chosen, or what was made.
    about jsonb NOT NULL CHECK (jsonb_typeof(about) = 'object'),
    -- As the admin gave it.
    reason text,
    -- How many samples it changed; absent: it was not about samples.
    samples bigint
);

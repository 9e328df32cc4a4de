-- Bearer tokens, as SHA-256: who reads this table can't use it.
CREATE TABLE tokens (
    hash bytea PRIMARY KEY CHECK (length(hash) = 32),
    -- How people name it, who must never see it again. Never used again for another.
    id bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
    name text NOT NULL,
    role text NOT NULL CHECK (role IN ('reader', 'agent', 'admin')),
    -- An agent's token uploads under this name only …
    agent text,
    -- … and of devices of these names only; empty: of any.
    devices text[] NOT NULL DEFAULT '{}' CHECK (array_position(devices, NULL) IS NULL),
    created_at timestamptz NOT NULL DEFAULT now(),
    -- To the minute.
    last_used_at timestamptz,
    -- From then on it is no token any more. The row stays, for what was uploaded by it.
    revoked_at timestamptz,
    CHECK ((role = 'agent') = (agent IS NOT NULL)),
    CHECK (role = 'agent' OR devices = '{}')
);
CREATE INDEX tokens_by_agent ON tokens (agent) WHERE agent IS NOT NULL;

-- A code that an agent's machine gives for a token of its own: once, and the row is gone. As SHA-256, too.
CREATE TABLE enrolment_codes (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    hash bytea NOT NULL UNIQUE CHECK (length(hash) = 32),
    -- The token's.
    name text NOT NULL,
    agent text NOT NULL,
    devices text[] NOT NULL CHECK (array_position(devices, NULL) IS NULL),
    created_at timestamptz NOT NULL DEFAULT now(),
    expires_at timestamptz NOT NULL
);

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

-- What an agent last said of itself: one row an agent, whatever its version.
CREATE TABLE agent_reports (
    agent text PRIMARY KEY,
    version text NOT NULL,
    reported_at timestamptz NOT NULL DEFAULT now(),
    -- Files that wait in its spool, and files that the server refused; absent where it can't be read.
    spool bigint CHECK (spool >= 0),
    rejected bigint CHECK (rejected >= 0),
    -- When the oldest file that waits was put there, by the agent's clock; absent where none waits.
    spool_since timestamptz,
    -- Its last run: workloads by outcome, what went wrong, drivers and tools. Absent: it never ran.
    run jsonb CHECK (jsonb_typeof(run) = 'object'),
    failing boolean NOT NULL GENERATED ALWAYS AS (
        coalesce(rejected, 0) > 0 OR coalesce((run ->> 'failed')::bigint, 0) > 0
            OR coalesce(jsonb_array_length(run -> 'errors'), 0) > 0
    ) STORED
);

-- An agent whose last token was revoked, and who has not reported since, by nobody's token: its machine is gone, and nobody waits
-- for it. Whoever reports by an admin's token, or enrols it again, brings it back.
CREATE VIEW retired_agents AS
SELECT agent FROM agent_reports
WHERE EXISTS (SELECT FROM tokens WHERE tokens.agent = agent_reports.agent AND revoked_at >= reported_at)
    AND NOT EXISTS (SELECT FROM tokens WHERE tokens.agent = agent_reports.agent AND revoked_at IS NULL);

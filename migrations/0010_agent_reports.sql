-- What an agent last said of itself: one row an agent, whatever its version.
CREATE TABLE agent_reports (
    agent text PRIMARY KEY,
    version text NOT NULL,
    reported_at timestamptz NOT NULL DEFAULT now(),
    -- Files that wait in its spool, and files that the server refused; absent where it can't be read.
    spool bigint CHECK (spool >= 0),
    rejected bigint CHECK (rejected >= 0),
    -- Its last run: workloads by outcome, what went wrong, drivers and tools. Absent: it never ran.
    run jsonb CHECK (jsonb_typeof(run) = 'object')
);

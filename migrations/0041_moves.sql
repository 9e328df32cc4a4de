-- By how much a champion's forecasts differ from those of an earlier one, for the workloads that the earlier one was
-- fitted to. One that succeeds nobody has no row.
CREATE TABLE moves (
    model_id uuid PRIMARY KEY REFERENCES models,
    -- The one that it is compared with: its predecessor, or for a week what its predecessor was compared with, so
    -- that many small steps add up, and a second upload does not hide the first.
    before_id uuid NOT NULL REFERENCES models,
    -- Factors less 1, up or down: the median, and the largest, which is this workload's.
    median finite NOT NULL CHECK (median >= 0),
    worst finite NOT NULL CHECK (worst >= median),
    worst_workload_id integer NOT NULL REFERENCES workloads,
    -- Whether attention tells of it, and since when it does, or does not; champions in between take that on.
    is_news boolean NOT NULL,
    since timestamptz NOT NULL,
    -- In words: whose samples are new in it.
    uploads text,
    CHECK (is_news OR uploads IS NULL)
);

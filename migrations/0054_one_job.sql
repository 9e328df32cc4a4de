-- One row a fit that waits, however many uploads ask for it: a request joins the row that waits already, and only says
-- when it came. Nobody waits for anybody: a row that another upload is touching, or that a worker holds, is passed
-- over and a second one inserted, so that there are as many rows as uploads at one moment, at most. A worker takes
-- all of them, as before (0004). One that has failed keeps its own count of tries.
ALTER TABLE fitting_jobs ADD newest_at timestamptz NOT NULL DEFAULT now();
UPDATE fitting_jobs SET newest_at = requested_at;
COMMENT ON COLUMN fitting_jobs.requested_at IS 'When it was first asked for';
COMMENT ON COLUMN fitting_jobs.newest_at IS 'When it was last asked for';

CREATE FUNCTION join_waiting_job() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE fitting_jobs SET newest_at = now()
    WHERE id = (
        SELECT id FROM fitting_jobs
        WHERE device_id = NEW.device_id
            AND counted_on_device_id IS NOT DISTINCT FROM NEW.counted_on_device_id
            AND provider = NEW.provider
            AND attempts = 0
        LIMIT 1
        FOR UPDATE SKIP LOCKED
    );
    RETURN CASE WHEN FOUND THEN NULL ELSE NEW END;
END
$$;
-- Not for those that say more than which fit is asked for.
CREATE TRIGGER join_waiting BEFORE INSERT ON fitting_jobs
    FOR EACH ROW WHEN (NEW.attempts = 0) EXECUTE FUNCTION join_waiting_job();

-- Every upload changes a row of it, in place: half of each page is left for that. Its dead rows are swept after every
-- thousand changes, not after a fifth of its rows, which is one or two.
ALTER TABLE fitting_jobs SET (
    fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000,
    autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 1000
);

-- What waits now, one row each.
DELETE FROM fitting_jobs AS job
USING fitting_jobs AS older
WHERE older.device_id = job.device_id
    AND older.counted_on_device_id IS NOT DISTINCT FROM job.counted_on_device_id
    AND older.provider = job.provider AND older.attempts = 0 AND job.attempts = 0 AND older.id < job.id;

-- What the last fits of a device, device counted on and provider were made from, and what models they left: where both
-- are the same, another fit would change nothing.
CREATE TABLE fitted_inputs (
    device_id integer NOT NULL REFERENCES devices,
    counted_on_device_id integer REFERENCES devices,
    provider text NOT NULL,
    -- SHA-256 of the samples' ids and of all else that fits are made from (server/src/db/training.rs).
    input bytea NOT NULL CHECK (length(input) = 32),
    -- SHA-256 of which models stand, and how they are ranked.
    models bytea NOT NULL CHECK (length(models) = 32)
);
CREATE UNIQUE INDEX fitted_inputs_key ON fitted_inputs (device_id, coalesce(counted_on_device_id, 0), provider);

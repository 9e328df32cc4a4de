-- Fits that uploads have asked for. An upload adds its row in its own transaction, so that no sample is stored without one. A worker
-- claims all rows of a device and provider, fits once for all of them, and deletes them in the transaction that stores the models:
-- killed in between, the rows are simply there again. One that has failed keeps its own count of tries.
--
-- Every upload changes a row of it, in place: half of each page is left for that. Its dead rows are swept after every thousand
-- changes, not after a fifth of its rows, which is one or two.
CREATE TABLE fitting_jobs (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    device_id integer NOT NULL REFERENCES devices,
    -- The device whose counters forecast it; absent: its own. A job of a device's own models asks for those across devices that its
    -- samples may change.
    counted_on_device_id integer REFERENCES devices CHECK (counted_on_device_id <> device_id),
    provider text NOT NULL,
    -- When it was first asked for, and when last.
    requested_at timestamptz NOT NULL DEFAULT now(),
    newest_at timestamptz NOT NULL DEFAULT now(),
    attempts integer NOT NULL DEFAULT 0,
    last_error text,
    -- Not before this time, after a failed try.
    retry_at timestamptz NOT NULL DEFAULT now()
) WITH (
    fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000,
    autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 1000
);
CREATE INDEX ON fitting_jobs (device_id, counted_on_device_id, provider);

-- One row a fit that waits, however many uploads ask for it: a request joins the row that waits already, and only says when it
-- came. Nobody waits for anybody: a row that another upload is touching, or that a worker holds, is passed over and a second one
-- inserted, so that there are as many rows as uploads at one moment, at most.
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

-- Asks for the fits that these samples are in, or would be, but those of one provider that are under way.
CREATE FUNCTION ask_for_fits(changed uuid[], under_way text) RETURNS void LANGUAGE sql AS $$
    INSERT INTO fitting_jobs (device_id, provider)
    SELECT DISTINCT device_id, coalesce(provider, 'launch')
    FROM samples LEFT JOIN readings ON sample_id = samples.id AND refusal IS NULL
    WHERE samples.id = ANY (changed) AND coalesce(provider, 'launch') IS DISTINCT FROM under_way
$$;

-- New samples wait for the gate. Whoever inserts samples need not think of it. The data that come with Kerncast are trusted: only an
-- admin's token brings them. A sample that nobody counted asks for a job too, though it is in no fit by its device's counters: jobs
-- are what judges, and what its times are to other devices' counters is asked from there. Every agent counts `launch`, whose fits
-- cost next to nothing.
CREATE FUNCTION await_judgement() RETURNS trigger LANGUAGE plpgsql
-- Plans are made once, when a table may be small still (as in count_samples).
SET enable_seqscan = off
SET enable_bitmapscan = off
AS $$
BEGIN
    INSERT INTO standings (sample_id, device_id, agent_id, judgement)
    SELECT id, device_id, agent_id, 'unjudged' FROM new_rows WHERE origin <> 'shipped' ORDER BY id;
    INSERT INTO fitting_jobs (device_id, provider)
    SELECT DISTINCT device_id, 'launch'
    FROM new_rows
    WHERE origin <> 'shipped' AND NOT EXISTS (
        SELECT FROM readings WHERE sample_id = new_rows.id AND refusal IS NULL OFFSET 0
    );
    RETURN NULL;
END
$$;
CREATE TRIGGER await_judgement AFTER INSERT ON samples REFERENCING NEW TABLE AS new_rows
    FOR EACH STATEMENT EXECUTE FUNCTION await_judgement();

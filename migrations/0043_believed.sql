-- When the server got them, by its own clock: what an agent says of the time of its ceilings is not what the gate
-- goes by.
ALTER TABLE ceilings ADD received_at timestamptz NOT NULL DEFAULT now();
UPDATE ceilings SET received_at = measured_at WHERE measured_at < received_at;

-- As in 0034, but a sample that nobody counted asks for a job too, though it is in no fit by its device's counters:
-- jobs are what judges, and what its times are to other devices' counters is asked from there. Every agent counts
-- `launch`, whose fits cost next to nothing.
CREATE OR REPLACE FUNCTION await_judgement() RETURNS trigger LANGUAGE plpgsql
-- Plans are made once, when a table may be small still (0018).
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

-- Asks for the fits that these samples are in, or would be, but those of one provider that are under way.
CREATE FUNCTION ask_for_fits(changed uuid[], under_way text) RETURNS void LANGUAGE sql AS $$
    INSERT INTO fitting_jobs (device_id, provider)
    SELECT DISTINCT device_id, coalesce(provider, 'launch')
    FROM samples LEFT JOIN readings ON sample_id = samples.id AND refusal IS NULL
    WHERE samples.id = ANY (changed) AND coalesce(provider, 'launch') IS DISTINCT FROM under_way
$$;

-- Those that have waited for a verdict since.
INSERT INTO fitting_jobs (device_id, provider)
SELECT DISTINCT device_id, 'launch' FROM standings
WHERE standing = 'unjudged' AND NOT EXISTS (
    SELECT FROM readings WHERE readings.sample_id = standings.sample_id AND refusal IS NULL
);

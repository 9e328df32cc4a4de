-- How many repetitions a sample had before they were thinned out to the fastest, the median and the slowest
-- (`--keep-repetitions`); absent where all of them are there. What models and listings read of them stays.
ALTER TABLE samples ADD COLUMN repetitions_were integer CHECK (repetitions_were > 3);

-- Until when (received_at) that has been done: what came earlier is not looked at again.
CREATE TABLE thinned_out (
    until timestamptz NOT NULL,
    one boolean PRIMARY KEY DEFAULT true CHECK (one)
);

-- Nothing of that is counted.
DROP TRIGGER count_anew ON samples;
CREATE TRIGGER count_anew
    AFTER UPDATE OF id, workload_id, device_id, agent_id, origin, provenance, measured_at, min_s, median_s
        OR DELETE OR TRUNCATE ON samples
    FOR EACH STATEMENT EXECUTE FUNCTION count_anew();

-- When the oldest file that waits in the agent's spool was put there, by the agent's clock; absent where none waits.
ALTER TABLE agent_reports ADD COLUMN spool_since timestamptz;

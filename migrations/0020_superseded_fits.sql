-- Fits of superseded models are dropped after a while, so that a lab that measures every night does not fill its
-- disk with them. Everything that is said of them stays: counters, errors, what they forecast of kernels left out.
ALTER TABLE models
    ADD superseded_at timestamptz,
    ADD fit_dropped_at timestamptz,
    -- The workloads of sample_ids, beside them: a kernel's rows are found without looking up every sample.
    ADD workload_ids integer[] NOT NULL DEFAULT '{}';
-- When older servers' models were superseded is not known: the while begins now.
UPDATE models
SET superseded_at = CASE WHEN superseded THEN now() END,
    workload_ids = ARRAY(
        SELECT workload_id
        FROM unnest(sample_ids) WITH ORDINALITY AS row (sample_id, place)
        JOIN samples ON samples.id = row.sample_id
        ORDER BY place
    );
ALTER TABLE models
    ADD CONSTRAINT models_workload_ids_check CHECK (cardinality(workload_ids) = cardinality(sample_ids)),
    ADD CONSTRAINT models_fit_dropped_at_check CHECK (fit_dropped_at IS NULL OR superseded),
    -- A fit, or why there is none.
    DROP CONSTRAINT models_check1,
    ADD CONSTRAINT models_outcome_check CHECK (num_nonnulls(fit, refusal, fit_dropped_at) = 1),
    DROP CONSTRAINT models_check4,
    ADD CONSTRAINT models_dropped_check CHECK ((refusal IS NULL) = (dropped IS NOT NULL));

CREATE FUNCTION note_superseded() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.superseded_at := now();
    RETURN NEW;
END
$$;
CREATE TRIGGER note_superseded BEFORE UPDATE ON models
    FOR EACH ROW WHEN (NEW.superseded AND NOT OLD.superseded) EXECUTE FUNCTION note_superseded();

-- The model before: the overview says how the error has changed.
CREATE INDEX ON models (device_id, provider, method, id) WHERE superseded;
-- Whose fits are still there.
CREATE INDEX ON models (superseded_at) WHERE superseded AND fit IS NOT NULL;

-- How far a model of counted counters is off where it is asked by foreseen ones: those that the source alone tells of the
-- same samples, in the provider's words. Of models that ask for no others, and whose samples have both.
CREATE TABLE foreseen_validations (
    model_id uuid PRIMARY KEY REFERENCES models ON DELETE CASCADE,
    -- What was left out: what the model's intervals come from.
    key text NOT NULL CHECK (key IN ('kernel', 'region')),
    n bigint NOT NULL CHECK (n > 0),
    unpredicted bigint NOT NULL,
    mean_ape finite NOT NULL,
    median_ape finite NOT NULL,
    factor finite,
    within_25 finite NOT NULL,
    negative bigint NOT NULL,
    -- As models.calibration: where intervals come from.
    calibration json NOT NULL CHECK (json_typeof(calibration) = 'array'),
    -- As "coverages"; absent where there are no intervals.
    level finite CHECK (level > 0 AND level < 1),
    covered finite,
    covered_rows finite,
    typical_factor finite CHECK (typical_factor >= 1),
    with_interval bigint,
    without_interval bigint,
    CHECK (num_nulls(level, covered, covered_rows, typical_factor, with_interval, without_interval) IN (0, 6))
);

-- In the API's words.
CREATE FUNCTION foreseen_json(it foreseen_validations) RETURNS json LANGUAGE sql STABLE AS $$
    SELECT CASE WHEN it.n > 0 THEN json_build_object(
        'left_out', it.key,
        'errors', json_build_object(
            'n', it.n, 'unpredicted', it.unpredicted, 'mean_ape', it.mean_ape, 'median_ape', it.median_ape,
            'factor', it.factor, 'within_25', it.within_25, 'negative', it.negative
        ),
        'coverage', CASE WHEN it.level > 0 THEN json_build_object(
            'level', it.level, 'covered', it.covered, 'covered_rows', it.covered_rows,
            'typical_factor', it.typical_factor, 'n', it.with_interval, 'without', it.without_interval
        ) END
    ) END
$$;

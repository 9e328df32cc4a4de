-- Gains: the time of a kernel's variant 'local' by that of its variant 'global', at the same sizes. Below 1,
-- local memory pays off. A model whose response is 'gain' forecasts it from the counters of 'global':
-- sample_ids are then the samples of 'local' on its device, and beside them here are those of 'global'. The
-- counters are of these, or of source_sample_ids.
ALTER TABLE models
    ADD global_sample_ids uuid[],
    ADD CHECK ((response = 'gain') = (global_sample_ids IS NOT NULL)),
    ADD CHECK (cardinality(global_sample_ids) = cardinality(sample_ids));

-- How often a model of gains says rightly, of kernels that its fit had not seen, on which side of 1 a gain is.
-- Each is a mean of kernels.
CREATE TABLE gain_signs (
    model_id uuid PRIMARY KEY REFERENCES models ON DELETE CASCADE,
    "right" finite NOT NULL CHECK ("right" BETWEEN 0 AND 1),
    -- The same among gains below 0.9 or above 1 / 0.9; absent where none is.
    clear_right finite CHECK (clear_right BETWEEN 0 AND 1),
    -- Share of workloads for which local memory does pay off.
    pays_off finite NOT NULL CHECK (pays_off BETWEEN 0 AND 1)
);

-- As in 0003, for each response by itself. A gain of 0.01 forecast as 1 is 9,900 % too high, one of 1 forecast
-- as 0.01 only 99 % too low, so gains are judged by the logarithm of the factor, which is the same both ways.
CREATE OR REPLACE VIEW rankings AS
WITH candidates AS (
    SELECT
        id, device_id, source_device_id, provider, response, complexity,
        CASE response WHEN 'gain' THEN ln(factor) ELSE mean_ape END AS error,
        2 * (variant IS NOT NULL)::integer + ((unpredicted = 0) IS NOT TRUE)::integer AS class
    FROM models
    LEFT JOIN hold_out_errors AS headline
        ON headline.model_id = id AND headline.key = 'kernel' AND headline.kernel = ''
    WHERE NOT superseded AND refusal IS NULL AND response IN ('time', 'gain')
), led AS (
    SELECT
        *,
        first_value(id) OVER (
            PARTITION BY device_id, source_device_id, provider, response, class ORDER BY error NULLS LAST, id
        ) AS leader
    FROM candidates
), judged AS (
    SELECT
        *,
        (
            SELECT avg(own_error - least_error) <= greatest(
                stddev_samp(own_error - least_error) / sqrt(nullif(count(own_error), 0)),
                0.01 * avg(least_error)
            )
            FROM hold_out_errors AS own
            JOIN hold_out_errors AS least
                ON least.model_id = leader AND least.key = own.key AND least.kernel = own.kernel
            CROSS JOIN LATERAL (
                SELECT
                    CASE led.response WHEN 'gain' THEN ln(own.factor) ELSE own.mean_ape END AS own_error,
                    CASE led.response WHEN 'gain' THEN ln(least.factor) ELSE least.mean_ape END AS least_error
            ) AS judged_by
            WHERE own.model_id = led.id AND own.key = 'kernel' AND own.kernel <> ''
        ) IS TRUE AS tied
    FROM led
), ranked AS (
    SELECT
        *,
        row_number() OVER (
            PARTITION BY device_id, source_device_id, provider, response
            ORDER BY class, NOT tied, CASE WHEN tied THEN complexity END, error NULLS LAST, complexity, id
        ) AS rank
    FROM judged
)
SELECT
    id AS model_id, device_id, source_device_id, provider, rank,
    row_number() OVER (ORDER BY rank, class, error NULLS LAST, id) AS place, response
FROM ranked;

CREATE OR REPLACE VIEW champions AS
SELECT model_id, device_id, source_device_id, provider, place, response FROM rankings WHERE rank = 1;

-- What older servers have fitted had no gains beside it.
INSERT INTO fitting_jobs (device_id, provider)
SELECT DISTINCT device_id, provider FROM models WHERE NOT superseded AND source_device_id IS NULL;

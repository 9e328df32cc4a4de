-- A fit, or why there is none. Never changed, but for being superseded.
CREATE TABLE models (
    id uuid PRIMARY KEY,
    created_at timestamptz NOT NULL DEFAULT now(),
    device_id integer NOT NULL REFERENCES devices,
    -- The device whose samples it forecasts from; absent: the device's own counters.
    source_device_id integer REFERENCES devices CHECK (source_device_id <> device_id),
    provider text NOT NULL,
    method text NOT NULL,
    -- The method's place among all, the simplest first: of models that err alike the simplest answers.
    complexity smallint NOT NULL CHECK (complexity >= 0),
    -- PROVIDER:NAME. Where none was asked for these are the defaults, and the next fit may find others:
    -- such models supersede each other whatever their counters are.
    counters text[] NOT NULL,
    default_counters boolean NOT NULL,
    -- Absent: all variants.
    variant text,
    -- What is predicted: 'time', in seconds, or a counter as PROVIDER:NAME, in its unit.
    response text NOT NULL DEFAULT 'time',
    -- Of the server and of the method.
    code_version text NOT NULL,
    -- SHA-256 of specification, code version and samples: the same fit is not stored twice.
    fingerprint bytea NOT NULL UNIQUE CHECK (length(fingerprint) = 32),
    -- The rows that it was fitted to, in their order.
    sample_ids uuid[] NOT NULL,
    -- Beside them: the source's samples of the same workloads, where a model has a source.
    source_sample_ids uuid[],
    kernels bigint NOT NULL,
    -- All parts of the fit: enough to forecast without the method. json, not jsonb, so that every number
    -- comes back bit for bit; JSON has no NaN and no infinity.
    fit json CHECK (json_typeof(fit) = 'object'),
    -- Beside counters: why the fit has left it out; NULL: it is in the fit.
    dropped text[],
    -- How far off forecasts of kernels left out were, one list a kernel: where intervals come from. Absent
    -- where no kernel could be left out.
    calibration json CHECK (json_typeof(calibration) = 'array'),
    refusal text,
    warnings text[] NOT NULL,
    -- Whether a later model has the same specification.
    superseded boolean NOT NULL DEFAULT false,
    CHECK ((fit IS NULL) <> (refusal IS NULL)),
    CHECK ((source_device_id IS NULL) = (source_sample_ids IS NULL)),
    CHECK (cardinality(source_sample_ids) = cardinality(sample_ids)),
    CHECK ((fit IS NULL) = (dropped IS NULL)),
    CHECK (cardinality(dropped) = cardinality(counters))
);
CREATE INDEX ON models (device_id, provider) WHERE NOT superseded;

-- Every sample of a model forecast by a fit that had not seen it.
CREATE TABLE hold_outs (
    model_id uuid NOT NULL REFERENCES models ON DELETE CASCADE,
    key text NOT NULL CHECK (key IN ('row', 'kernel', 'family', 'device')),
    -- Both beside models.sample_ids: a forecast in the response's unit, or why there is none.
    predicted double precision[] NOT NULL,
    refusals text[] NOT NULL,
    PRIMARY KEY (model_id, key),
    CHECK (cardinality(predicted) = cardinality(refusals)),
    CHECK (('-Infinity' < ALL (predicted) AND 'Infinity' > ALL (predicted)) IS NOT FALSE)
);

-- How far those forecasts were off: one row a kernel, and one for all kernels (kernel = '').
-- Where nothing could be forecast there is a kernel's row with n = 0 and no errors, and none for all.
CREATE TABLE hold_out_errors (
    model_id uuid NOT NULL,
    key text NOT NULL,
    kernel text NOT NULL,
    n bigint NOT NULL,
    unpredicted bigint NOT NULL,
    mean_ape finite,
    median_ape finite,
    factor finite,
    within_25 finite,
    negative bigint NOT NULL,
    PRIMARY KEY (model_id, key, kernel),
    FOREIGN KEY (model_id, key) REFERENCES hold_outs ON DELETE CASCADE,
    CHECK (num_nulls(mean_ape, median_ape, within_25) = CASE WHEN n > 0 THEN 0 ELSE 3 END)
);

-- Whether intervals of this level hold: each is of a kernel that was left out when it was made. No row
-- where a model has no intervals.
CREATE TABLE coverages (
    model_id uuid PRIMARY KEY REFERENCES models ON DELETE CASCADE,
    level finite NOT NULL CHECK (level > 0 AND level < 1),
    -- Mean of kernels of the share of rows within, and the share of all rows within.
    covered finite NOT NULL,
    covered_rows finite NOT NULL,
    -- The interval is the forecast times and divided by so much: median of rows.
    typical_factor finite NOT NULL CHECK (typical_factor >= 1),
    n bigint NOT NULL,
    -- Rows without an interval.
    without bigint NOT NULL
);

-- The models of times that may answer when none is named, for a device, a source (NULL: the device's own
-- counters) and a provider. Counters do not say which variant they are of, so a model of one variant stands
-- behind those of all; errors say nothing of rows without a forecast, so a model that could not forecast
-- every held-out row stands behind those that could. Of the rest the least mean error leads, and of the
-- models that tie with it the simplest: a tie is where the kernels' errors differ by no more, on average,
-- than the standard error of that difference, or than a hundredth of the lesser error.
-- place: the order of all of them, every device's and provider's firsts before any second.
CREATE VIEW rankings AS
WITH candidates AS (
    SELECT
        id, device_id, source_device_id, provider, complexity, mean_ape,
        2 * (variant IS NOT NULL)::integer + ((unpredicted = 0) IS NOT TRUE)::integer AS class
    FROM models
    LEFT JOIN hold_out_errors AS headline
        ON headline.model_id = id AND headline.key = 'kernel' AND headline.kernel = ''
    WHERE NOT superseded AND refusal IS NULL AND response = 'time'
), led AS (
    SELECT
        *,
        first_value(id) OVER (
            PARTITION BY device_id, source_device_id, provider, class ORDER BY mean_ape NULLS LAST, id
        ) AS leader
    FROM candidates
), judged AS (
    SELECT
        *,
        (
            SELECT avg(own.mean_ape - least.mean_ape) <= greatest(
                stddev_samp(own.mean_ape - least.mean_ape) / sqrt(nullif(count(own.mean_ape), 0)),
                0.01 * avg(least.mean_ape)
            )
            FROM hold_out_errors AS own
            JOIN hold_out_errors AS least
                ON least.model_id = leader AND least.key = own.key AND least.kernel = own.kernel
            WHERE own.model_id = led.id AND own.key = 'kernel' AND own.kernel <> ''
        ) IS TRUE AS tied
    FROM led
), ranked AS (
    SELECT
        *,
        row_number() OVER (
            PARTITION BY device_id, source_device_id, provider
            ORDER BY class, NOT tied, CASE WHEN tied THEN complexity END, mean_ape NULLS LAST, complexity, id
        ) AS rank
    FROM judged
)
SELECT
    id AS model_id, device_id, source_device_id, provider, rank,
    row_number() OVER (ORDER BY rank, class, mean_ape NULLS LAST, id) AS place
FROM ranked;

-- The models that do answer.
CREATE VIEW champions AS
SELECT model_id, device_id, source_device_id, provider, place FROM rankings WHERE rank = 1;

-- A fit, or why there is none. Never changed, but for being superseded.
CREATE TABLE models (
    id uuid PRIMARY KEY,
    created_at timestamptz NOT NULL DEFAULT now(),
    device_id integer NOT NULL REFERENCES devices,
    provider text NOT NULL,
    method text NOT NULL,
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
    kernels bigint NOT NULL,
    -- The response where every counter is at its mean.
    intercept finite,
    refusal text,
    warnings text[] NOT NULL,
    -- Whether a later model has the same specification.
    superseded boolean NOT NULL DEFAULT false,
    CHECK ((intercept IS NULL) <> (refusal IS NULL))
);
CREATE INDEX ON models (device_id, provider) WHERE NOT superseded;

-- What a fit made of each counter: a coefficient, or the reason why it was dropped.
CREATE TABLE model_counters (
    model_id uuid NOT NULL REFERENCES models ON DELETE CASCADE,
    position integer NOT NULL,
    counter text NOT NULL,
    mean finite,
    scale finite CHECK (scale > 0),
    -- Response per standard deviation: the paper's ai.
    weight finite,
    min finite,
    max finite,
    dropped text,
    PRIMARY KEY (model_id, position),
    CHECK (num_nulls(mean, scale, weight, min, max) = CASE WHEN dropped IS NULL THEN 0 ELSE 5 END)
);

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

-- The model of times that answers for a device and provider when none is named. Counters do not say which variant
-- they are of, so a model of one variant answers only where there is none of all. Errors say nothing of rows
-- without a forecast, so a model that could not forecast every held-out row stands behind those that could.
-- place: among the champions of all devices and providers, the best has the least.
CREATE VIEW champions AS
SELECT DISTINCT ON (device_id, provider) id AS model_id, device_id, provider,
    row_number() OVER (
        ORDER BY variant IS NOT NULL, (unpredicted = 0) IS NOT TRUE, mean_ape NULLS LAST, id
    ) AS place
FROM models
LEFT JOIN hold_out_errors AS headline
    ON headline.model_id = id AND headline.key = 'kernel' AND headline.kernel = ''
WHERE NOT superseded AND refusal IS NULL AND response = 'time'
ORDER BY device_id, provider, place;

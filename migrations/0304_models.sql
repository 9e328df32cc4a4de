-- A fit, or why there is none. Never changed, but for its rank, for being superseded, and for the fit, which is dropped a while
-- after that: what is said of it stays.
CREATE TABLE models (
    id uuid PRIMARY KEY,
    created_at timestamptz NOT NULL DEFAULT now(),
    device_id integer NOT NULL REFERENCES devices,
    -- The device whose samples it forecasts from; absent: the device's own counters.
    counted_on_device_id integer REFERENCES devices CHECK (counted_on_device_id <> device_id),
    provider text NOT NULL,
    method text NOT NULL,
    -- The method's place among all, the simplest first: of models that err alike the simplest answers.
    complexity smallint NOT NULL CHECK (complexity >= 0),
    -- PROVIDER:NAME. The next fit may find others: models supersede each other whatever their counters are.
    counters text[] NOT NULL,
    -- Absent: all variants.
    variant text,
    -- What is predicted: 'time', in seconds, or a counter as PROVIDER:NAME, in its unit.
    response text NOT NULL DEFAULT 'time',
    -- Of the server and of the method.
    code_version text NOT NULL,
    -- SHA-256 of specification, code version and samples with all that is made of them: the same fit is not stored twice, unless
    -- the first is superseded. Where samples were rejected, a fit may come back.
    fingerprint bytea NOT NULL CHECK (length(fingerprint) = 32),
    -- The rows that it was fitted to, in their order.
    sample_ids uuid[] NOT NULL,
    -- Beside them: the samples of the same workloads on the device that is counted on.
    counted_on_sample_ids uuid[],
    -- Beside them: their workloads, so that a kernel's rows are found without looking up every sample.
    workload_ids integer[] NOT NULL,
    kernels bigint NOT NULL,
    -- All parts of the fit: enough to forecast without the method. json, not jsonb, so that every number comes back bit for bit;
    -- JSON has no NaN and no infinity.
    fit json CHECK (json_typeof(fit) = 'object'),
    -- Beside counters: why the fit has left it out; NULL: it is in the fit.
    dropped text[],
    -- How far off forecasts of kernels left out were, one list a kernel: where intervals come from. Absent where no kernel could
    -- be left out.
    calibration json CHECK (json_typeof(calibration) = 'array'),
    refusal text,
    -- What that says, as a kind with its numbers, in the API's words, so that pages can say it in any language.
    refused jsonb,
    warned jsonb NOT NULL CHECK (jsonb_typeof(warned) = 'array'),
    -- Whether a later model has the same specification, and since when.
    superseded boolean NOT NULL DEFAULT false,
    superseded_at timestamptz,
    fit_dropped_at timestamptz,
    -- Chosen when a job stores its models (models/src/champion.rs): 1 is the champion of its device, device counted on, provider and
    -- response; the others follow in the order in which they answer where its counters are missing. Absent: it does not answer
    -- unless it is named, since it is superseded, refused or held, or its response is a counter.
    rank smallint CHECK (rank > 0),
    -- Which of its hold-outs that rank comes from: families, or kernels where there are too few of these or they were not left
    -- out; devices where nothing else was. Absent: nothing was left out.
    judged_by text CHECK (judged_by IN ('kernel', 'family')),
    -- Why it waits for an admin, with all models of the same question that came with it: a new champion's errors explode beside its
    -- predecessor's on the same kernels. Until then the models before them stay as they were, not superseded.
    held text,
    held_because jsonb,
    CHECK (num_nonnulls(fit, refusal, fit_dropped_at) = 1),
    CHECK ((refusal IS NULL) = (refused IS NULL)),
    CHECK ((refusal IS NULL) = (dropped IS NOT NULL)),
    CHECK (cardinality(dropped) = cardinality(counters)),
    CHECK ((counted_on_device_id IS NULL) = (counted_on_sample_ids IS NULL)),
    CHECK (cardinality(counted_on_sample_ids) = cardinality(sample_ids)),
    CHECK (cardinality(workload_ids) = cardinality(sample_ids)),
    CHECK (fit_dropped_at IS NULL OR superseded),
    CHECK (rank IS NULL OR NOT superseded AND refusal IS NULL AND held IS NULL),
    CHECK ((held IS NULL) = (held_because IS NULL))
);
CREATE INDEX ON models (device_id, provider) WHERE NOT superseded;
-- A fingerprint says nothing of which devices a fit is of: devices without samples share theirs.
CREATE UNIQUE INDEX models_fingerprint_key ON models (fingerprint, device_id, coalesce(counted_on_device_id, 0))
    WHERE NOT superseded;
CREATE INDEX ON models (response, rank) WHERE rank IS NOT NULL;
-- The model before: the overview says how the error has changed.
CREATE INDEX ON models (device_id, provider, method, id) WHERE superseded;
-- Whose fits are still there.
CREATE INDEX ON models (superseded_at) WHERE superseded AND fit IS NOT NULL;

CREATE FUNCTION note_superseded() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.superseded_at := now();
    RETURN NEW;
END
$$;
CREATE TRIGGER note_superseded BEFORE UPDATE ON models
    FOR EACH ROW WHEN (NEW.superseded AND NOT OLD.superseded) EXECUTE FUNCTION note_superseded();

-- All samples that a model was fitted to.
CREATE FUNCTION fitted_to(it models) RETURNS uuid[] LANGUAGE sql IMMUTABLE
RETURN it.sample_ids || coalesce(it.counted_on_sample_ids, '{}');

-- Whether two models answer the same question in the same way: then the later supersedes the earlier.
CREATE FUNCTION have_same_specification(one models, other models) RETURNS boolean LANGUAGE sql IMMUTABLE
RETURN one.device_id = other.device_id AND one.counted_on_device_id IS NOT DISTINCT FROM other.counted_on_device_id
    AND one.provider = other.provider AND one.response = other.response AND one.method = other.method
    AND one.variant IS NOT DISTINCT FROM other.variant;

-- Whether a change from one model to a later one is worth telling: the earlier had stood for half a day, and had at least half as
-- many samples. A device's first fits move with every upload, and mean nothing.
CREATE FUNCTION was_settled(earlier models, later models) RETURNS boolean
LANGUAGE sql IMMUTABLE
RETURN earlier.created_at <= later.created_at - interval '12 hours'
    AND 2 * cardinality(earlier.sample_ids) >= cardinality(later.sample_ids);

-- Every sample of a model forecast by a fit that had not seen it.
CREATE TABLE hold_outs (
    model_id uuid NOT NULL REFERENCES models ON DELETE CASCADE,
    -- A region is kernels that do alike.
    key text NOT NULL CHECK (key IN ('row', 'kernel', 'family', 'region')),
    -- Both beside models.sample_ids: a forecast in the response's unit, or why there is none.
    predicted double precision[] NOT NULL,
    refusals text[] NOT NULL,
    -- How doubtful the fit was of each: its interval's factor is taken to this power.
    doubts double precision[] NOT NULL,
    PRIMARY KEY (model_id, key),
    CHECK (cardinality(predicted) = cardinality(refusals) AND cardinality(predicted) = cardinality(doubts)),
    CHECK ((0 < ALL (doubts) AND 'Infinity' > ALL (doubts)) IS TRUE),
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

-- NULL where no row could be forecast.
CREATE FUNCTION errors_json(it hold_out_errors) RETURNS json LANGUAGE sql STABLE AS $$
    SELECT CASE WHEN it.n > 0 THEN json_build_object(
        'n', it.n, 'unpredicted', it.unpredicted, 'mean_ape', it.mean_ape, 'median_ape', it.median_ape,
        'factor', it.factor, 'within_25', it.within_25, 'negative', it.negative
    ) END
$$;

-- Whether intervals of this level hold: each is of a kernel that was left out when it was made. No row where a model has no
-- intervals.
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

-- The most that any workload of a device did per second, by a provider's counters: a ceiling that lies well below was
-- measured on a busy device. Written with each fit of the device's own samples; ceilings are compared when somebody
-- looks, as new ones may come any time.
CREATE TABLE highest_rates (
    device_id integer REFERENCES devices,
    provider text,
    -- The column of "ceilings" that it may not exceed.
    ceiling text,
    per_second finite NOT NULL CHECK (per_second > 0),
    sample_id uuid NOT NULL REFERENCES samples ON DELETE CASCADE,
    PRIMARY KEY (device_id, provider, ceiling)
);

-- By how much a champion's forecasts differ from those of an earlier one, for the workloads that the earlier one was fitted to. One
-- that succeeds nobody has no row.
CREATE TABLE moves (
    model_id uuid PRIMARY KEY REFERENCES models,
    -- The one that it is compared with: its predecessor, or for a week what its predecessor was compared with, so that many small
    -- steps add up, and a second upload does not hide the first.
    before_id uuid NOT NULL REFERENCES models,
    -- Factors less 1, up or down: the median, and the largest, which is this workload's.
    median finite NOT NULL CHECK (median >= 0),
    worst finite NOT NULL CHECK (worst >= median),
    worst_workload_id integer NOT NULL REFERENCES workloads,
    -- Whether attention tells of it, and since when it does, or does not; champions in between take that on.
    is_news boolean NOT NULL,
    since timestamptz NOT NULL
);

SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;
CREATE DOMAIN public.finite AS double precision
	CONSTRAINT finite_check CHECK (((VALUE > '-Infinity'::double precision) AND (VALUE < 'Infinity'::double precision)));
CREATE TYPE public.new_reading AS (
	sample integer,
	provider text,
	counter_list integer,
	"values" double precision[],
	scope text,
	refusal text
);
CREATE TYPE public.new_sample AS (
	id uuid,
	content_hash bytea,
	workload integer,
	device integer,
	agent integer,
	measured_at timestamp with time zone,
	repetitions double precision[],
	min_s double precision,
	median_s double precision,
	cv double precision,
	launches_per_repetition bigint,
	settled boolean,
	cold_repetitions double precision[],
	conditions jsonb,
	flags text[],
	provenance jsonb,
	origin text
);
CREATE FUNCTION public.count_anew() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    PERFORM recount();
    RETURN NULL;
END
$$;
CREATE FUNCTION public.count_samples() RETURNS trigger
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    SET enable_sort TO 'off'
    AS $$
#variable_conflict use_column
BEGIN
    INSERT INTO sample_counts AS kept (
        device_id, kernel_id, agent_id, origin, source_hash, samples, first_measured_at, last_measured_at
    )
    SELECT
        device_id, (SELECT kernel_id FROM workloads WHERE workloads.id = workload_id), agent_id, origin,
        coalesce(provenance ->> 'source_hash', ''), count(*), min(measured_at), max(measured_at)
    FROM new_rows
    GROUP BY 1, 2, 3, 4, 5
    ORDER BY 1, 2, 3, 4, 5
    ON CONFLICT (device_id, kernel_id, agent_id, origin, hashtextextended(source_hash, 0)) DO UPDATE SET
        samples = kept.samples + excluded.samples,
        first_measured_at = least(kept.first_measured_at, excluded.first_measured_at),
        last_measured_at = greatest(kept.last_measured_at, excluded.last_measured_at);
    INSERT INTO series AS kept (device_id, workload_id, origin, samples, min_s, newest_id, newest_at)
    SELECT device_id, workload_id, origin, count(*), min(min_s), (array_agg(id))[1], max(measured_at)
    FROM (
        SELECT device_id, workload_id, origin, min_s, id, measured_at
        FROM new_rows
        ORDER BY device_id, workload_id, origin, measured_at DESC, id DESC
    ) AS newest_first
    GROUP BY 1, 2, 3
    ORDER BY 1, 2, 3
    ON CONFLICT (device_id, workload_id, origin) DO UPDATE SET
        samples = kept.samples + excluded.samples,
        min_s = least(kept.min_s, excluded.min_s),
        newest_id = CASE WHEN (excluded.newest_at, excluded.newest_id) > (kept.newest_at, kept.newest_id)
            THEN excluded.newest_id ELSE kept.newest_id END,
        newest_at = greatest(kept.newest_at, excluded.newest_at);
    WITH counted AS MATERIALIZED (
        SELECT id, device_id, workload_id, measured_at, provider, counter_ids
        FROM new_rows
        CROSS JOIN LATERAL (
            SELECT provider, counter_ids FROM readings
            WHERE sample_id = new_rows.id AND refusal IS NULL OFFSET 0
        ) AS reading
    ), lists AS (
        INSERT INTO reading_counts AS kept (kernel_id, provider, list, counter_ids, samples)
        SELECT
            (SELECT kernel_id FROM workloads WHERE workloads.id = workload_id), provider,
            sha256(array_send(counter_ids)), counter_ids, count(*)
        FROM counted
        GROUP BY 1, 2, counter_ids
        ORDER BY 1, 2, 3
        ON CONFLICT (kernel_id, provider, list) DO UPDATE SET samples = kept.samples + excluded.samples
    )
    INSERT INTO counted_series AS kept (device_id, provider, workload_id, newest_id, newest_at)
    SELECT device_id, provider, workload_id, (array_agg(id))[1], max(measured_at)
    FROM (
        SELECT device_id, provider, workload_id, id, measured_at
        FROM counted
        WHERE provider <> 'launch'
        ORDER BY device_id, provider, workload_id, measured_at DESC, id DESC
    ) AS newest_first
    GROUP BY 1, 2, 3
    ORDER BY 1, 2, 3
    ON CONFLICT (device_id, provider, workload_id) DO UPDATE SET
        newest_id = excluded.newest_id, newest_at = excluded.newest_at
    WHERE (excluded.newest_at, excluded.newest_id) > (kept.newest_at, kept.newest_id);
    RETURN NULL;
END
$$;
CREATE FUNCTION public.note_superseded() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    NEW.superseded_at := now();
    RETURN NEW;
END
$$;
CREATE FUNCTION public.recount() RETURNS void
    LANGUAGE plpgsql
    AS $$
BEGIN
    LOCK TABLE samples IN SHARE ROW EXCLUSIVE MODE;
    DELETE FROM sample_counts;
    DELETE FROM series;
    DELETE FROM counted_series;
    DELETE FROM reading_counts;
    CREATE TEMPORARY TABLE counted_anew AS
        SELECT id, device_id, workload_id, agent_id, origin, provenance, measured_at, min_s FROM samples
        WITH NO DATA;
    CREATE TRIGGER count AFTER INSERT ON counted_anew REFERENCING NEW TABLE AS new_rows
        FOR EACH STATEMENT EXECUTE FUNCTION count_samples();
    INSERT INTO counted_anew
    SELECT id, device_id, workload_id, agent_id, origin, provenance, measured_at, min_s FROM samples;
    DROP TABLE counted_anew;
END
$$;
CREATE FUNCTION public.store_devices_and_agents(names jsonb) RETURNS void
    LANGUAGE plpgsql
    AS $$
#variable_conflict use_column
BEGIN
    INSERT INTO devices (vendor, name, kind, compute_units, global_memory_bytes, local_memory_bytes)
    SELECT vendor, name, kind, compute_units, global_memory_bytes, local_memory_bytes
    FROM jsonb_populate_recordset(NULL::devices, names -> 'devices') AS new
    WHERE NOT EXISTS (SELECT FROM devices AS old WHERE old.vendor = new.vendor AND old.name = new.name)
    ORDER BY vendor, name
    ON CONFLICT DO NOTHING;
    WITH changed AS (
        SELECT old.id, new.kind, new.compute_units, new.global_memory_bytes, new.local_memory_bytes
        FROM devices AS old
        JOIN jsonb_populate_recordset(NULL::devices, names -> 'devices') AS new
            ON old.vendor = new.vendor AND old.name = new.name
        WHERE old.kind <> new.kind
            OR new.compute_units IS DISTINCT FROM old.compute_units AND new.compute_units IS NOT NULL
            OR new.global_memory_bytes IS DISTINCT FROM old.global_memory_bytes
                AND new.global_memory_bytes IS NOT NULL
            OR new.local_memory_bytes IS DISTINCT FROM old.local_memory_bytes
                AND new.local_memory_bytes IS NOT NULL
        ORDER BY old.id
        FOR NO KEY UPDATE OF old
    )
    UPDATE devices AS old
    SET kind = changed.kind,
        compute_units = coalesce(changed.compute_units, old.compute_units),
        global_memory_bytes = coalesce(changed.global_memory_bytes, old.global_memory_bytes),
        local_memory_bytes = coalesce(changed.local_memory_bytes, old.local_memory_bytes)
    FROM changed
    WHERE old.id = changed.id;
    INSERT INTO agents (name, version)
    SELECT name, version
    FROM jsonb_populate_recordset(NULL::agents, names -> 'agents') AS new
    WHERE NOT EXISTS (SELECT FROM agents AS old WHERE old.name = new.name AND old.version = new.version)
    ORDER BY name, version
    ON CONFLICT DO NOTHING;
END
$$;
CREATE FUNCTION public.store_samples(names jsonb, samples_in public.new_sample[], readings_in public.new_reading[]) RETURNS TABLE(sample integer, stored_hash bytea)
    LANGUAGE plpgsql
    SET plan_cache_mode TO 'force_custom_plan'
    AS $$
#variable_conflict use_column
DECLARE
    device_ids integer[];
    agent_ids integer[];
    workload_ids integer[];
    stored bigint[];
BEGIN
    PERFORM store_devices_and_agents(names);
    INSERT INTO kernels AS known (name, family)
    SELECT new.kernel, max(new.family)
    FROM jsonb_to_recordset(names -> 'workloads') AS new (kernel text, family text)
    WHERE NOT EXISTS (
        SELECT FROM kernels AS old
        WHERE old.name = new.kernel AND old.family IS NOT DISTINCT FROM coalesce(new.family, old.family)
    )
    GROUP BY new.kernel
    ORDER BY new.kernel
    ON CONFLICT (name) DO UPDATE SET family = coalesce(excluded.family, known.family);
    INSERT INTO workloads (kernel_id, variant, parameters)
    SELECT DISTINCT kernels.id, new.variant, new.parameters
    FROM jsonb_to_recordset(names -> 'workloads') AS new (kernel text, variant text, parameters jsonb)
    JOIN kernels ON kernels.name = new.kernel
    WHERE NOT EXISTS (
        SELECT FROM workloads AS old
        WHERE old.kernel_id = kernels.id AND old.variant = new.variant AND old.parameters = new.parameters
    )
    ORDER BY 1, 2, 3
    ON CONFLICT DO NOTHING;
    INSERT INTO counters (provider, name)
    SELECT DISTINCT list.provider, new.name
    FROM jsonb_to_recordset(names -> 'counter_lists') AS list (provider text, names text[])
    CROSS JOIN unnest(list.names) AS new (name)
    WHERE NOT EXISTS (
        SELECT FROM counters AS old WHERE old.provider = list.provider AND old.name = new.name
    )
    ORDER BY 1, 2
    ON CONFLICT DO NOTHING;
    SELECT array_agg(devices.id ORDER BY place) INTO device_ids
    FROM jsonb_array_elements(names -> 'devices') WITH ORDINALITY AS new (item, place)
    JOIN devices ON devices.vendor = item ->> 'vendor' AND devices.name = item ->> 'name';
    SELECT array_agg(agents.id ORDER BY place) INTO agent_ids
    FROM jsonb_array_elements(names -> 'agents') WITH ORDINALITY AS new (item, place)
    JOIN agents ON agents.name = item ->> 'name' AND agents.version = item ->> 'version';
    -- A look-up in the index for each: a join may go by the variant alone, which most workloads share.
    SELECT array_agg(
        (
            SELECT workloads.id FROM workloads
            WHERE kernel_id = (SELECT kernels.id FROM kernels WHERE kernels.name = item ->> 'kernel')
                AND variant = item ->> 'variant' AND parameters = item -> 'parameters'
        )
        ORDER BY place
    ) INTO workload_ids
    FROM jsonb_array_elements(names -> 'workloads') WITH ORDINALITY AS new (item, place);
    WITH arrived AS MATERIALIZED (
        SELECT *
        FROM unnest(samples_in) WITH ORDINALITY AS new (
            id, content_hash, workload, device, agent, measured_at, repetitions, min_s, median_s, cv,
            launches_per_repetition, settled, cold_repetitions, conditions, flags, provenance, origin,
            place
        )
    ), inserted AS (
        INSERT INTO samples (
            id, content_hash, workload_id, device_id, agent_id, measured_at, repetitions, min_s,
            median_s, cv, launches_per_repetition, settled, cold_repetitions, conditions, flags,
            provenance, origin
        )
        SELECT
            id, content_hash, workload_ids[workload], device_ids[device], agent_ids[agent], measured_at,
            repetitions, min_s, median_s, cv, launches_per_repetition, settled, cold_repetitions,
            conditions, flags, provenance, origin
        FROM arrived
        ORDER BY id
        ON CONFLICT (id) DO NOTHING
        RETURNING id, content_hash, device_id
    ), fresh AS (
        SELECT place, id, device_id FROM inserted JOIN arrived USING (id, content_hash)
    ), lists AS (
        SELECT list.place, array_agg(counters.id ORDER BY counter.place) AS counter_ids
        FROM jsonb_array_elements(names -> 'counter_lists') WITH ORDINALITY AS list (item, place)
        CROSS JOIN jsonb_array_elements_text(list.item -> 'names') WITH ORDINALITY AS counter (name, place)
        JOIN counters ON counters.provider = list.item ->> 'provider' AND counters.name = counter.name
        GROUP BY list.place
    ), counted AS (
        INSERT INTO readings (sample_id, provider, counter_ids, values, scope, refusal)
        SELECT fresh.id, new.provider, lists.counter_ids, new.values, new.scope, new.refusal
        FROM unnest(readings_in) AS new
        JOIN fresh ON fresh.place = new.sample
        LEFT JOIN lists ON lists.place = new.counter_list
        RETURNING sample_id, provider, refusal
    ), asked AS (
        INSERT INTO fitting_jobs (device_id, provider)
        SELECT DISTINCT fresh.device_id, counted.provider
        FROM counted JOIN fresh ON fresh.id = counted.sample_id
        WHERE counted.refusal IS NULL
    )
    SELECT coalesce(array_agg(place), '{}') INTO stored FROM fresh;
    -- Whom another batch sees at this moment need not be waited for.
    WITH seen AS (
        SELECT id FROM agents WHERE id = ANY (agent_ids) ORDER BY id FOR NO KEY UPDATE SKIP LOCKED
    )
    UPDATE agents SET last_seen_at = now() FROM seen WHERE agents.id = seen.id;
    IF cardinality(stored) = cardinality(samples_in) THEN
        RETURN;
    END IF;
    -- A new statement, so that it sees what another batch committed meanwhile.
    RETURN QUERY
    SELECT new.place::integer, samples.content_hash
    FROM unnest(samples_in) WITH ORDINALITY AS new (
        id, content_hash, workload, device, agent, measured_at, repetitions, min_s, median_s, cv,
        launches_per_repetition, settled, cold_repetitions, conditions, flags, provenance, origin, place
    )
    JOIN samples ON samples.id = new.id
    WHERE NOT EXISTS (SELECT FROM unnest(stored) AS it WHERE it = new.place);
END
$$;
CREATE FUNCTION public.tell_of_agent() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    PERFORM pg_notify('kerncast', json_build_object('kind', 'agent', 'agent', NEW.agent)::text);
    RETURN NULL;
END
$$;
CREATE FUNCTION public.tell_of_ceilings() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    PERFORM pg_notify('kerncast', json_build_object('kind', 'ceilings', 'device', NEW.device_id)::text);
    RETURN NULL;
END
$$;
CREATE FUNCTION public.tell_of_jobs() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    PERFORM pg_notify('kerncast', json_build_object(
        'kind', 'job', 'device', device_id, 'provider', provider)::text)
    FROM (SELECT DISTINCT device_id, provider FROM changed_rows) AS changed;
    RETURN NULL;
END
$$;
CREATE FUNCTION public.tell_of_models() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    PERFORM pg_notify('kerncast', json_build_object(
        'kind', 'model', 'device', device_id, 'provider', provider, 'model', id)::text)
    FROM new_rows;
    RETURN NULL;
END
$$;
CREATE FUNCTION public.tell_of_samples() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    PERFORM pg_notify('kerncast', json_build_object('kind', 'samples', 'device', device_id)::text)
    FROM (SELECT DISTINCT device_id FROM new_rows) AS changed;
    RETURN NULL;
END
$$;
SET default_tablespace = '';
SET default_table_access_method = heap;
CREATE TABLE public._sqlx_migrations (
    version bigint NOT NULL,
    description text NOT NULL,
    installed_on timestamp with time zone DEFAULT now() NOT NULL,
    success boolean NOT NULL,
    checksum bytea NOT NULL,
    execution_time bigint NOT NULL
);
CREATE TABLE public.agent_reports (
    agent text NOT NULL,
    version text NOT NULL,
    reported_at timestamp with time zone DEFAULT now() NOT NULL,
    spool bigint,
    rejected bigint,
    run jsonb,
    CONSTRAINT agent_reports_rejected_check CHECK ((rejected >= 0)),
    CONSTRAINT agent_reports_run_check CHECK ((jsonb_typeof(run) = 'object'::text)),
    CONSTRAINT agent_reports_spool_check CHECK ((spool >= 0))
);
CREATE TABLE public.agents (
    id integer NOT NULL,
    name text NOT NULL,
    version text NOT NULL,
    last_seen_at timestamp with time zone DEFAULT now() NOT NULL
);
ALTER TABLE public.agents ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.agents_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.ceilings (
    id uuid NOT NULL,
    content_hash bytea NOT NULL,
    device_id integer NOT NULL,
    agent_id integer NOT NULL,
    measured_at timestamp with time zone NOT NULL,
    copy_bytes_per_s public.finite,
    host_to_device_bytes_per_s public.finite,
    device_to_host_bytes_per_s public.finite,
    fp32_flop_per_s public.finite,
    fp64_flop_per_s public.finite,
    int32_op_per_s public.finite,
    local_bytes_per_s public.finite,
    launch_latency_s public.finite,
    conditions jsonb,
    provenance jsonb NOT NULL,
    origin text NOT NULL,
    CONSTRAINT ceilings_check CHECK ((num_nonnulls(copy_bytes_per_s, host_to_device_bytes_per_s, device_to_host_bytes_per_s, fp32_flop_per_s, fp64_flop_per_s, int32_op_per_s, local_bytes_per_s, launch_latency_s) > 0)),
    CONSTRAINT ceilings_conditions_check CHECK ((jsonb_typeof(conditions) = 'object'::text)),
    CONSTRAINT ceilings_content_hash_check CHECK ((length(content_hash) = 32)),
    CONSTRAINT ceilings_copy_bytes_per_s_check CHECK (((copy_bytes_per_s)::double precision > (0)::double precision)),
    CONSTRAINT ceilings_device_to_host_bytes_per_s_check CHECK (((device_to_host_bytes_per_s)::double precision > (0)::double precision)),
    CONSTRAINT ceilings_fp32_flop_per_s_check CHECK (((fp32_flop_per_s)::double precision > (0)::double precision)),
    CONSTRAINT ceilings_fp64_flop_per_s_check CHECK (((fp64_flop_per_s)::double precision > (0)::double precision)),
    CONSTRAINT ceilings_host_to_device_bytes_per_s_check CHECK (((host_to_device_bytes_per_s)::double precision > (0)::double precision)),
    CONSTRAINT ceilings_int32_op_per_s_check CHECK (((int32_op_per_s)::double precision > (0)::double precision)),
    CONSTRAINT ceilings_launch_latency_s_check CHECK (((launch_latency_s)::double precision > (0)::double precision)),
    CONSTRAINT ceilings_local_bytes_per_s_check CHECK (((local_bytes_per_s)::double precision > (0)::double precision)),
    CONSTRAINT ceilings_origin_check CHECK ((origin = ANY (ARRAY['measured'::text, 'imported'::text, 'shipped'::text])))
);
CREATE TABLE public.counted_series (
    device_id integer NOT NULL,
    provider text NOT NULL,
    workload_id integer NOT NULL,
    newest_id uuid NOT NULL,
    newest_at timestamp with time zone NOT NULL
)
WITH (fillfactor='50');
CREATE TABLE public.counters (
    id integer NOT NULL,
    provider text NOT NULL,
    name text NOT NULL,
    CONSTRAINT counters_provider_check CHECK ((provider ~ '^[a-z0-9_]{1,40}$'::text))
);
ALTER TABLE public.counters ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.counters_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.coverages (
    model_id uuid NOT NULL,
    level public.finite NOT NULL,
    covered public.finite NOT NULL,
    covered_rows public.finite NOT NULL,
    typical_factor public.finite NOT NULL,
    n bigint NOT NULL,
    without bigint NOT NULL,
    CONSTRAINT coverages_level_check CHECK ((((level)::double precision > (0)::double precision) AND ((level)::double precision < (1)::double precision))),
    CONSTRAINT coverages_typical_factor_check CHECK (((typical_factor)::double precision >= (1)::double precision))
);
CREATE TABLE public.devices (
    id integer NOT NULL,
    vendor text NOT NULL,
    name text NOT NULL,
    kind text NOT NULL,
    compute_units bigint,
    global_memory_bytes bigint,
    local_memory_bytes bigint,
    CONSTRAINT devices_compute_units_check CHECK ((compute_units >= 0)),
    CONSTRAINT devices_global_memory_bytes_check CHECK ((global_memory_bytes >= 0)),
    CONSTRAINT devices_kind_check CHECK ((kind = ANY (ARRAY['cpu'::text, 'gpu'::text, 'accelerator'::text]))),
    CONSTRAINT devices_local_memory_bytes_check CHECK ((local_memory_bytes >= 0))
);
ALTER TABLE public.devices ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.devices_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.fitting_jobs (
    id bigint NOT NULL,
    device_id integer NOT NULL,
    source_device_id integer,
    provider text NOT NULL,
    requested_at timestamp with time zone DEFAULT now() NOT NULL,
    attempts integer DEFAULT 0 NOT NULL,
    last_error text,
    retry_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT fitting_jobs_check CHECK ((source_device_id <> device_id))
);
ALTER TABLE public.fitting_jobs ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.fitting_jobs_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.gain_signs (
    model_id uuid NOT NULL,
    "right" public.finite NOT NULL,
    clear_right public.finite,
    pays_off public.finite NOT NULL,
    CONSTRAINT gain_signs_clear_right_check CHECK ((((clear_right)::double precision >= (0)::double precision) AND ((clear_right)::double precision <= (1)::double precision))),
    CONSTRAINT gain_signs_pays_off_check CHECK ((((pays_off)::double precision >= (0)::double precision) AND ((pays_off)::double precision <= (1)::double precision))),
    CONSTRAINT gain_signs_right_check CHECK (((("right")::double precision >= (0)::double precision) AND (("right")::double precision <= (1)::double precision)))
);
CREATE TABLE public.hold_out_errors (
    model_id uuid NOT NULL,
    key text NOT NULL,
    kernel text NOT NULL,
    n bigint NOT NULL,
    unpredicted bigint NOT NULL,
    mean_ape public.finite,
    median_ape public.finite,
    factor public.finite,
    within_25 public.finite,
    negative bigint NOT NULL,
    CONSTRAINT hold_out_errors_check CHECK ((num_nulls(mean_ape, median_ape, within_25) =
CASE
    WHEN (n > 0) THEN 0
    ELSE 3
END))
);
CREATE TABLE public.hold_outs (
    model_id uuid NOT NULL,
    key text NOT NULL,
    predicted double precision[] NOT NULL,
    refusals text[] NOT NULL,
    CONSTRAINT hold_outs_check CHECK ((cardinality(predicted) = cardinality(refusals))),
    CONSTRAINT hold_outs_key_check CHECK ((key = ANY (ARRAY['row'::text, 'kernel'::text, 'family'::text, 'device'::text]))),
    CONSTRAINT hold_outs_predicted_check CHECK (((('-Infinity'::double precision < ALL (predicted)) AND ('Infinity'::double precision > ALL (predicted))) IS NOT FALSE))
);
CREATE TABLE public.kernels (
    id integer NOT NULL,
    name text NOT NULL,
    family text
);
ALTER TABLE public.kernels ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.kernels_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.models (
    id uuid NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    device_id integer NOT NULL,
    source_device_id integer,
    provider text NOT NULL,
    method text NOT NULL,
    complexity smallint NOT NULL,
    counters text[] NOT NULL,
    default_counters boolean NOT NULL,
    variant text,
    response text DEFAULT 'time'::text NOT NULL,
    code_version text NOT NULL,
    fingerprint bytea NOT NULL,
    sample_ids uuid[] NOT NULL,
    source_sample_ids uuid[],
    kernels bigint NOT NULL,
    fit json,
    dropped text[],
    calibration json,
    refusal text,
    warnings text[] NOT NULL,
    superseded boolean DEFAULT false NOT NULL,
    global_sample_ids uuid[],
    rank smallint,
    superseded_at timestamp with time zone,
    fit_dropped_at timestamp with time zone,
    workload_ids integer[] DEFAULT '{}'::integer[] NOT NULL,
    CONSTRAINT models_calibration_check CHECK ((json_typeof(calibration) = 'array'::text)),
    CONSTRAINT models_check CHECK ((source_device_id <> device_id)),
    CONSTRAINT models_check2 CHECK (((source_device_id IS NULL) = (source_sample_ids IS NULL))),
    CONSTRAINT models_check3 CHECK ((cardinality(source_sample_ids) = cardinality(sample_ids))),
    CONSTRAINT models_check5 CHECK ((cardinality(dropped) = cardinality(counters))),
    CONSTRAINT models_check6 CHECK (((response = 'gain'::text) = (global_sample_ids IS NOT NULL))),
    CONSTRAINT models_check7 CHECK ((cardinality(global_sample_ids) = cardinality(sample_ids))),
    CONSTRAINT models_check8 CHECK (((rank IS NULL) OR ((NOT superseded) AND (refusal IS NULL)))),
    CONSTRAINT models_complexity_check CHECK ((complexity >= 0)),
    CONSTRAINT models_dropped_check CHECK (((refusal IS NULL) = (dropped IS NOT NULL))),
    CONSTRAINT models_fingerprint_check CHECK ((length(fingerprint) = 32)),
    CONSTRAINT models_fit_check CHECK ((json_typeof(fit) = 'object'::text)),
    CONSTRAINT models_fit_dropped_at_check CHECK (((fit_dropped_at IS NULL) OR superseded)),
    CONSTRAINT models_outcome_check CHECK ((num_nonnulls(fit, refusal, fit_dropped_at) = 1)),
    CONSTRAINT models_rank_check CHECK ((rank > 0)),
    CONSTRAINT models_workload_ids_check CHECK ((cardinality(workload_ids) = cardinality(sample_ids)))
);
CREATE TABLE public.reading_counts (
    kernel_id integer NOT NULL,
    provider text NOT NULL,
    list bytea NOT NULL,
    counter_ids integer[] NOT NULL,
    samples bigint NOT NULL
)
WITH (fillfactor='50');
CREATE TABLE public.readings (
    sample_id uuid NOT NULL,
    provider text NOT NULL,
    counter_ids integer[],
    "values" double precision[],
    scope text NOT NULL,
    refusal text,
    CONSTRAINT readings_check CHECK (((counter_ids IS NULL) = ("values" IS NULL))),
    CONSTRAINT readings_check1 CHECK (((counter_ids IS NULL) <> (refusal IS NULL))),
    CONSTRAINT readings_check2 CHECK (((cardinality(counter_ids) = cardinality("values")) AND (cardinality("values") > 0))),
    CONSTRAINT readings_provider_check CHECK ((provider ~ '^[a-z0-9_]{1,40}$'::text)),
    CONSTRAINT readings_scope_check CHECK ((scope = ANY (ARRAY['full'::text, 'first_and_last_group'::text, 'reduced_size'::text]))),
    CONSTRAINT readings_values_check CHECK ((("values" IS NULL) OR ((((0)::double precision <= ALL ("values")) AND ('Infinity'::double precision > ALL ("values"))) IS TRUE)))
);
CREATE TABLE public.sample_counts (
    device_id integer NOT NULL,
    kernel_id integer NOT NULL,
    agent_id integer NOT NULL,
    origin text NOT NULL,
    source_hash text NOT NULL,
    samples bigint NOT NULL,
    first_measured_at timestamp with time zone NOT NULL,
    last_measured_at timestamp with time zone NOT NULL
)
WITH (fillfactor='50');
CREATE TABLE public.samples (
    id uuid NOT NULL,
    content_hash bytea NOT NULL,
    workload_id integer NOT NULL,
    device_id integer NOT NULL,
    agent_id integer NOT NULL,
    measured_at timestamp with time zone NOT NULL,
    received_at timestamp with time zone DEFAULT now() NOT NULL,
    repetitions double precision[] NOT NULL,
    min_s public.finite NOT NULL,
    median_s public.finite NOT NULL,
    cv public.finite,
    launches_per_repetition bigint NOT NULL,
    settled boolean,
    cold_repetitions double precision[] NOT NULL,
    conditions jsonb,
    flags text[] NOT NULL,
    provenance jsonb NOT NULL,
    origin text NOT NULL,
    CONSTRAINT samples_cold_repetitions_check CHECK ((cardinality(cold_repetitions) <= 100000)),
    CONSTRAINT samples_cold_repetitions_check1 CHECK (((((0)::double precision < ALL (cold_repetitions)) AND (('1000000'::numeric)::double precision > ALL (cold_repetitions))) IS TRUE)),
    CONSTRAINT samples_conditions_check CHECK ((jsonb_typeof(conditions) = 'object'::text)),
    CONSTRAINT samples_content_hash_check CHECK ((length(content_hash) = 32)),
    CONSTRAINT samples_flags_check CHECK (((flags <@ '{throttled,shared,outliers}'::text[]) IS TRUE)),
    CONSTRAINT samples_launches_per_repetition_check CHECK ((launches_per_repetition > 0)),
    CONSTRAINT samples_origin_check CHECK ((origin = ANY (ARRAY['measured'::text, 'imported'::text, 'shipped'::text]))),
    CONSTRAINT samples_repetitions_check CHECK (((cardinality(repetitions) >= 1) AND (cardinality(repetitions) <= 100000))),
    CONSTRAINT samples_repetitions_check1 CHECK (((((0)::double precision < ALL (repetitions)) AND (('1000000'::numeric)::double precision > ALL (repetitions))) IS TRUE))
);
CREATE TABLE public.series (
    device_id integer NOT NULL,
    workload_id integer NOT NULL,
    origin text NOT NULL,
    samples bigint NOT NULL,
    min_s public.finite NOT NULL,
    newest_id uuid NOT NULL,
    newest_at timestamp with time zone NOT NULL
)
WITH (fillfactor='50');
CREATE TABLE public.sources (
    hash text NOT NULL,
    files jsonb NOT NULL,
    received_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT sources_files_check CHECK ((jsonb_typeof(files) = 'object'::text)),
    CONSTRAINT sources_hash_check CHECK ((hash ~ '^[0-9a-f]{64}$'::text))
);
CREATE TABLE public.tokens (
    hash bytea NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT tokens_hash_check CHECK ((length(hash) = 32))
);
CREATE TABLE public.workloads (
    id integer NOT NULL,
    kernel_id integer NOT NULL,
    variant text NOT NULL,
    parameters jsonb NOT NULL,
    CONSTRAINT workloads_parameters_check CHECK ((jsonb_typeof(parameters) = 'object'::text))
);
ALTER TABLE public.workloads ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.workloads_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
INSERT INTO public._sqlx_migrations VALUES
	(1, 'words', '2026-11-22 14:13:37.66394+00', true, '\x946b4751927c6df7e13065d02f5ff39e4c452d34648eefe02f443db7716049e3ede038925d4c01c85044c58beeb6260c', 21339151),
	(2, 'samples', '2026-11-22 14:13:37.682948+00', true, '\x0b7ce00376ee7c60fc489e40350b4cdd1b5ff897dad4e3413ccf1924b74279e2ff1de5e6d52da6f5ab4ae0440e097e3a', 10099715),
	(3, 'models', '2026-11-22 14:13:37.693351+00', true, '\x728d4215b48228e618f5f837df578733cbb2f6cdb942a5a59dff5fc1898d81933403976f593acae854de8a95d31e3474', 26395234),
	(4, 'fitting jobs', '2026-11-22 14:13:37.720996+00', true, '\xef798e993cdd15664a44468d69dafb8971b85353e19e6d4f2616380970a0e230543090b30224e18d3ed4650c4c991ac1', 8114584),
	(5, 'tokens', '2026-11-22 14:13:37.729367+00', true, '\xa339dd318f10dc0bb8de85edad5831adb040fda1b1bcfd3cc83c132f37e1121693bf2451e22bb329d2e11258b1163f9c', 1464870),
	(6, 'store samples', '2026-11-22 14:13:37.731015+00', true, '\x7b00207b68cdadfa96baac215fc84f889e8a6490eca8a166c255867cc87535eedc349a0d7e468f4467257c36e5ad5278', 10354167),
	(7, 'ceilings', '2026-11-22 14:13:37.742654+00', true, '\x8fe94e63d9a2bcd79f6c399e059a7fb14131b6ff7d5e1422cd867e44bea130db95a73de12cd9501e953790097a7f0820', 14459141),
	(10, 'agent reports', '2026-11-22 14:13:37.760617+00', true, '\x03e5f9710de4001cd1c9ef59aa6b70c8799a69afd967679aa4339fa585664e8576fa7ab6add28fc8b4aa53cf8c7b18ed', 2421095),
	(11, 'events', '2026-11-22 14:13:37.762672+00', true, '\x252ad50bf366c787b3ed3aaf933f8bd91c8b6855327ed580a1dde52a56bb5de12aa3b7c6809147dc9e2afa49e2012436', 5188601),
	(12, 'sources', '2026-11-22 14:13:37.768934+00', true, '\xb64bf02607a09ecd7c2f5d638e7464b986784186753bddf3611cdf9dbcd7f47d5212ae85ac32e523817f073e0a0d65da', 1380533),
	(13, 'overview index', '2026-11-22 14:13:37.770411+00', true, '\x44682ca135b333f7d863123955f57b1c12292663d7e3593250128cb8d1e00e16607cdd61dfe68221097f05b72639d8b3', 3914277),
	(14, 'gains', '2026-11-22 14:13:37.774457+00', true, '\x952a7234fa4b7bc33f5c8b79e541a12eb53a96bdf61930eb0c576731b0afdbad64c5e81c4b1370be66a2bfcf442ebf66', 33278830),
	(15, 'store samples', '2026-11-22 14:13:37.8124+00', true, '\xc3489fdf6e1fa180ae4ce37ef56e724c0945ec0dea887fc37e9a11cd25bd2d12f427e36a50bd7a4bb655bb48af567ead', 19958639),
	(16, 'kernel names', '2026-11-22 14:13:37.832598+00', true, '\x20e2d610a0ccb0d4d96455d08a5dae3f4852382f626947bc52792c5e5ab59f20d15cb3bb37a08f88c78ce9885258f3dd', 9196268),
	(18, 'kept counts', '2026-11-22 14:13:37.843937+00', true, '\xefa7ceb88809eef79859120965b66a82a985c8da2951e4272d2624f2aa8f2cf8a5f093c7696081a5289326a5bd027d48', 127547687),
	(19, 'ranks', '2026-11-22 14:13:37.97999+00', true, '\x671630e41701cfdee04e960280405e4e1a6c30b29d8cb72aa5e38918c39955ef0ab53b740051ef01fadf64daad29071a', 23523741),
	(20, 'superseded fits', '2026-11-22 14:13:38.007945+00', true, '\x0b315c7c91e8bd6da9cd7ac0e37217f01ad22b91ff30ff06dc86e6c88aa624331f3ed0c4d0a0a7a30807bb3cdde749b7', 23924313);
INSERT INTO public.agents OVERRIDING SYSTEM VALUE VALUES
	(1, 'lab-3', '0.1.0', '2026-11-22 14:13:38.096402+00');
INSERT INTO public.counters OVERRIDING SYSTEM VALUE VALUES
	(1, 'oclgrind', 'load_global'),
	(2, 'oclgrind', 'store_global');
INSERT INTO public.devices OVERRIDING SYSTEM VALUE VALUES
	(1, 'Vendor', 'Device', 'cpu', NULL, NULL, NULL),
	(2, 'Vendor', 'Slower', 'gpu', NULL, NULL, NULL);
INSERT INTO public.kernels OVERRIDING SYSTEM VALUE VALUES
	(1, 'copy', NULL),
	(2, 'matrix_mul', 'matrices'),
	(3, 'stencil', NULL);
INSERT INTO public.readings VALUES
	('88cac26e-667f-dada-9d92-529adbdd1c0e', 'oclgrind', '{1,2}', '{1000,10}', 'full', NULL),
	('94ee41d1-22fd-6ab2-d52d-2d8e9b9ab33b', 'oclgrind', '{1,2}', '{2000,40}', 'full', NULL),
	('7d4f3ee8-c178-0190-ce08-294ca42fcbe0', 'oclgrind', '{1,2}', '{3000,90}', 'full', NULL),
	('d7d745f0-171c-03e6-90fd-dfdaef9c32f3', 'oclgrind', '{1,2}', '{4000,160}', 'full', NULL),
	('1e899189-54c7-4dd7-4621-89310d88f162', 'oclgrind', '{1,2}', '{5000,250}', 'full', NULL),
	('b1eb33ce-8371-49c1-4c79-05fa3d732446', 'oclgrind', '{1,2}', '{6000,360}', 'full', NULL),
	('36922049-359c-bd7a-32a6-d1378299537a', 'oclgrind', '{1,2}', '{7000,490}', 'full', NULL),
	('3944d3ef-49dc-34bd-9175-41f08862705b', 'oclgrind', '{1,2}', '{8000,640}', 'full', NULL),
	('0489b954-e84e-adca-20be-c8dbb766ad6d', 'oclgrind', '{1,2}', '{9000,810}', 'full', NULL),
	('2b74499c-4cb8-b95d-14f1-80c751f815d5', 'oclgrind', '{1,2}', '{10000,1000}', 'full', NULL),
	('595eedf0-9936-0ea4-a21b-fe2d4e42a540', 'oclgrind', '{1,2}', '{11000,1210}', 'full', NULL),
	('c2623c9a-04f3-4c5a-b8c7-8c520e411ed2', 'oclgrind', '{1,2}', '{12000,1440}', 'full', NULL),
	('891659f1-e1df-eb14-2955-0e9df36924d9', 'oclgrind', '{1,2}', '{13000,1690}', 'full', NULL),
	('1402fcf9-6ab4-6040-0dfc-692298707039', 'oclgrind', '{1,2}', '{14000,1960}', 'full', NULL),
	('4460f362-ad19-91aa-b6de-8cc043688767', 'oclgrind', '{1,2}', '{15000,2250}', 'full', NULL),
	('f76fd086-47c0-275d-32f7-e2044b828c88', 'oclgrind', '{1,2}', '{16000,2560}', 'full', NULL),
	('baf80c67-5542-601d-08f7-5e74b2eaa909', 'oclgrind', '{1,2}', '{17000,2890}', 'full', NULL),
	('a121e01b-7bd9-54b9-a371-46c7abb19fd2', 'oclgrind', '{1,2}', '{18000,3240}', 'full', NULL),
	('43c2f7d0-7266-6377-1346-1b204340c439', 'oclgrind', '{1,2}', '{19000,3610}', 'full', NULL),
	('7a9dca4f-b2ec-1899-abfa-f2541b81f766', 'oclgrind', '{1,2}', '{20000,4000}', 'full', NULL),
	('d159a292-acf8-eaaa-7139-ad2fd92b73f6', 'oclgrind', '{1,2}', '{21000,4410}', 'full', NULL),
	('4ef266db-eabd-0947-977b-3917060b41e9', 'oclgrind', '{1,2}', '{22000,4840}', 'full', NULL),
	('3981758f-c17f-fb29-fb7b-0d60339786c7', 'oclgrind', '{1,2}', '{23000,5290}', 'full', NULL),
	('d8ac0d7e-52f2-987e-8e15-5da48db50bce', 'oclgrind', '{1,2}', '{24000,5760}', 'full', NULL);
INSERT INTO public.sample_counts VALUES
	(1, 1, 1, 'measured', '', 8, '2026-11-01 12:00:00+00', '2026-11-01 12:00:00+00'),
	(1, 2, 1, 'measured', '', 8, '2026-11-01 12:00:00+00', '2026-11-01 12:00:00+00'),
	(1, 3, 1, 'measured', '', 8, '2026-11-01 12:00:00+00', '2026-11-01 12:00:00+00'),
	(2, 1, 1, 'measured', '', 8, '2026-11-01 12:00:00+00', '2026-11-01 12:00:00+00'),
	(2, 2, 1, 'measured', '', 8, '2026-11-01 12:00:00+00', '2026-11-01 12:00:00+00'),
	(2, 3, 1, 'measured', '', 8, '2026-11-01 12:00:00+00', '2026-11-01 12:00:00+00');
INSERT INTO public.samples VALUES
	('88cac26e-667f-dada-9d92-529adbdd1c0e', '\x7278e8e01ea8be1ecc39bfa7255724565d7b987fa739d589641a0d4782a9b8f1', 1, 1, 1, '2026-11-01 12:00:00+00', '2026-11-22 14:13:38.096402+00', '{0.001,0.001,0.001}', 0.001, 0.001, 0, 1, true, '{}', NULL, '{}', '{}', 'measured'),
	('94ee41d1-22fd-6ab2-d52d-2d8e9b9ab33b', '\x5973650079e4b045be1914ce2ab9501e7f7385d5ef2b77347b90434c3c74cbe6', 2, 1, 1, '2026-11-01 12:00:00+00', '2026-11-22 14:13:38.096402+00', '{0.002,0.002,0.002}', 0.002, 0.002, 0, 1, true, '{}', NULL, '{}', '{}', 'measured'),
	('7d4f3ee8-c178-0190-ce08-294ca42fcbe0', '\x3a6410dd94dd6c3e257da7ad9af52b82dc37ac6ce76c993023916c38045701fb', 3, 1, 1, '2026-11-01 12:00:00+00', '2026-11-22 14:13:38.096402+00', '{0.003,0.003,0.003}', 0.003, 0.003, 0, 1, true, '{}', NULL, '{}', '{}', 'measured'),
	('d7d745f0-171c-03e6-90fd-dfdaef9c32f3', '\x476666da99e161f6312617bf229f088834cbc6149ab2b438ec98959da8fc08a2', 4, 1, 1, '2026-11-01 12:00:00+00', '2026-11-22 14:13:38.096402+00', '{0.004,0.004,0.004}', 0.004, 0.004, 0, 1, true, '{}', NULL, '{}', '{}', 'measured'),
	('1e899189-54c7-4dd7-4621-89310d88f162', '\x95733f52a85924bc0e3897950fcaa554b23f8b649d6c3b995ec4f4e98d44f7ba', 5, 1, 1, '2026-11-01 12:00:00+00', '2026-11-22 14:13:38.096402+00', '{0.005,0.005,0.005}', 0.005, 0.005, 0, 1, true, '{}', NULL, '{}', '{}', 'measured'),
	('b1eb33ce-8371-49c1-4c79-05fa3d732446', '\x0d3e474d41a0b0acded6d9b9b735f18336e2b2bb5adcf055bf9b6dc6ba209f05', 6, 1, 1, '2026-11-01 12:00:00+00', '2026-11-22 14:13:38.096402+00', '{0.006,0.006,0.006}', 0.006, 0.006, 0, 1, true, '{}', NULL, '{}', '{}', 'measured'),
	('36922049-359c-bd7a-32a6-d1378299537a', '\x9dcba6145b1743129b8b2b7b0ef69a103f2d4e080ed4b05eea103344e28963d3', 7, 1, 1, '2026-11-01 12:00:00+00', '2026-11-22 14:13:38.096402+00', '{0.007,0.007,0.007}', 0.007, 0.007, 0, 1, true, '{}', NULL, '{}', '{}', 'measured'),
	('3944d3ef-49dc-34bd-9175-41f08862705b', '\xac5cfa9a1bcaae24c952d94207657c4ef1af869f2029dcab8f61465186724ff3', 8, 1, 1, '2026-11-01 12:00:00+00', '2026-11-22 14:13:38.096402+00', '{0.008,0.008,0.008}', 0.008, 0.008, 0, 1, true, '{}', NULL, '{}', '{}', 'measured'),
	('0489b954-e84e-adca-20be-c8dbb766ad6d', '\x381dd8e0dca07768200e67db428b6fccec966321fc1dfef02bdb9dab666c8648', 9, 1, 1, '2026-11-01 12:00:00+00', '2026-11-22 14:13:38.096402+00', '{0.009000000000000001,0.009000000000000001,0.009000000000000001}', 0.009000000000000001, 0.009000000000000001, 0, 1, true, '{}', NULL, '{}', '{}', 'measured'),
	('2b74499c-4cb8-b95d-14f1-80c751f815d5', '\xb9c9a841c5b2a8bab20d3b24c81ef5814ad3d802af41006e4a808ba82cff7d7d', 10, 1, 1, '2026-11-01 12:00:00+00', '2026-11-22 14:13:38.096402+00', '{0.01,0.01,0.01}', 0.01, 0.01, 0, 1, true, '{}', NULL, '{}', '{}', 'measured'),
	('595eedf0-9936-0ea4-a21b-fe2d4e42a540', '\xb0b4e00d6e1894433b33b9fd3c734e099b3db1cd7b2026477dfe4150d30872eb', 11, 1, 1, '2026-11-01 12:00:00+00', '2026-11-22 14:13:38.096402+00', '{0.011,0.011,0.011}', 0.011, 0.011, 0, 1, true, '{}', NULL, '{}', '{}', 'measured'),
	('c2623c9a-04f3-4c5a-b8c7-8c520e411ed2', '\x248b151054e2b94389b5a3442fe11e03b2d9bb5b2c6b564975798eb8c7c7c3e5', 12, 1, 1, '2026-11-01 12:00:00+00', '2026-11-22 14:13:38.096402+00', '{0.012,0.012,0.012}', 0.012, 0.012, 0, 1, true, '{}', NULL, '{}', '{}', 'measured'),
	('891659f1-e1df-eb14-2955-0e9df36924d9', '\x37b0dd11f072491e0d627d70fe0655fc438a9f77ba9ab88add2b9d5ce31bb71c', 13, 1, 1, '2026-11-01 12:00:00+00', '2026-11-22 14:13:38.096402+00', '{0.013000000000000001,0.013000000000000001,0.013000000000000001}', 0.013000000000000001, 0.013000000000000001, 0, 1, true, '{}', NULL, '{}', '{}', 'measured'),
	('1402fcf9-6ab4-6040-0dfc-692298707039', '\x2de059816c20ee5463c84b0a27a69ad7ebed759baab71cdf5ba8c44cf914dc87', 14, 1, 1, '2026-11-01 12:00:00+00', '2026-11-22 14:13:38.096402+00', '{0.014,0.014,0.014}', 0.014, 0.014, 0, 1, true, '{}', NULL, '{}', '{}', 'measured'),
	('4460f362-ad19-91aa-b6de-8cc043688767', '\x289d7cbea33684e9d579b1b5dccf1969356fbcf8a6dcf2932af7b2029153dad2', 15, 1, 1, '2026-11-01 12:00:00+00', '2026-11-22 14:13:38.096402+00', '{0.015,0.015,0.015}', 0.015, 0.015, 0, 1, true, '{}', NULL, '{}', '{}', 'measured'),
	('f76fd086-47c0-275d-32f7-e2044b828c88', '\xb2b7c89e0ab43a3f9dd31ec779c5200858eb2fda2767a438234dda5010171cb3', 16, 1, 1, '2026-11-01 12:00:00+00', '2026-11-22 14:13:38.096402+00', '{0.016,0.016,0.016}', 0.016, 0.016, 0, 1, true, '{}', NULL, '{}', '{}', 'measured'),
	('baf80c67-5542-601d-08f7-5e74b2eaa909', '\x121c8f19c2c6b56111008f60b44778bb551a133f469cffab5205776c7de25fd4', 17, 1, 1, '2026-11-01 12:00:00+00', '2026-11-22 14:13:38.096402+00', '{0.017,0.017,0.017}', 0.017, 0.017, 0, 1, true, '{}', NULL, '{}', '{}', 'measured'),
	('a121e01b-7bd9-54b9-a371-46c7abb19fd2', '\x58e0fcb1b30aa2972fa759015b4b7e4aeb36afa755b27ff1cbdfaa3a41629087', 18, 1, 1, '2026-11-01 12:00:00+00', '2026-11-22 14:13:38.096402+00', '{0.018000000000000002,0.018000000000000002,0.018000000000000002}', 0.018000000000000002, 0.018000000000000002, 0, 1, true, '{}', NULL, '{}', '{}', 'measured'),
	('43c2f7d0-7266-6377-1346-1b204340c439', '\x63f76c8d5f51dbc2983c9ede74ebc428d2f8fb5ced0d0903f18b8c3267eefde2', 19, 1, 1, '2026-11-01 12:00:00+00', '2026-11-22 14:13:38.096402+00', '{0.019,0.019,0.019}', 0.019, 0.019, 0, 1, true, '{}', NULL, '{}', '{}', 'measured'),
	('7a9dca4f-b2ec-1899-abfa-f2541b81f766', '\xe699d8d8bb94ab2ace3d1aec8faddfe98cfb43e9ce5173535a25c9cd2cfd11e0', 20, 1, 1, '2026-11-01 12:00:00+00', '2026-11-22 14:13:38.096402+00', '{0.02,0.02,0.02}', 0.02, 0.02, 0, 1, true, '{}', NULL, '{}', '{}', 'measured'),
	('d159a292-acf8-eaaa-7139-ad2fd92b73f6', '\x02b6315d99050ca89088391ce2170b3ee7c459457ddcb5ca0db13c6d8f02a7c5', 21, 1, 1, '2026-11-01 12:00:00+00', '2026-11-22 14:13:38.096402+00', '{0.021,0.021,0.021}', 0.021, 0.021, 0, 1, true, '{}', NULL, '{}', '{}', 'measured'),
	('4ef266db-eabd-0947-977b-3917060b41e9', '\xc47c0c190787f74d583ad20f5a045e84224bda86af3143c56f796c79a84ba4a0', 22, 1, 1, '2026-11-01 12:00:00+00', '2026-11-22 14:13:38.096402+00', '{0.022,0.022,0.022}', 0.022, 0.022, 0, 1, true, '{}', NULL, '{}', '{}', 'measured'),
	('3981758f-c17f-fb29-fb7b-0d60339786c7', '\xd78af8ebf1437b72a247b86a40c3760787b436b717bf5b5fc726f916b2296335', 23, 1, 1, '2026-11-01 12:00:00+00', '2026-11-22 14:13:38.096402+00', '{0.023,0.023,0.023}', 0.023, 0.023, 0, 1, true, '{}', NULL, '{}', '{}', 'measured'),
	('d8ac0d7e-52f2-987e-8e15-5da48db50bce', '\x91e4abebda72b103c37db74d9e0c9dcd7ad79d4fd6bfb9f329c5bb0ffff0e9ec', 24, 1, 1, '2026-11-01 12:00:00+00', '2026-11-22 14:13:38.096402+00', '{0.024,0.024,0.024}', 0.024, 0.024, 0, 1, true, '{}', NULL, '{}', '{}', 'measured'),
	('60e371e1-3dda-108e-48ae-f0401c8212b2', '\x70004d80e2e50ac519e711da85c750f1bf7c37b3e6d82e564577253aec81c0d8', 1, 2, 1, '2026-11-01 12:00:00+00', '2026-11-22 14:13:38.096402+00', '{0.002,0.002,0.002}', 0.002, 0.002, 0, 1, true, '{}', NULL, '{}', '{}', 'measured'),
	('8c29984d-5530-9cd0-c558-8a6de9f80169', '\xa53a2e230223fa32f9a682966e8369e0800928e7df49232a919e627642c89c24', 2, 2, 1, '2026-11-01 12:00:00+00', '2026-11-22 14:13:38.096402+00', '{0.004,0.004,0.004}', 0.004, 0.004, 0, 1, true, '{}', NULL, '{}', '{}', 'measured'),
	('52a32c7b-a6d0-2ae8-d256-ca90c51fb89c', '\x8e2d626ecd55dfa2908e0dafd04e08a3868b6dff7cfb0147c59dfd90fa0438b1', 3, 2, 1, '2026-11-01 12:00:00+00', '2026-11-22 14:13:38.096402+00', '{0.006,0.006,0.006}', 0.006, 0.006, 0, 1, true, '{}', NULL, '{}', '{}', 'measured'),
	('18624fec-4d86-55e3-7812-26295d7bce78', '\xce364103c4409954d012030d76c019a4b2189c321c8b9269db8724818860c7d0', 4, 2, 1, '2026-11-01 12:00:00+00', '2026-11-22 14:13:38.096402+00', '{0.008,0.008,0.008}', 0.008, 0.008, 0, 1, true, '{}', NULL, '{}', '{}', 'measured'),
	('abf1ff3e-903b-c8f3-d44d-1fbc3752f03e', '\xba20552ac388dceb9f24d44664159cd7849480ff2c580c16d3b75ce018830fff', 5, 2, 1, '2026-11-01 12:00:00+00', '2026-11-22 14:13:38.096402+00', '{0.01,0.01,0.01}', 0.01, 0.01, 0, 1, true, '{}', NULL, '{}', '{}', 'measured'),
	('53e928e0-bd9c-afea-d80e-4525ba113e08', '\x077cef8c32880976600f7cff315a32c1ec0802d2afd78e9bdabdee469f35a056', 6, 2, 1, '2026-11-01 12:00:00+00', '2026-11-22 14:13:38.096402+00', '{0.012,0.012,0.012}', 0.012, 0.012, 0, 1, true, '{}', NULL, '{}', '{}', 'measured'),
	('29bb1852-c7fe-72f8-0e0f-2f5d4a25020b', '\x752e0876f13686faa405999441147b11df0403782519e8c5efe27c721e287219', 7, 2, 1, '2026-11-01 12:00:00+00', '2026-11-22 14:13:38.096402+00', '{0.014,0.014,0.014}', 0.014, 0.014, 0, 1, true, '{}', NULL, '{}', '{}', 'measured'),
	('2684d98d-f3d7-6e5a-a5c2-e04346ec72b6', '\x8c55a40421ec99bbddb4aaa634d5e24850c12216324ce78e841f15d014a966de', 8, 2, 1, '2026-11-01 12:00:00+00', '2026-11-22 14:13:38.096402+00', '{0.016,0.016,0.016}', 0.016, 0.016, 0, 1, true, '{}', NULL, '{}', '{}', 'measured'),
	('754aae79-2020-1127-6c31-927f85c307d5', '\xb85ec209ec96fd7ab8476395c9a98f7b0674a59e0751a73de43bb7b151881c5b', 9, 2, 1, '2026-11-01 12:00:00+00', '2026-11-22 14:13:38.096402+00', '{0.018000000000000002,0.018000000000000002,0.018000000000000002}', 0.018000000000000002, 0.018000000000000002, 0, 1, true, '{}', NULL, '{}', '{}', 'measured'),
	('ca9ef3e6-e685-3587-cb7a-bfecf48d0db5', '\x3ec1c63a52c042d74a834ce5ee4e69941aeff40f8602a7a5020ff56e1301d8fb', 10, 2, 1, '2026-11-01 12:00:00+00', '2026-11-22 14:13:38.096402+00', '{0.02,0.02,0.02}', 0.02, 0.02, 0, 1, true, '{}', NULL, '{}', '{}', 'measured'),
	('8330ef49-fd2b-b3b8-b265-9f5b664d2e0c', '\x00eb345d891b8659e1dd49bb249326cf615e39a3652a8fb9df9496e9c12e1816', 11, 2, 1, '2026-11-01 12:00:00+00', '2026-11-22 14:13:38.096402+00', '{0.022,0.022,0.022}', 0.022, 0.022, 0, 1, true, '{}', NULL, '{}', '{}', 'measured'),
	('a02abeea-99a7-bfc6-c738-424a62e3c0c9', '\x0aa5d4688efc28f90364289259c37ec7e5053f183e6e44c79399ef07893d9737', 12, 2, 1, '2026-11-01 12:00:00+00', '2026-11-22 14:13:38.096402+00', '{0.024,0.024,0.024}', 0.024, 0.024, 0, 1, true, '{}', NULL, '{}', '{}', 'measured'),
	('036993b3-c052-e2cb-1520-5cc7144bafe4', '\xe3481b8b96cf609e0595d8a6c68af6bed4f0c76ef7e4b110a658a3985fb8ad54', 13, 2, 1, '2026-11-01 12:00:00+00', '2026-11-22 14:13:38.096402+00', '{0.026000000000000002,0.026000000000000002,0.026000000000000002}', 0.026000000000000002, 0.026000000000000002, 0, 1, true, '{}', NULL, '{}', '{}', 'measured'),
	('b2e9e212-7d05-6b35-1fd7-74d88b755c6a', '\x6e4963b463033586969d56da6783a2cd3eb6656d81d6f90951ff2c04153a3a08', 14, 2, 1, '2026-11-01 12:00:00+00', '2026-11-22 14:13:38.096402+00', '{0.028,0.028,0.028}', 0.028, 0.028, 0, 1, true, '{}', NULL, '{}', '{}', 'measured'),
	('9bfc5e25-bead-4ecd-1ae8-c7d3e7dd3cf6', '\x4034e37f65a298f024e600831755fdca6f0b494fb52e1c7a6eb1e5b0dbfbdc8a', 15, 2, 1, '2026-11-01 12:00:00+00', '2026-11-22 14:13:38.096402+00', '{0.03,0.03,0.03}', 0.03, 0.03, 0, 1, true, '{}', NULL, '{}', '{}', 'measured'),
	('57a0905a-7467-dfe0-9254-39afea3d0a87', '\x32204117c553ea812cd0e6d222020f2a0ef87f96a990baf1c9f8d5d457a3fd80', 16, 2, 1, '2026-11-01 12:00:00+00', '2026-11-22 14:13:38.096402+00', '{0.032,0.032,0.032}', 0.032, 0.032, 0, 1, true, '{}', NULL, '{}', '{}', 'measured'),
	('d0780f3d-d525-0bbb-e5b7-c8aa01b17397', '\x499c3abc7287ecdded38fb5b2d74c3a68cd5660402cfeab274a7a9d57487bbec', 17, 2, 1, '2026-11-01 12:00:00+00', '2026-11-22 14:13:38.096402+00', '{0.034,0.034,0.034}', 0.034, 0.034, 0, 1, true, '{}', NULL, '{}', '{}', 'measured'),
	('c4c0706f-fad5-26e9-ae30-5fc4f770c7dd', '\x2b2c06d8bc8dbb36c6d0c78fcc80dc89517a190421ee882b277a7a28d551b78e', 18, 2, 1, '2026-11-01 12:00:00+00', '2026-11-22 14:13:38.096402+00', '{0.036000000000000004,0.036000000000000004,0.036000000000000004}', 0.036000000000000004, 0.036000000000000004, 0, 1, true, '{}', NULL, '{}', '{}', 'measured'),
	('bfe81383-ff09-cbbf-1258-a91e041f31dc', '\xd0b32b7dc7ac4b70b7e014c1cca960aa3a1cdab1206d4ddbcdd6cbf2bdae3c1a', 19, 2, 1, '2026-11-01 12:00:00+00', '2026-11-22 14:13:38.096402+00', '{0.038,0.038,0.038}', 0.038, 0.038, 0, 1, true, '{}', NULL, '{}', '{}', 'measured'),
	('1af8ce4d-e6b2-5191-a1cb-987368e25660', '\x3a2331c74b4af532dbf43394bc82298ca4d3379c52c268306fc46bde4f39b59e', 20, 2, 1, '2026-11-01 12:00:00+00', '2026-11-22 14:13:38.096402+00', '{0.04,0.04,0.04}', 0.04, 0.04, 0, 1, true, '{}', NULL, '{}', '{}', 'measured'),
	('369d43a6-8651-ee37-77a1-99671d7c51af', '\xa730b4fdf21c03f327ee0721de2941cbd4ad6d7167eb9349bc2a73ad7220cc49', 21, 2, 1, '2026-11-01 12:00:00+00', '2026-11-22 14:13:38.096402+00', '{0.042,0.042,0.042}', 0.042, 0.042, 0, 1, true, '{}', NULL, '{}', '{}', 'measured'),
	('d9f7fb3b-8c00-4291-6b39-9f4d04758fff', '\xe3b95031283a6f4fbf8247365fbeea22022e31a263a8a119b27bd6f55c2b5fa1', 22, 2, 1, '2026-11-01 12:00:00+00', '2026-11-22 14:13:38.096402+00', '{0.044,0.044,0.044}', 0.044, 0.044, 0, 1, true, '{}', NULL, '{}', '{}', 'measured'),
	('93643c24-7a69-8223-38e8-2a844e1bbdb5', '\xcdfba39ccadbcdde6ab2d54774bb9d4aac38a903c568cdc443451664f0418ab3', 23, 2, 1, '2026-11-01 12:00:00+00', '2026-11-22 14:13:38.096402+00', '{0.046,0.046,0.046}', 0.046, 0.046, 0, 1, true, '{}', NULL, '{}', '{}', 'measured'),
	('e798f5b8-d80f-5228-8ef7-196a27d07036', '\x8a275be9589374b391b732499394b582f0999d618a567c6f4e4ef0d3840ffd43', 24, 2, 1, '2026-11-01 12:00:00+00', '2026-11-22 14:13:38.096402+00', '{0.048,0.048,0.048}', 0.048, 0.048, 0, 1, true, '{}', NULL, '{}', '{}', 'measured');
INSERT INTO public.series VALUES
	(1, 1, 'measured', 1, 0.001, '88cac26e-667f-dada-9d92-529adbdd1c0e', '2026-11-01 12:00:00+00'),
	(1, 2, 'measured', 1, 0.002, '94ee41d1-22fd-6ab2-d52d-2d8e9b9ab33b', '2026-11-01 12:00:00+00'),
	(1, 3, 'measured', 1, 0.003, '7d4f3ee8-c178-0190-ce08-294ca42fcbe0', '2026-11-01 12:00:00+00'),
	(1, 4, 'measured', 1, 0.004, 'd7d745f0-171c-03e6-90fd-dfdaef9c32f3', '2026-11-01 12:00:00+00'),
	(1, 5, 'measured', 1, 0.005, '1e899189-54c7-4dd7-4621-89310d88f162', '2026-11-01 12:00:00+00'),
	(1, 6, 'measured', 1, 0.006, 'b1eb33ce-8371-49c1-4c79-05fa3d732446', '2026-11-01 12:00:00+00'),
	(1, 7, 'measured', 1, 0.007, '36922049-359c-bd7a-32a6-d1378299537a', '2026-11-01 12:00:00+00'),
	(1, 8, 'measured', 1, 0.008, '3944d3ef-49dc-34bd-9175-41f08862705b', '2026-11-01 12:00:00+00'),
	(1, 9, 'measured', 1, 0.009000000000000001, '0489b954-e84e-adca-20be-c8dbb766ad6d', '2026-11-01 12:00:00+00'),
	(1, 10, 'measured', 1, 0.01, '2b74499c-4cb8-b95d-14f1-80c751f815d5', '2026-11-01 12:00:00+00'),
	(1, 11, 'measured', 1, 0.011, '595eedf0-9936-0ea4-a21b-fe2d4e42a540', '2026-11-01 12:00:00+00'),
	(1, 12, 'measured', 1, 0.012, 'c2623c9a-04f3-4c5a-b8c7-8c520e411ed2', '2026-11-01 12:00:00+00'),
	(1, 13, 'measured', 1, 0.013000000000000001, '891659f1-e1df-eb14-2955-0e9df36924d9', '2026-11-01 12:00:00+00'),
	(1, 14, 'measured', 1, 0.014, '1402fcf9-6ab4-6040-0dfc-692298707039', '2026-11-01 12:00:00+00'),
	(1, 15, 'measured', 1, 0.015, '4460f362-ad19-91aa-b6de-8cc043688767', '2026-11-01 12:00:00+00'),
	(1, 16, 'measured', 1, 0.016, 'f76fd086-47c0-275d-32f7-e2044b828c88', '2026-11-01 12:00:00+00'),
	(1, 17, 'measured', 1, 0.017, 'baf80c67-5542-601d-08f7-5e74b2eaa909', '2026-11-01 12:00:00+00'),
	(1, 18, 'measured', 1, 0.018000000000000002, 'a121e01b-7bd9-54b9-a371-46c7abb19fd2', '2026-11-01 12:00:00+00'),
	(1, 19, 'measured', 1, 0.019, '43c2f7d0-7266-6377-1346-1b204340c439', '2026-11-01 12:00:00+00'),
	(1, 20, 'measured', 1, 0.02, '7a9dca4f-b2ec-1899-abfa-f2541b81f766', '2026-11-01 12:00:00+00'),
	(1, 21, 'measured', 1, 0.021, 'd159a292-acf8-eaaa-7139-ad2fd92b73f6', '2026-11-01 12:00:00+00'),
	(1, 22, 'measured', 1, 0.022, '4ef266db-eabd-0947-977b-3917060b41e9', '2026-11-01 12:00:00+00'),
	(1, 23, 'measured', 1, 0.023, '3981758f-c17f-fb29-fb7b-0d60339786c7', '2026-11-01 12:00:00+00'),
	(1, 24, 'measured', 1, 0.024, 'd8ac0d7e-52f2-987e-8e15-5da48db50bce', '2026-11-01 12:00:00+00'),
	(2, 1, 'measured', 1, 0.002, '60e371e1-3dda-108e-48ae-f0401c8212b2', '2026-11-01 12:00:00+00'),
	(2, 2, 'measured', 1, 0.004, '8c29984d-5530-9cd0-c558-8a6de9f80169', '2026-11-01 12:00:00+00'),
	(2, 3, 'measured', 1, 0.006, '52a32c7b-a6d0-2ae8-d256-ca90c51fb89c', '2026-11-01 12:00:00+00'),
	(2, 4, 'measured', 1, 0.008, '18624fec-4d86-55e3-7812-26295d7bce78', '2026-11-01 12:00:00+00'),
	(2, 5, 'measured', 1, 0.01, 'abf1ff3e-903b-c8f3-d44d-1fbc3752f03e', '2026-11-01 12:00:00+00'),
	(2, 6, 'measured', 1, 0.012, '53e928e0-bd9c-afea-d80e-4525ba113e08', '2026-11-01 12:00:00+00'),
	(2, 7, 'measured', 1, 0.014, '29bb1852-c7fe-72f8-0e0f-2f5d4a25020b', '2026-11-01 12:00:00+00'),
	(2, 8, 'measured', 1, 0.016, '2684d98d-f3d7-6e5a-a5c2-e04346ec72b6', '2026-11-01 12:00:00+00'),
	(2, 9, 'measured', 1, 0.018000000000000002, '754aae79-2020-1127-6c31-927f85c307d5', '2026-11-01 12:00:00+00'),
	(2, 10, 'measured', 1, 0.02, 'ca9ef3e6-e685-3587-cb7a-bfecf48d0db5', '2026-11-01 12:00:00+00'),
	(2, 11, 'measured', 1, 0.022, '8330ef49-fd2b-b3b8-b265-9f5b664d2e0c', '2026-11-01 12:00:00+00'),
	(2, 12, 'measured', 1, 0.024, 'a02abeea-99a7-bfc6-c738-424a62e3c0c9', '2026-11-01 12:00:00+00'),
	(2, 13, 'measured', 1, 0.026000000000000002, '036993b3-c052-e2cb-1520-5cc7144bafe4', '2026-11-01 12:00:00+00'),
	(2, 14, 'measured', 1, 0.028, 'b2e9e212-7d05-6b35-1fd7-74d88b755c6a', '2026-11-01 12:00:00+00'),
	(2, 15, 'measured', 1, 0.03, '9bfc5e25-bead-4ecd-1ae8-c7d3e7dd3cf6', '2026-11-01 12:00:00+00'),
	(2, 16, 'measured', 1, 0.032, '57a0905a-7467-dfe0-9254-39afea3d0a87', '2026-11-01 12:00:00+00'),
	(2, 17, 'measured', 1, 0.034, 'd0780f3d-d525-0bbb-e5b7-c8aa01b17397', '2026-11-01 12:00:00+00'),
	(2, 18, 'measured', 1, 0.036000000000000004, 'c4c0706f-fad5-26e9-ae30-5fc4f770c7dd', '2026-11-01 12:00:00+00'),
	(2, 19, 'measured', 1, 0.038, 'bfe81383-ff09-cbbf-1258-a91e041f31dc', '2026-11-01 12:00:00+00'),
	(2, 20, 'measured', 1, 0.04, '1af8ce4d-e6b2-5191-a1cb-987368e25660', '2026-11-01 12:00:00+00'),
	(2, 21, 'measured', 1, 0.042, '369d43a6-8651-ee37-77a1-99671d7c51af', '2026-11-01 12:00:00+00'),
	(2, 22, 'measured', 1, 0.044, 'd9f7fb3b-8c00-4291-6b39-9f4d04758fff', '2026-11-01 12:00:00+00'),
	(2, 23, 'measured', 1, 0.046, '93643c24-7a69-8223-38e8-2a844e1bbdb5', '2026-11-01 12:00:00+00'),
	(2, 24, 'measured', 1, 0.048, 'e798f5b8-d80f-5228-8ef7-196a27d07036', '2026-11-01 12:00:00+00');
INSERT INTO public.workloads OVERRIDING SYSTEM VALUE VALUES
	(1, 1, 'global', '{"n": 1}'),
	(2, 1, 'global', '{"n": 2}'),
	(3, 1, 'global', '{"n": 3}'),
	(4, 1, 'global', '{"n": 4}'),
	(5, 1, 'local', '{"n": 1}'),
	(6, 1, 'local', '{"n": 2}'),
	(7, 1, 'local', '{"n": 3}'),
	(8, 1, 'local', '{"n": 4}'),
	(9, 2, 'global', '{"n": 1}'),
	(10, 2, 'global', '{"n": 2}'),
	(11, 2, 'global', '{"n": 3}'),
	(12, 2, 'global', '{"n": 4}'),
	(13, 2, 'local', '{"n": 1}'),
	(14, 2, 'local', '{"n": 2}'),
	(15, 2, 'local', '{"n": 3}'),
	(16, 2, 'local', '{"n": 4}'),
	(17, 3, 'global', '{"n": 1}'),
	(18, 3, 'global', '{"n": 2}'),
	(19, 3, 'global', '{"n": 3}'),
	(20, 3, 'global', '{"n": 4}'),
	(21, 3, 'local', '{"n": 1}'),
	(22, 3, 'local', '{"n": 2}'),
	(23, 3, 'local', '{"n": 3}'),
	(24, 3, 'local', '{"n": 4}');
SELECT pg_catalog.setval('public.agents_id_seq', 1, true);
SELECT pg_catalog.setval('public.counters_id_seq', 2, true);
SELECT pg_catalog.setval('public.devices_id_seq', 2, true);
SELECT pg_catalog.setval('public.fitting_jobs_id_seq', 1, false);
SELECT pg_catalog.setval('public.kernels_id_seq', 3, true);
SELECT pg_catalog.setval('public.workloads_id_seq', 24, true);
ALTER TABLE ONLY public._sqlx_migrations
    ADD CONSTRAINT _sqlx_migrations_pkey PRIMARY KEY (version);
ALTER TABLE ONLY public.agent_reports
    ADD CONSTRAINT agent_reports_pkey PRIMARY KEY (agent);
ALTER TABLE ONLY public.agents
    ADD CONSTRAINT agents_name_version_key UNIQUE (name, version);
ALTER TABLE ONLY public.agents
    ADD CONSTRAINT agents_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.ceilings
    ADD CONSTRAINT ceilings_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.counted_series
    ADD CONSTRAINT counted_series_pkey PRIMARY KEY (device_id, provider, workload_id);
ALTER TABLE ONLY public.counters
    ADD CONSTRAINT counters_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.counters
    ADD CONSTRAINT counters_provider_name_key UNIQUE (provider, name);
ALTER TABLE ONLY public.coverages
    ADD CONSTRAINT coverages_pkey PRIMARY KEY (model_id);
ALTER TABLE ONLY public.devices
    ADD CONSTRAINT devices_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.devices
    ADD CONSTRAINT devices_vendor_name_key UNIQUE (vendor, name);
ALTER TABLE ONLY public.fitting_jobs
    ADD CONSTRAINT fitting_jobs_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.gain_signs
    ADD CONSTRAINT gain_signs_pkey PRIMARY KEY (model_id);
ALTER TABLE ONLY public.hold_out_errors
    ADD CONSTRAINT hold_out_errors_pkey PRIMARY KEY (model_id, key, kernel);
ALTER TABLE ONLY public.hold_outs
    ADD CONSTRAINT hold_outs_pkey PRIMARY KEY (model_id, key);
ALTER TABLE ONLY public.kernels
    ADD CONSTRAINT kernels_name_key UNIQUE (name);
ALTER TABLE ONLY public.kernels
    ADD CONSTRAINT kernels_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.models
    ADD CONSTRAINT models_fingerprint_key UNIQUE (fingerprint);
ALTER TABLE ONLY public.models
    ADD CONSTRAINT models_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.reading_counts
    ADD CONSTRAINT reading_counts_pkey PRIMARY KEY (kernel_id, provider, list);
ALTER TABLE ONLY public.readings
    ADD CONSTRAINT readings_pkey PRIMARY KEY (sample_id, provider);
ALTER TABLE ONLY public.samples
    ADD CONSTRAINT samples_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.series
    ADD CONSTRAINT series_pkey PRIMARY KEY (device_id, workload_id, origin);
ALTER TABLE ONLY public.sources
    ADD CONSTRAINT sources_pkey PRIMARY KEY (hash);
ALTER TABLE ONLY public.tokens
    ADD CONSTRAINT tokens_pkey PRIMARY KEY (hash);
ALTER TABLE ONLY public.workloads
    ADD CONSTRAINT workloads_kernel_id_variant_parameters_key UNIQUE (kernel_id, variant, parameters);
ALTER TABLE ONLY public.workloads
    ADD CONSTRAINT workloads_pkey PRIMARY KEY (id);
CREATE INDEX ceilings_device_id_measured_at_id_idx ON public.ceilings USING btree (device_id, measured_at, id);
CREATE INDEX fitting_jobs_device_id_source_device_id_provider_idx ON public.fitting_jobs USING btree (device_id, source_device_id, provider);
CREATE INDEX models_device_id_provider_idx ON public.models USING btree (device_id, provider) WHERE (NOT superseded);
CREATE INDEX models_device_id_provider_method_id_idx ON public.models USING btree (device_id, provider, method, id) WHERE superseded;
CREATE INDEX models_response_rank_idx ON public.models USING btree (response, rank) WHERE (rank IS NOT NULL);
CREATE INDEX models_superseded_at_idx ON public.models USING btree (superseded_at) WHERE (superseded AND (fit IS NOT NULL));
CREATE UNIQUE INDEX sample_counts_key ON public.sample_counts USING btree (device_id, kernel_id, agent_id, origin, hashtextextended(source_hash, (0)::bigint));
CREATE INDEX samples_of_series_by_id ON public.samples USING btree (device_id, workload_id, origin, id);
CREATE INDEX samples_of_series_by_time ON public.samples USING btree (device_id, workload_id, measured_at, id);
CREATE INDEX series_workload_id_idx ON public.series USING btree (workload_id);
CREATE TRIGGER count AFTER INSERT ON public.samples REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.count_samples();
CREATE TRIGGER count_anew AFTER DELETE OR UPDATE OR TRUNCATE ON public.samples FOR EACH STATEMENT EXECUTE FUNCTION public.count_anew();
CREATE TRIGGER note_superseded BEFORE UPDATE ON public.models FOR EACH ROW WHEN ((new.superseded AND (NOT old.superseded))) EXECUTE FUNCTION public.note_superseded();
CREATE TRIGGER tell AFTER INSERT OR UPDATE ON public.agent_reports FOR EACH ROW EXECUTE FUNCTION public.tell_of_agent();
CREATE TRIGGER tell AFTER INSERT ON public.ceilings FOR EACH ROW EXECUTE FUNCTION public.tell_of_ceilings();
CREATE TRIGGER tell AFTER INSERT ON public.models REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.tell_of_models();
CREATE TRIGGER tell AFTER INSERT ON public.samples REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.tell_of_samples();
CREATE TRIGGER tell_done AFTER DELETE ON public.fitting_jobs REFERENCING OLD TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION public.tell_of_jobs();
CREATE TRIGGER tell_failed AFTER UPDATE ON public.fitting_jobs REFERENCING NEW TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION public.tell_of_jobs();
CREATE TRIGGER tell_new AFTER INSERT ON public.fitting_jobs REFERENCING NEW TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION public.tell_of_jobs();
ALTER TABLE ONLY public.ceilings
    ADD CONSTRAINT ceilings_agent_id_fkey FOREIGN KEY (agent_id) REFERENCES public.agents(id);
ALTER TABLE ONLY public.ceilings
    ADD CONSTRAINT ceilings_device_id_fkey FOREIGN KEY (device_id) REFERENCES public.devices(id);
ALTER TABLE ONLY public.coverages
    ADD CONSTRAINT coverages_model_id_fkey FOREIGN KEY (model_id) REFERENCES public.models(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.fitting_jobs
    ADD CONSTRAINT fitting_jobs_device_id_fkey FOREIGN KEY (device_id) REFERENCES public.devices(id);
ALTER TABLE ONLY public.fitting_jobs
    ADD CONSTRAINT fitting_jobs_source_device_id_fkey FOREIGN KEY (source_device_id) REFERENCES public.devices(id);
ALTER TABLE ONLY public.gain_signs
    ADD CONSTRAINT gain_signs_model_id_fkey FOREIGN KEY (model_id) REFERENCES public.models(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.hold_out_errors
    ADD CONSTRAINT hold_out_errors_model_id_key_fkey FOREIGN KEY (model_id, key) REFERENCES public.hold_outs(model_id, key) ON DELETE CASCADE;
ALTER TABLE ONLY public.hold_outs
    ADD CONSTRAINT hold_outs_model_id_fkey FOREIGN KEY (model_id) REFERENCES public.models(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.models
    ADD CONSTRAINT models_device_id_fkey FOREIGN KEY (device_id) REFERENCES public.devices(id);
ALTER TABLE ONLY public.models
    ADD CONSTRAINT models_source_device_id_fkey FOREIGN KEY (source_device_id) REFERENCES public.devices(id);
ALTER TABLE ONLY public.readings
    ADD CONSTRAINT readings_sample_id_fkey FOREIGN KEY (sample_id) REFERENCES public.samples(id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.sample_counts
    ADD CONSTRAINT sample_counts_agent_id_fkey FOREIGN KEY (agent_id) REFERENCES public.agents(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.sample_counts
    ADD CONSTRAINT sample_counts_device_id_fkey FOREIGN KEY (device_id) REFERENCES public.devices(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.sample_counts
    ADD CONSTRAINT sample_counts_kernel_id_fkey FOREIGN KEY (kernel_id) REFERENCES public.kernels(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.series
    ADD CONSTRAINT series_device_id_fkey FOREIGN KEY (device_id) REFERENCES public.devices(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.series
    ADD CONSTRAINT series_workload_id_fkey FOREIGN KEY (workload_id) REFERENCES public.workloads(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.workloads
    ADD CONSTRAINT workloads_kernel_id_fkey FOREIGN KEY (kernel_id) REFERENCES public.kernels(id);

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
    CONSTRAINT models_calibration_check CHECK ((json_typeof(calibration) = 'array'::text)),
    CONSTRAINT models_check CHECK ((source_device_id <> device_id)),
    CONSTRAINT models_check1 CHECK (((fit IS NULL) <> (refusal IS NULL))),
    CONSTRAINT models_check2 CHECK (((source_device_id IS NULL) = (source_sample_ids IS NULL))),
    CONSTRAINT models_check3 CHECK ((cardinality(source_sample_ids) = cardinality(sample_ids))),
    CONSTRAINT models_check4 CHECK (((fit IS NULL) = (dropped IS NULL))),
    CONSTRAINT models_check5 CHECK ((cardinality(dropped) = cardinality(counters))),
    CONSTRAINT models_complexity_check CHECK ((complexity >= 0)),
    CONSTRAINT models_fingerprint_check CHECK ((length(fingerprint) = 32)),
    CONSTRAINT models_fit_check CHECK ((json_typeof(fit) = 'object'::text))
);
CREATE VIEW public.rankings AS
 WITH candidates AS (
         SELECT models.id,
            models.device_id,
            models.source_device_id,
            models.provider,
            models.complexity,
            headline.mean_ape,
            ((2 * ((models.variant IS NOT NULL))::integer) + (((headline.unpredicted = 0) IS NOT TRUE))::integer) AS class
           FROM (public.models
             LEFT JOIN public.hold_out_errors headline ON (((headline.model_id = models.id) AND (headline.key = 'kernel'::text) AND (headline.kernel = ''::text))))
          WHERE ((NOT models.superseded) AND (models.refusal IS NULL) AND (models.response = 'time'::text))
        ), led AS (
         SELECT candidates.id,
            candidates.device_id,
            candidates.source_device_id,
            candidates.provider,
            candidates.complexity,
            candidates.mean_ape,
            candidates.class,
            first_value(candidates.id) OVER (PARTITION BY candidates.device_id, candidates.source_device_id, candidates.provider, candidates.class ORDER BY candidates.mean_ape, candidates.id) AS leader
           FROM candidates
        ), judged AS (
         SELECT led.id,
            led.device_id,
            led.source_device_id,
            led.provider,
            led.complexity,
            led.mean_ape,
            led.class,
            led.leader,
            (( SELECT (avg(((own.mean_ape)::double precision - ("least".mean_ape)::double precision)) <= GREATEST((stddev_samp(((own.mean_ape)::double precision - ("least".mean_ape)::double precision)) / sqrt((NULLIF(count(own.mean_ape), 0))::double precision)), ((0.01)::double precision * avg(("least".mean_ape)::double precision))))
                   FROM (public.hold_out_errors own
                     JOIN public.hold_out_errors "least" ON ((("least".model_id = led.leader) AND ("least".key = own.key) AND ("least".kernel = own.kernel))))
                  WHERE ((own.model_id = led.id) AND (own.key = 'kernel'::text) AND (own.kernel <> ''::text))) IS TRUE) AS tied
           FROM led
        ), ranked AS (
         SELECT judged.id,
            judged.device_id,
            judged.source_device_id,
            judged.provider,
            judged.complexity,
            judged.mean_ape,
            judged.class,
            judged.leader,
            judged.tied,
            row_number() OVER (PARTITION BY judged.device_id, judged.source_device_id, judged.provider ORDER BY judged.class, (NOT judged.tied),
                CASE
                    WHEN judged.tied THEN judged.complexity
                    ELSE NULL::smallint
                END, judged.mean_ape, judged.complexity, judged.id) AS rank
           FROM judged
        )
 SELECT ranked.id AS model_id,
    ranked.device_id,
    ranked.source_device_id,
    ranked.provider,
    ranked.rank,
    row_number() OVER (ORDER BY ranked.rank, ranked.class, ranked.mean_ape, ranked.id) AS place
   FROM ranked;
CREATE VIEW public.champions AS
 SELECT rankings.model_id,
    rankings.device_id,
    rankings.source_device_id,
    rankings.provider,
    rankings.place
   FROM public.rankings
  WHERE (rankings.rank = 1);
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
	(1, 'words', '2026-11-22 14:12:46.725549+00', true, '\x946b4751927c6df7e13065d02f5ff39e4c452d34648eefe02f443db7716049e3ede038925d4c01c85044c58beeb6260c', 258590051),
	(2, 'samples', '2026-11-22 14:12:47.020866+00', true, '\x0b7ce00376ee7c60fc489e40350b4cdd1b5ff897dad4e3413ccf1924b74279e2ff1de5e6d52da6f5ab4ae0440e097e3a', 391422674),
	(3, 'models', '2026-11-22 14:12:47.380691+00', true, '\x728d4215b48228e618f5f837df578733cbb2f6cdb942a5a59dff5fc1898d81933403976f593acae854de8a95d31e3474', 187705956),
	(4, 'fitting jobs', '2026-11-22 14:12:47.572516+00', true, '\xef798e993cdd15664a44468d69dafb8971b85353e19e6d4f2616380970a0e230543090b30224e18d3ed4650c4c991ac1', 163862494),
	(5, 'tokens', '2026-11-22 14:12:47.737407+00', true, '\xa339dd318f10dc0bb8de85edad5831adb040fda1b1bcfd3cc83c132f37e1121693bf2451e22bb329d2e11258b1163f9c', 75848689);
INSERT INTO public.agents OVERRIDING SYSTEM VALUE VALUES
	(1, 'lab-3', '0.1.0', '2026-11-22 14:12:48.183998+00');
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
INSERT INTO public.samples VALUES
	('88cac26e-667f-dada-9d92-529adbdd1c0e', '\x7278e8e01ea8be1ecc39bfa7255724565d7b987fa739d589641a0d4782a9b8f1', 1, 1, 1, '2026-11-01 12:00:00+00', '2026-11-22 14:12:48.183998+00', '{0.001,0.001,0.001}', 0.001, 0.001, 0, 1, true, '{}', NULL, '{}', '{}', 'measured'),
	('94ee41d1-22fd-6ab2-d52d-2d8e9b9ab33b', '\x5973650079e4b045be1914ce2ab9501e7f7385d5ef2b77347b90434c3c74cbe6', 2, 1, 1, '2026-11-01 12:00:00+00', '2026-11-22 14:12:48.183998+00', '{0.002,0.002,0.002}', 0.002, 0.002, 0, 1, true, '{}', NULL, '{}', '{}', 'measured'),
	('7d4f3ee8-c178-0190-ce08-294ca42fcbe0', '\x3a6410dd94dd6c3e257da7ad9af52b82dc37ac6ce76c993023916c38045701fb', 3, 1, 1, '2026-11-01 12:00:00+00', '2026-11-22 14:12:48.183998+00', '{0.003,0.003,0.003}', 0.003, 0.003, 0, 1, true, '{}', NULL, '{}', '{}', 'measured'),
	('d7d745f0-171c-03e6-90fd-dfdaef9c32f3', '\x476666da99e161f6312617bf229f088834cbc6149ab2b438ec98959da8fc08a2', 4, 1, 1, '2026-11-01 12:00:00+00', '2026-11-22 14:12:48.183998+00', '{0.004,0.004,0.004}', 0.004, 0.004, 0, 1, true, '{}', NULL, '{}', '{}', 'measured'),
	('1e899189-54c7-4dd7-4621-89310d88f162', '\x95733f52a85924bc0e3897950fcaa554b23f8b649d6c3b995ec4f4e98d44f7ba', 5, 1, 1, '2026-11-01 12:00:00+00', '2026-11-22 14:12:48.183998+00', '{0.005,0.005,0.005}', 0.005, 0.005, 0, 1, true, '{}', NULL, '{}', '{}', 'measured'),
	('b1eb33ce-8371-49c1-4c79-05fa3d732446', '\x0d3e474d41a0b0acded6d9b9b735f18336e2b2bb5adcf055bf9b6dc6ba209f05', 6, 1, 1, '2026-11-01 12:00:00+00', '2026-11-22 14:12:48.183998+00', '{0.006,0.006,0.006}', 0.006, 0.006, 0, 1, true, '{}', NULL, '{}', '{}', 'measured'),
	('36922049-359c-bd7a-32a6-d1378299537a', '\x9dcba6145b1743129b8b2b7b0ef69a103f2d4e080ed4b05eea103344e28963d3', 7, 1, 1, '2026-11-01 12:00:00+00', '2026-11-22 14:12:48.183998+00', '{0.007,0.007,0.007}', 0.007, 0.007, 0, 1, true, '{}', NULL, '{}', '{}', 'measured'),
	('3944d3ef-49dc-34bd-9175-41f08862705b', '\xac5cfa9a1bcaae24c952d94207657c4ef1af869f2029dcab8f61465186724ff3', 8, 1, 1, '2026-11-01 12:00:00+00', '2026-11-22 14:12:48.183998+00', '{0.008,0.008,0.008}', 0.008, 0.008, 0, 1, true, '{}', NULL, '{}', '{}', 'measured'),
	('0489b954-e84e-adca-20be-c8dbb766ad6d', '\x381dd8e0dca07768200e67db428b6fccec966321fc1dfef02bdb9dab666c8648', 9, 1, 1, '2026-11-01 12:00:00+00', '2026-11-22 14:12:48.183998+00', '{0.009000000000000001,0.009000000000000001,0.009000000000000001}', 0.009000000000000001, 0.009000000000000001, 0, 1, true, '{}', NULL, '{}', '{}', 'measured'),
	('2b74499c-4cb8-b95d-14f1-80c751f815d5', '\xb9c9a841c5b2a8bab20d3b24c81ef5814ad3d802af41006e4a808ba82cff7d7d', 10, 1, 1, '2026-11-01 12:00:00+00', '2026-11-22 14:12:48.183998+00', '{0.01,0.01,0.01}', 0.01, 0.01, 0, 1, true, '{}', NULL, '{}', '{}', 'measured'),
	('595eedf0-9936-0ea4-a21b-fe2d4e42a540', '\xb0b4e00d6e1894433b33b9fd3c734e099b3db1cd7b2026477dfe4150d30872eb', 11, 1, 1, '2026-11-01 12:00:00+00', '2026-11-22 14:12:48.183998+00', '{0.011,0.011,0.011}', 0.011, 0.011, 0, 1, true, '{}', NULL, '{}', '{}', 'measured'),
	('c2623c9a-04f3-4c5a-b8c7-8c520e411ed2', '\x248b151054e2b94389b5a3442fe11e03b2d9bb5b2c6b564975798eb8c7c7c3e5', 12, 1, 1, '2026-11-01 12:00:00+00', '2026-11-22 14:12:48.183998+00', '{0.012,0.012,0.012}', 0.012, 0.012, 0, 1, true, '{}', NULL, '{}', '{}', 'measured'),
	('891659f1-e1df-eb14-2955-0e9df36924d9', '\x37b0dd11f072491e0d627d70fe0655fc438a9f77ba9ab88add2b9d5ce31bb71c', 13, 1, 1, '2026-11-01 12:00:00+00', '2026-11-22 14:12:48.183998+00', '{0.013000000000000001,0.013000000000000001,0.013000000000000001}', 0.013000000000000001, 0.013000000000000001, 0, 1, true, '{}', NULL, '{}', '{}', 'measured'),
	('1402fcf9-6ab4-6040-0dfc-692298707039', '\x2de059816c20ee5463c84b0a27a69ad7ebed759baab71cdf5ba8c44cf914dc87', 14, 1, 1, '2026-11-01 12:00:00+00', '2026-11-22 14:12:48.183998+00', '{0.014,0.014,0.014}', 0.014, 0.014, 0, 1, true, '{}', NULL, '{}', '{}', 'measured'),
	('4460f362-ad19-91aa-b6de-8cc043688767', '\x289d7cbea33684e9d579b1b5dccf1969356fbcf8a6dcf2932af7b2029153dad2', 15, 1, 1, '2026-11-01 12:00:00+00', '2026-11-22 14:12:48.183998+00', '{0.015,0.015,0.015}', 0.015, 0.015, 0, 1, true, '{}', NULL, '{}', '{}', 'measured'),
	('f76fd086-47c0-275d-32f7-e2044b828c88', '\xb2b7c89e0ab43a3f9dd31ec779c5200858eb2fda2767a438234dda5010171cb3', 16, 1, 1, '2026-11-01 12:00:00+00', '2026-11-22 14:12:48.183998+00', '{0.016,0.016,0.016}', 0.016, 0.016, 0, 1, true, '{}', NULL, '{}', '{}', 'measured'),
	('baf80c67-5542-601d-08f7-5e74b2eaa909', '\x121c8f19c2c6b56111008f60b44778bb551a133f469cffab5205776c7de25fd4', 17, 1, 1, '2026-11-01 12:00:00+00', '2026-11-22 14:12:48.183998+00', '{0.017,0.017,0.017}', 0.017, 0.017, 0, 1, true, '{}', NULL, '{}', '{}', 'measured'),
	('a121e01b-7bd9-54b9-a371-46c7abb19fd2', '\x58e0fcb1b30aa2972fa759015b4b7e4aeb36afa755b27ff1cbdfaa3a41629087', 18, 1, 1, '2026-11-01 12:00:00+00', '2026-11-22 14:12:48.183998+00', '{0.018000000000000002,0.018000000000000002,0.018000000000000002}', 0.018000000000000002, 0.018000000000000002, 0, 1, true, '{}', NULL, '{}', '{}', 'measured'),
	('43c2f7d0-7266-6377-1346-1b204340c439', '\x63f76c8d5f51dbc2983c9ede74ebc428d2f8fb5ced0d0903f18b8c3267eefde2', 19, 1, 1, '2026-11-01 12:00:00+00', '2026-11-22 14:12:48.183998+00', '{0.019,0.019,0.019}', 0.019, 0.019, 0, 1, true, '{}', NULL, '{}', '{}', 'measured'),
	('7a9dca4f-b2ec-1899-abfa-f2541b81f766', '\xe699d8d8bb94ab2ace3d1aec8faddfe98cfb43e9ce5173535a25c9cd2cfd11e0', 20, 1, 1, '2026-11-01 12:00:00+00', '2026-11-22 14:12:48.183998+00', '{0.02,0.02,0.02}', 0.02, 0.02, 0, 1, true, '{}', NULL, '{}', '{}', 'measured'),
	('d159a292-acf8-eaaa-7139-ad2fd92b73f6', '\x02b6315d99050ca89088391ce2170b3ee7c459457ddcb5ca0db13c6d8f02a7c5', 21, 1, 1, '2026-11-01 12:00:00+00', '2026-11-22 14:12:48.183998+00', '{0.021,0.021,0.021}', 0.021, 0.021, 0, 1, true, '{}', NULL, '{}', '{}', 'measured'),
	('4ef266db-eabd-0947-977b-3917060b41e9', '\xc47c0c190787f74d583ad20f5a045e84224bda86af3143c56f796c79a84ba4a0', 22, 1, 1, '2026-11-01 12:00:00+00', '2026-11-22 14:12:48.183998+00', '{0.022,0.022,0.022}', 0.022, 0.022, 0, 1, true, '{}', NULL, '{}', '{}', 'measured'),
	('3981758f-c17f-fb29-fb7b-0d60339786c7', '\xd78af8ebf1437b72a247b86a40c3760787b436b717bf5b5fc726f916b2296335', 23, 1, 1, '2026-11-01 12:00:00+00', '2026-11-22 14:12:48.183998+00', '{0.023,0.023,0.023}', 0.023, 0.023, 0, 1, true, '{}', NULL, '{}', '{}', 'measured'),
	('d8ac0d7e-52f2-987e-8e15-5da48db50bce', '\x91e4abebda72b103c37db74d9e0c9dcd7ad79d4fd6bfb9f329c5bb0ffff0e9ec', 24, 1, 1, '2026-11-01 12:00:00+00', '2026-11-22 14:12:48.183998+00', '{0.024,0.024,0.024}', 0.024, 0.024, 0, 1, true, '{}', NULL, '{}', '{}', 'measured'),
	('60e371e1-3dda-108e-48ae-f0401c8212b2', '\x70004d80e2e50ac519e711da85c750f1bf7c37b3e6d82e564577253aec81c0d8', 1, 2, 1, '2026-11-01 12:00:00+00', '2026-11-22 14:12:48.183998+00', '{0.002,0.002,0.002}', 0.002, 0.002, 0, 1, true, '{}', NULL, '{}', '{}', 'measured'),
	('8c29984d-5530-9cd0-c558-8a6de9f80169', '\xa53a2e230223fa32f9a682966e8369e0800928e7df49232a919e627642c89c24', 2, 2, 1, '2026-11-01 12:00:00+00', '2026-11-22 14:12:48.183998+00', '{0.004,0.004,0.004}', 0.004, 0.004, 0, 1, true, '{}', NULL, '{}', '{}', 'measured'),
	('52a32c7b-a6d0-2ae8-d256-ca90c51fb89c', '\x8e2d626ecd55dfa2908e0dafd04e08a3868b6dff7cfb0147c59dfd90fa0438b1', 3, 2, 1, '2026-11-01 12:00:00+00', '2026-11-22 14:12:48.183998+00', '{0.006,0.006,0.006}', 0.006, 0.006, 0, 1, true, '{}', NULL, '{}', '{}', 'measured'),
	('18624fec-4d86-55e3-7812-26295d7bce78', '\xce364103c4409954d012030d76c019a4b2189c321c8b9269db8724818860c7d0', 4, 2, 1, '2026-11-01 12:00:00+00', '2026-11-22 14:12:48.183998+00', '{0.008,0.008,0.008}', 0.008, 0.008, 0, 1, true, '{}', NULL, '{}', '{}', 'measured'),
	('abf1ff3e-903b-c8f3-d44d-1fbc3752f03e', '\xba20552ac388dceb9f24d44664159cd7849480ff2c580c16d3b75ce018830fff', 5, 2, 1, '2026-11-01 12:00:00+00', '2026-11-22 14:12:48.183998+00', '{0.01,0.01,0.01}', 0.01, 0.01, 0, 1, true, '{}', NULL, '{}', '{}', 'measured'),
	('53e928e0-bd9c-afea-d80e-4525ba113e08', '\x077cef8c32880976600f7cff315a32c1ec0802d2afd78e9bdabdee469f35a056', 6, 2, 1, '2026-11-01 12:00:00+00', '2026-11-22 14:12:48.183998+00', '{0.012,0.012,0.012}', 0.012, 0.012, 0, 1, true, '{}', NULL, '{}', '{}', 'measured'),
	('29bb1852-c7fe-72f8-0e0f-2f5d4a25020b', '\x752e0876f13686faa405999441147b11df0403782519e8c5efe27c721e287219', 7, 2, 1, '2026-11-01 12:00:00+00', '2026-11-22 14:12:48.183998+00', '{0.014,0.014,0.014}', 0.014, 0.014, 0, 1, true, '{}', NULL, '{}', '{}', 'measured'),
	('2684d98d-f3d7-6e5a-a5c2-e04346ec72b6', '\x8c55a40421ec99bbddb4aaa634d5e24850c12216324ce78e841f15d014a966de', 8, 2, 1, '2026-11-01 12:00:00+00', '2026-11-22 14:12:48.183998+00', '{0.016,0.016,0.016}', 0.016, 0.016, 0, 1, true, '{}', NULL, '{}', '{}', 'measured'),
	('754aae79-2020-1127-6c31-927f85c307d5', '\xb85ec209ec96fd7ab8476395c9a98f7b0674a59e0751a73de43bb7b151881c5b', 9, 2, 1, '2026-11-01 12:00:00+00', '2026-11-22 14:12:48.183998+00', '{0.018000000000000002,0.018000000000000002,0.018000000000000002}', 0.018000000000000002, 0.018000000000000002, 0, 1, true, '{}', NULL, '{}', '{}', 'measured'),
	('ca9ef3e6-e685-3587-cb7a-bfecf48d0db5', '\x3ec1c63a52c042d74a834ce5ee4e69941aeff40f8602a7a5020ff56e1301d8fb', 10, 2, 1, '2026-11-01 12:00:00+00', '2026-11-22 14:12:48.183998+00', '{0.02,0.02,0.02}', 0.02, 0.02, 0, 1, true, '{}', NULL, '{}', '{}', 'measured'),
	('8330ef49-fd2b-b3b8-b265-9f5b664d2e0c', '\x00eb345d891b8659e1dd49bb249326cf615e39a3652a8fb9df9496e9c12e1816', 11, 2, 1, '2026-11-01 12:00:00+00', '2026-11-22 14:12:48.183998+00', '{0.022,0.022,0.022}', 0.022, 0.022, 0, 1, true, '{}', NULL, '{}', '{}', 'measured'),
	('a02abeea-99a7-bfc6-c738-424a62e3c0c9', '\x0aa5d4688efc28f90364289259c37ec7e5053f183e6e44c79399ef07893d9737', 12, 2, 1, '2026-11-01 12:00:00+00', '2026-11-22 14:12:48.183998+00', '{0.024,0.024,0.024}', 0.024, 0.024, 0, 1, true, '{}', NULL, '{}', '{}', 'measured'),
	('036993b3-c052-e2cb-1520-5cc7144bafe4', '\xe3481b8b96cf609e0595d8a6c68af6bed4f0c76ef7e4b110a658a3985fb8ad54', 13, 2, 1, '2026-11-01 12:00:00+00', '2026-11-22 14:12:48.183998+00', '{0.026000000000000002,0.026000000000000002,0.026000000000000002}', 0.026000000000000002, 0.026000000000000002, 0, 1, true, '{}', NULL, '{}', '{}', 'measured'),
	('b2e9e212-7d05-6b35-1fd7-74d88b755c6a', '\x6e4963b463033586969d56da6783a2cd3eb6656d81d6f90951ff2c04153a3a08', 14, 2, 1, '2026-11-01 12:00:00+00', '2026-11-22 14:12:48.183998+00', '{0.028,0.028,0.028}', 0.028, 0.028, 0, 1, true, '{}', NULL, '{}', '{}', 'measured'),
	('9bfc5e25-bead-4ecd-1ae8-c7d3e7dd3cf6', '\x4034e37f65a298f024e600831755fdca6f0b494fb52e1c7a6eb1e5b0dbfbdc8a', 15, 2, 1, '2026-11-01 12:00:00+00', '2026-11-22 14:12:48.183998+00', '{0.03,0.03,0.03}', 0.03, 0.03, 0, 1, true, '{}', NULL, '{}', '{}', 'measured'),
	('57a0905a-7467-dfe0-9254-39afea3d0a87', '\x32204117c553ea812cd0e6d222020f2a0ef87f96a990baf1c9f8d5d457a3fd80', 16, 2, 1, '2026-11-01 12:00:00+00', '2026-11-22 14:12:48.183998+00', '{0.032,0.032,0.032}', 0.032, 0.032, 0, 1, true, '{}', NULL, '{}', '{}', 'measured'),
	('d0780f3d-d525-0bbb-e5b7-c8aa01b17397', '\x499c3abc7287ecdded38fb5b2d74c3a68cd5660402cfeab274a7a9d57487bbec', 17, 2, 1, '2026-11-01 12:00:00+00', '2026-11-22 14:12:48.183998+00', '{0.034,0.034,0.034}', 0.034, 0.034, 0, 1, true, '{}', NULL, '{}', '{}', 'measured'),
	('c4c0706f-fad5-26e9-ae30-5fc4f770c7dd', '\x2b2c06d8bc8dbb36c6d0c78fcc80dc89517a190421ee882b277a7a28d551b78e', 18, 2, 1, '2026-11-01 12:00:00+00', '2026-11-22 14:12:48.183998+00', '{0.036000000000000004,0.036000000000000004,0.036000000000000004}', 0.036000000000000004, 0.036000000000000004, 0, 1, true, '{}', NULL, '{}', '{}', 'measured'),
	('bfe81383-ff09-cbbf-1258-a91e041f31dc', '\xd0b32b7dc7ac4b70b7e014c1cca960aa3a1cdab1206d4ddbcdd6cbf2bdae3c1a', 19, 2, 1, '2026-11-01 12:00:00+00', '2026-11-22 14:12:48.183998+00', '{0.038,0.038,0.038}', 0.038, 0.038, 0, 1, true, '{}', NULL, '{}', '{}', 'measured'),
	('1af8ce4d-e6b2-5191-a1cb-987368e25660', '\x3a2331c74b4af532dbf43394bc82298ca4d3379c52c268306fc46bde4f39b59e', 20, 2, 1, '2026-11-01 12:00:00+00', '2026-11-22 14:12:48.183998+00', '{0.04,0.04,0.04}', 0.04, 0.04, 0, 1, true, '{}', NULL, '{}', '{}', 'measured'),
	('369d43a6-8651-ee37-77a1-99671d7c51af', '\xa730b4fdf21c03f327ee0721de2941cbd4ad6d7167eb9349bc2a73ad7220cc49', 21, 2, 1, '2026-11-01 12:00:00+00', '2026-11-22 14:12:48.183998+00', '{0.042,0.042,0.042}', 0.042, 0.042, 0, 1, true, '{}', NULL, '{}', '{}', 'measured'),
	('d9f7fb3b-8c00-4291-6b39-9f4d04758fff', '\xe3b95031283a6f4fbf8247365fbeea22022e31a263a8a119b27bd6f55c2b5fa1', 22, 2, 1, '2026-11-01 12:00:00+00', '2026-11-22 14:12:48.183998+00', '{0.044,0.044,0.044}', 0.044, 0.044, 0, 1, true, '{}', NULL, '{}', '{}', 'measured'),
	('93643c24-7a69-8223-38e8-2a844e1bbdb5', '\xcdfba39ccadbcdde6ab2d54774bb9d4aac38a903c568cdc443451664f0418ab3', 23, 2, 1, '2026-11-01 12:00:00+00', '2026-11-22 14:12:48.183998+00', '{0.046,0.046,0.046}', 0.046, 0.046, 0, 1, true, '{}', NULL, '{}', '{}', 'measured'),
	('e798f5b8-d80f-5228-8ef7-196a27d07036', '\x8a275be9589374b391b732499394b582f0999d618a567c6f4e4ef0d3840ffd43', 24, 2, 1, '2026-11-01 12:00:00+00', '2026-11-22 14:12:48.183998+00', '{0.048,0.048,0.048}', 0.048, 0.048, 0, 1, true, '{}', NULL, '{}', '{}', 'measured');
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
ALTER TABLE ONLY public.agents
    ADD CONSTRAINT agents_name_version_key UNIQUE (name, version);
ALTER TABLE ONLY public.agents
    ADD CONSTRAINT agents_pkey PRIMARY KEY (id);
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
ALTER TABLE ONLY public.readings
    ADD CONSTRAINT readings_pkey PRIMARY KEY (sample_id, provider);
ALTER TABLE ONLY public.samples
    ADD CONSTRAINT samples_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.tokens
    ADD CONSTRAINT tokens_pkey PRIMARY KEY (hash);
ALTER TABLE ONLY public.workloads
    ADD CONSTRAINT workloads_kernel_id_variant_parameters_key UNIQUE (kernel_id, variant, parameters);
ALTER TABLE ONLY public.workloads
    ADD CONSTRAINT workloads_pkey PRIMARY KEY (id);
CREATE INDEX fitting_jobs_device_id_source_device_id_provider_idx ON public.fitting_jobs USING btree (device_id, source_device_id, provider);
CREATE INDEX models_device_id_provider_idx ON public.models USING btree (device_id, provider) WHERE (NOT superseded);
CREATE INDEX samples_device_id_idx ON public.samples USING btree (device_id);
CREATE INDEX samples_workload_id_idx ON public.samples USING btree (workload_id);
ALTER TABLE ONLY public.coverages
    ADD CONSTRAINT coverages_model_id_fkey FOREIGN KEY (model_id) REFERENCES public.models(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.fitting_jobs
    ADD CONSTRAINT fitting_jobs_device_id_fkey FOREIGN KEY (device_id) REFERENCES public.devices(id);
ALTER TABLE ONLY public.fitting_jobs
    ADD CONSTRAINT fitting_jobs_source_device_id_fkey FOREIGN KEY (source_device_id) REFERENCES public.devices(id);
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
ALTER TABLE ONLY public.samples
    ADD CONSTRAINT samples_agent_id_fkey FOREIGN KEY (agent_id) REFERENCES public.agents(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.samples
    ADD CONSTRAINT samples_device_id_fkey FOREIGN KEY (device_id) REFERENCES public.devices(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.samples
    ADD CONSTRAINT samples_workload_id_fkey FOREIGN KEY (workload_id) REFERENCES public.workloads(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.workloads
    ADD CONSTRAINT workloads_kernel_id_fkey FOREIGN KEY (kernel_id) REFERENCES public.kernels(id);

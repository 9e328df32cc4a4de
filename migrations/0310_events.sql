-- Tells listeners what changed, once it is committed. Postgres sends the same payload of a transaction
-- once, and a payload of at most 8,000 bytes: it says where to look, not what is there.
CREATE FUNCTION tell_of_samples() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_notify('kerncast', json_build_object('kind', 'samples', 'device', device_id)::text)
    FROM (SELECT DISTINCT device_id FROM new_rows) AS changed;
    RETURN NULL;
END
$$;
CREATE TRIGGER tell AFTER INSERT ON samples REFERENCING NEW TABLE AS new_rows
    FOR EACH STATEMENT EXECUTE FUNCTION tell_of_samples();

CREATE FUNCTION tell_of_models() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_notify('kerncast', json_build_object(
        'kind', 'model', 'device', device_id, 'provider', provider, 'model', id)::text)
    FROM new_rows;
    RETURN NULL;
END
$$;
CREATE TRIGGER tell AFTER INSERT ON models REFERENCING NEW TABLE AS new_rows
    FOR EACH STATEMENT EXECUTE FUNCTION tell_of_models();

CREATE FUNCTION tell_of_jobs() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_notify('kerncast', json_build_object(
        'kind', 'job', 'device', device_id, 'provider', provider)::text)
    FROM (SELECT DISTINCT device_id, provider FROM changed_rows) AS changed;
    RETURN NULL;
END
$$;
-- A trigger with a transition table listens to one kind of change.
CREATE TRIGGER tell_new AFTER INSERT ON fitting_jobs REFERENCING NEW TABLE AS changed_rows
    FOR EACH STATEMENT EXECUTE FUNCTION tell_of_jobs();
CREATE TRIGGER tell_failed AFTER UPDATE ON fitting_jobs REFERENCING NEW TABLE AS changed_rows
    FOR EACH STATEMENT EXECUTE FUNCTION tell_of_jobs();
CREATE TRIGGER tell_done AFTER DELETE ON fitting_jobs REFERENCING OLD TABLE AS changed_rows
    FOR EACH STATEMENT EXECUTE FUNCTION tell_of_jobs();

CREATE FUNCTION tell_of_agent() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_notify('kerncast', json_build_object('kind', 'agent', 'agent', NEW.agent)::text);
    RETURN NULL;
END
$$;
CREATE TRIGGER tell AFTER INSERT OR UPDATE ON agent_reports
    FOR EACH ROW EXECUTE FUNCTION tell_of_agent();

CREATE FUNCTION tell_of_ceilings() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_notify('kerncast', json_build_object('kind', 'ceilings', 'device', NEW.device_id)::text);
    RETURN NULL;
END
$$;
CREATE TRIGGER tell AFTER INSERT ON measurements
    FOR EACH ROW WHEN (NEW.kind = 'ceilings') EXECUTE FUNCTION tell_of_ceilings();

-- A changed standing is a change of samples.
CREATE TRIGGER tell_new AFTER INSERT ON standings REFERENCING NEW TABLE AS new_rows
    FOR EACH STATEMENT EXECUTE FUNCTION tell_of_samples();
CREATE TRIGGER tell_changed AFTER UPDATE ON standings REFERENCING NEW TABLE AS new_rows
    FOR EACH STATEMENT EXECUTE FUNCTION tell_of_samples();
CREATE TRIGGER tell_gone AFTER DELETE ON standings REFERENCING OLD TABLE AS new_rows
    FOR EACH STATEMENT EXECUTE FUNCTION tell_of_samples();

-- Another model may answer, or none, without a new one having come: where an admin has accepted one, or has rejected
-- all samples.
CREATE FUNCTION tell_of_rank() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_notify('kerncast', json_build_object(
        'kind', 'model', 'device', NEW.device_id, 'provider', NEW.provider, 'model', NEW.id)::text);
    RETURN NULL;
END
$$;
CREATE TRIGGER tell_of_rank AFTER UPDATE ON models
    FOR EACH ROW WHEN (OLD.rank IS DISTINCT FROM NEW.rank)
    EXECUTE FUNCTION tell_of_rank();

-- Servers keep tokens in memory: a change must reach all of them, whoever makes it. That a token was used is
-- none.
CREATE FUNCTION tell_of_access() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_notify('kerncast', '{"kind": "access"}');
    RETURN NULL;
END
$$;
CREATE TRIGGER tell
    AFTER INSERT OR DELETE OR TRUNCATE OR UPDATE OF hash, name, role, agent, devices, revoked_at ON tokens
    FOR EACH STATEMENT EXECUTE FUNCTION tell_of_access();
CREATE TRIGGER tell AFTER INSERT OR DELETE OR TRUNCATE OR UPDATE ON enrolment_codes
    FOR EACH STATEMENT EXECUTE FUNCTION tell_of_access();

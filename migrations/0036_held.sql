-- A new champion whose errors explode beside its predecessor's on the same kernels waits for an admin: why, in
-- words. So do all models of the same question that came with it. Until then the models before them stay as they
-- were, not superseded.
ALTER TABLE models ADD held text, ADD CHECK (held IS NULL OR rank IS NULL);

-- Where samples were rejected, a fit may be one that was made, and superseded, before: then it is made again.
ALTER TABLE models DROP CONSTRAINT models_fingerprint_key;
CREATE UNIQUE INDEX models_fingerprint_key ON models (fingerprint) WHERE NOT superseded;

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

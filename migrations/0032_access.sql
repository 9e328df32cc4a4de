-- Whose token it is, and what its holder may do. Those of earlier servers did everything: they are admins'.
ALTER TABLE tokens
    -- How people name it, who must never see it again. Never used again for another.
    ADD id bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
    ADD name text NOT NULL DEFAULT 'of an earlier server',
    ADD role text NOT NULL DEFAULT 'admin' CHECK (role IN ('reader', 'agent', 'admin')),
    -- An agent's token uploads under this name only …
    ADD agent text,
    -- … and of devices of these names only; empty: of any.
    ADD devices text[] NOT NULL DEFAULT '{}' CHECK (array_position(devices, NULL) IS NULL),
    -- To the minute.
    ADD last_used_at timestamptz,
    -- From then on it is no token any more. The row stays, for what was uploaded by it.
    ADD revoked_at timestamptz,
    ADD CHECK ((role = 'agent') = (agent IS NOT NULL)),
    ADD CHECK (role = 'agent' OR devices = '{}');
ALTER TABLE tokens ALTER name DROP DEFAULT, ALTER role DROP DEFAULT;

-- A code that an agent's machine gives for a token of its own: once, and the row is gone. As SHA-256, too.
CREATE TABLE enrolment_codes (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    hash bytea NOT NULL UNIQUE CHECK (length(hash) = 32),
    -- The token's.
    name text NOT NULL,
    agent text NOT NULL,
    devices text[] NOT NULL CHECK (array_position(devices, NULL) IS NULL),
    created_at timestamptz NOT NULL DEFAULT now(),
    expires_at timestamptz NOT NULL
);

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

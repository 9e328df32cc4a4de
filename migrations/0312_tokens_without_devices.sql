-- An agent's token is bound to its agent. To devices, too, nobody bound one.
DROP TRIGGER tell ON tokens;
ALTER TABLE tokens DROP COLUMN devices;
CREATE TRIGGER tell
    AFTER INSERT OR DELETE OR TRUNCATE OR UPDATE OF hash, name, role, agent, revoked_at ON tokens
    FOR EACH STATEMENT EXECUTE FUNCTION tell_of_access();

-- An agent's token is bound to its agent. One that is bound to devices, too, would be worth more without them: it ends.
UPDATE tokens SET revoked_at = now() WHERE devices <> '{}' AND revoked_at IS NULL;
DROP TRIGGER tell ON tokens;
ALTER TABLE tokens DROP COLUMN devices;
CREATE TRIGGER tell
    AFTER INSERT OR DELETE OR TRUNCATE OR UPDATE OF hash, name, role, agent, revoked_at ON tokens
    FOR EACH STATEMENT EXECUTE FUNCTION tell_of_access();

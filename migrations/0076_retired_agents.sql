-- An agent whose last token was revoked, and who has not reported since, by nobody's token: its machine is gone, and
-- nobody waits for it. Whoever reports by an admin's token, or enrols it again, brings it back.
CREATE INDEX tokens_by_agent ON tokens (agent) WHERE agent IS NOT NULL;
CREATE VIEW retired_agents AS
SELECT agent FROM agent_reports
WHERE EXISTS (SELECT FROM tokens WHERE tokens.agent = agent_reports.agent AND revoked_at >= reported_at)
    AND NOT EXISTS (SELECT FROM tokens WHERE tokens.agent = agent_reports.agent AND revoked_at IS NULL);

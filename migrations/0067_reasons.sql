-- Reasons are stored as kinds with their numbers too (JSON arrays in the API's words), so that pages can say them in any
-- language. What an older server has stored is a text alone.
ALTER TABLE standings
    -- What `judgement_reason` says.
    ADD COLUMN judgement_doubts jsonb,
    ADD CHECK (judgement_doubts IS NULL OR judgement_reason IS NOT NULL);
ALTER TABLE models
    -- What `held` says.
    ADD COLUMN held_because jsonb,
    -- What `refusal` says.
    ADD COLUMN refused jsonb,
    ADD CHECK (held_because IS NULL OR held IS NOT NULL),
    ADD CHECK (refused IS NULL OR refusal IS NOT NULL);
ALTER TABLE moves
    -- What `uploads` says.
    ADD COLUMN because jsonb,
    ADD CHECK (because IS NULL OR uploads IS NOT NULL);

-- A text as such a reason; null where there is none.
CREATE FUNCTION reason_json(words text) RETURNS jsonb
LANGUAGE sql IMMUTABLE STRICT
RETURN jsonb_build_object('kind', 'text', 'text', words);
-- An array of reasons, of a text where there is nothing else; null where there is not even that.
CREATE FUNCTION reasons_json(reasons jsonb, words text) RETURNS jsonb
LANGUAGE sql IMMUTABLE
RETURN coalesce(
    reasons,
    CASE WHEN words IS NOT NULL THEN jsonb_build_array(reason_json(words)) END
);

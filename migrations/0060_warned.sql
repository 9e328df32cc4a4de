-- Warnings are kinds with their numbers, so that they can be said in any language. What was stored as a text stays one.
ALTER TABLE models ADD COLUMN warned jsonb NOT NULL DEFAULT '[]' CHECK (jsonb_typeof(warned) = 'array');
UPDATE models SET warned = (
    SELECT jsonb_agg(jsonb_build_object('kind', 'text', 'text', text) ORDER BY place)
    FROM unnest(warnings) WITH ORDINALITY AS warning (text, place)
)
WHERE warnings <> '{}';
ALTER TABLE models ALTER COLUMN warned DROP DEFAULT, DROP COLUMN warnings;
COMMENT ON COLUMN models.warned IS 'In the API''s words: of each Warning its kind and its numbers.';

-- Samples with flags are few, and a listing of them is in the order of ids.
CREATE INDEX samples_flagged ON samples (id) WHERE flags <> '{}';

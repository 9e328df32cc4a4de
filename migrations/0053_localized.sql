-- An analysis has parts that come apart: what accesses do is found from the sources alone, what becomes of them in local
-- memory also by running, when somebody asks for it. Each says by whose token it came, and an agent's part stays until an
-- admin sends another.
ALTER TABLE analyses
    ADD COLUMN part text NOT NULL DEFAULT 'accesses' CHECK (part IN ('accesses', 'localized')),
    DROP CONSTRAINT analyses_pkey,
    ADD PRIMARY KEY (hash, part);
ALTER TABLE analyses ALTER COLUMN part DROP DEFAULT;
COMMENT ON COLUMN analyses.analysis IS 'In the API''s words: KernelAnalysis without localized, or Localized.';

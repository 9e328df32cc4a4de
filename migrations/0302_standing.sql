-- Whether a sample may be learned from. One that has no row here is sound: that is most of them, and their queries need not
-- know of this table. What the gate says and what an admin says stand beside each other, so that an admin's word is never undone
-- by the gate, and taking it back leaves what the gate had said.
CREATE TABLE standings (
    -- No reference: the row comes with its sample.
    sample_id uuid PRIMARY KEY,
    -- As the sample has them, so that attention reads this table alone.
    device_id integer NOT NULL,
    agent_id integer NOT NULL,
    -- The gate's; absent: sound.
    judgement text CHECK (judgement IN ('unjudged', 'quarantined')),
    judgement_reason text,
    -- What that says as kinds with their numbers, in the API's words, so that pages can say it in any language.
    judgement_doubts jsonb,
    -- An admin's; absent: none.
    decision text CHECK (decision IN ('rejected', 'accepted')),
    decision_reason text,
    -- The name of the admin's token, or 'command line'.
    decided_by text,
    since timestamptz NOT NULL DEFAULT now(),
    standing text NOT NULL GENERATED ALWAYS AS (coalesce(decision, judgement)) STORED,
    CHECK ((judgement_reason IS NOT NULL) = (judgement IS NOT NULL AND judgement = 'quarantined')),
    CHECK ((judgement_doubts IS NULL) = (judgement_reason IS NULL)),
    CHECK ((decision IS NULL) = (decision_reason IS NULL)),
    CHECK ((decision IS NULL) = (decided_by IS NULL))
);
CREATE INDEX ON standings (standing, sample_id);

-- What is shown of times: all but what is set aside, by the gate or by an admin.
CREATE VIEW samples_in_use AS
SELECT * FROM samples
WHERE NOT EXISTS (SELECT FROM standings WHERE sample_id = samples.id AND standing IN ('quarantined', 'rejected'));
-- What is fitted: only what the gate found sound or an admin has accepted.
CREATE VIEW trusted_samples AS
SELECT * FROM samples
WHERE NOT EXISTS (SELECT FROM standings WHERE sample_id = samples.id AND standing <> 'accepted');

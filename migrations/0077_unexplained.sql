-- Champions of which it is still to be found out whose samples moved them, or have them held: that takes some fits more,
-- which come after all others. A row goes when it is known, or when the model no longer answers nor waits.
CREATE TABLE unexplained (
    model_id uuid PRIMARY KEY REFERENCES models,
    -- What it is compared with.
    before_id uuid NOT NULL REFERENCES models,
    -- Since when it waits, or one before it that answered the same.
    since timestamptz NOT NULL,
    -- Not before then: a shard was lost.
    retry_at timestamptz NOT NULL DEFAULT now()
);

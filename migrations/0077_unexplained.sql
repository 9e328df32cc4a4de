-- Champions of which it is still to be found out whose samples moved them, or have them held: that takes some fits more,
-- which come after all others. A row goes when it is known, or when the model no longer answers nor waits.
CREATE TABLE unexplained (
    model_id uuid PRIMARY KEY REFERENCES models,
    -- What it is compared with.
    before_id uuid NOT NULL REFERENCES models
);

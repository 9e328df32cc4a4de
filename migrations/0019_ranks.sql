-- Which model answers is chosen once, when a job stores its models (models/src/champion.rs), not by a view over all
-- models at every look. Rank 1 is the champion of its device, device counted on, provider and response; the others
-- follow in the order in which they answer where its counters are missing. NULL: it does not answer unless it is
-- named, since it is superseded or refused, or its response is another counter.
ALTER TABLE models ADD rank smallint CHECK (rank > 0), ADD CHECK (rank IS NULL OR NOT superseded AND refusal IS NULL);
UPDATE models SET rank = rankings.rank FROM rankings WHERE model_id = models.id;
DROP VIEW champions;
DROP VIEW rankings;
CREATE INDEX ON models (response, rank) WHERE rank IS NOT NULL;

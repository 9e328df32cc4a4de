-- How often a model of speedups says rightly whether local memory pays off, beside always giving the commoner answer:
-- the kernels of whose workloads it gets more right, and those of which it gets fewer. By chance both are as many
-- (a sign test; models/src/speedups.rs). Absent of models that were fitted before this was counted.
ALTER TABLE speedup_signs
    ADD better bigint CHECK (better >= 0),
    ADD worse bigint CHECK (worse >= 0),
    ADD CHECK ((better IS NULL) = (worse IS NULL));

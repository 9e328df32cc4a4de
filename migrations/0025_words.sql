-- Version 0.2 calls two things by other words. What another device's counters forecast from is counted_on, since a
-- source is source code; and what local memory brings is the speedup, the time of 'global' by that of 'local': above
-- 1, local memory pays off. It is 1 by the gain that version 0.1 forecast.
ALTER TABLE models RENAME source_device_id TO counted_on_device_id;
ALTER TABLE models RENAME source_sample_ids TO counted_on_sample_ids;
ALTER TABLE fitting_jobs RENAME source_device_id TO counted_on_device_id;
UPDATE models SET counters = array_replace(counters, 'source_time', 'counted_on_time')
WHERE 'source_time' = ANY (counters);

ALTER TABLE gain_signs RENAME TO speedup_signs;
ALTER TABLE models
    DROP CONSTRAINT models_check6,
    ADD CHECK ((response IN ('speedup', 'gain')) = (global_sample_ids IS NOT NULL));

-- A model of gains stays what it was, and answers nobody: fits of speedups take its place.
INSERT INTO fitting_jobs (device_id, counted_on_device_id, provider)
SELECT DISTINCT device_id, counted_on_device_id, provider
FROM models
WHERE NOT superseded AND response = 'gain';
UPDATE models SET superseded = true, rank = NULL WHERE response = 'gain';

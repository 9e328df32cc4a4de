-- A fingerprint says nothing of which devices a fit is of: the same samples have the same one in every database, and
-- devices without samples share theirs.
DROP INDEX models_fingerprint_key;
CREATE UNIQUE INDEX models_fingerprint_key ON models (fingerprint, device_id, coalesce(counted_on_device_id, 0))
    WHERE NOT superseded;

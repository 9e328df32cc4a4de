-- Whether a change from one model to a later one is worth telling: the earlier had stood for half a day, and had at least
-- half as many samples. A device's first fits move with every upload, and mean nothing.
CREATE FUNCTION was_settled(earlier models, later models) RETURNS boolean
LANGUAGE sql IMMUTABLE
RETURN earlier.created_at <= later.created_at - interval '12 hours'
    AND 2 * cardinality(earlier.sample_ids) >= cardinality(later.sample_ids);

-- How many repetitions a sample has, warm and cold: a listing cuts its pages by this before it reads them. The
-- arrays themselves would be read and unpacked for that, a megabyte a sample where they are long.
ALTER TABLE samples ADD COLUMN numbers integer NOT NULL
    GENERATED ALWAYS AS (cardinality(repetitions) + cardinality(cold_repetitions)) STORED;

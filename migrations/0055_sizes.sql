-- How large the database was, a row a day (UTC), so that it is foreseen when its disk will be full.
CREATE TABLE database_sizes (
    day date PRIMARY KEY,
    bytes bigint NOT NULL CHECK (bytes > 0)
);

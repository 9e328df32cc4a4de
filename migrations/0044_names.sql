-- By which agent's token a counter's name came first; absent: by an admin's, or to an earlier server. An agent brings
-- no more new names than it leaves to others.
ALTER TABLE counters ADD agent text;

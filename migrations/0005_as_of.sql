-- What reads as of an instant need beside the history; null in rows that were folded before these columns came.

-- The partition's clock at the last signal: at instants from there on, this row is what was known.
alter table finding_seen add column seen_at timestamptz;

-- Where the change retires what had expired: since when readers saw it so.
alter table finding_history add column expired_at timestamptz;

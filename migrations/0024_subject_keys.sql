-- Keys of the persons whose texts are sealed before they reach the log (ADR-0078). Outside the log: an erasure destroys
-- a key. The row of the nil UUID contains the key of the lookups.
create table subject_keys (
  subject uuid primary key,
  -- HMAC-SHA-256 of kind and name.
  lookup bytea unique,
  -- The data key, encrypted; null after the erasure.
  wrapped text,
  created_at timestamptz not null default now(),
  destroyed_at timestamptz,
  check ((wrapped is null) = (destroyed_at is not null))
);

-- Sealed texts have no words: their letters would be found by chance.
create function unsealed(text text) returns text
  language sql immutable strict parallel safe
  return regexp_replace(text, U&'\FDD0[^\FDD1]*\FDD1', ' ', 'g');

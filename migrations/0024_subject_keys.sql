-- migration: expands
-- Keys of the persons whose texts are sealed before they reach the log (ADR-0078). Outside the log: an erasure destroys
-- a key. The row of the nil UUID contains the key of the lookups.

create table subject_keys (
  subject      uuid        primary key,
  -- HMAC-SHA-256 of kind and name.
  lookup       bytea       unique,
  -- The data key, encrypted; null after the erasure.
  wrapped      text,
  created_at   timestamptz not null default now(),
  destroyed_at timestamptz,
  check ((wrapped is null) = (destroyed_at is not null))
);

-- Sealed texts have no words: their letters would be found by chance. The end of one may be cut off.
create function unsealed(words text) returns text
  language sql immutable parallel safe
  return case when position(U&'\FDD0' in words) = 0 then words
              else regexp_replace(words, U&'\FDD0[^\FDD1]*\FDD1?', ' ', 'g') end;

create or replace function asset_words(state json) returns tsvector
  language sql immutable parallel safe
  return searched_words(unsealed(left(
    coalesce(state ->> 'aliases', '') || ' ' || coalesce(state ->> 'name', '') || ' ' ||
    coalesce(state ->> 'hostname', '') || ' ' || coalesce(state ->> 'fqdn', '') || ' ' ||
    coalesce(state ->> 'ipAddresses', '') || ' ' || coalesce(state ->> 'tags', ''), 20000)));

create or replace function finding_text(name text, body json) returns text
  language sql immutable parallel safe
  return name || ' ' || coalesce(unsealed(left(body ->> 'description', 4000)), '');

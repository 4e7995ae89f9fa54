-- migration: expands
-- migration: outside a transaction
-- A line break in a tag is `\n` in its JSON: its letter began the next word. Other escapes keep what is escaped, so `\\n`
-- is a backslash, which is a space, before the letter.

create or replace function asset_words(state json) returns tsvector
  language sql immutable parallel safe
  return searched_words(unsealed(left(
    coalesce(state ->> 'aliases', '') || ' ' || coalesce(state ->> 'name', '') || ' ' ||
    coalesce(state ->> 'hostname', '') || ' ' || coalesce(state ->> 'fqdn', '') || ' ' ||
    coalesce(state ->> 'ipAddresses', '') || ' ' ||
    regexp_replace(left(coalesce(state ->> 'tags', ''), 20000),
                   '\\(?:[bfnrt]|u00[01][0-9a-f]|(.))', ' \1', 'g'), 20000)));

drop index concurrently if exists assets_search;
create index concurrently assets_search on assets using gin (asset_words(state));
drop index concurrently if exists assets_words;

-- What lists, counts and searches find assets and findings by (docs/decisions.md, "Queries"). The projection writes
-- none of it, and finding_seen keeps its one index. Texts are cut where an index bounds its keys.

-- Words in their order, signs being spaces: `web01.corp` and `CVE-2021-44228` are several words.
create function searched_words(words text) returns tsvector
  language sql immutable parallel safe
  return to_tsvector('simple'::regconfig, translate(words,
    E'./\\-_:@#<>[](){}"\'+=*&%$,;!?|~`^\u00a0\u00ab\u00b7\u00bb\u2010\u2011\u2013\u2014\u2018\u2019\u201c\u201d\u201e\u2022\u2026', repeat(' ', 60)));

-- Arrays and tags are searched as their JSON: its signs are spaces too.
create function asset_words(state json) returns tsvector
  language sql immutable parallel safe
  return searched_words(left(
    coalesce(state ->> 'aliases', '') || ' ' || coalesce(state ->> 'name', '') || ' ' ||
    coalesce(state ->> 'hostname', '') || ' ' || coalesce(state ->> 'fqdn', '') || ' ' ||
    coalesce(state ->> 'ipAddresses', '') || ' ' || coalesce(state ->> 'tags', ''), 20000));

create function finding_text(name text, body json) returns text
  language sql immutable parallel safe
  return name || ' ' || coalesce(left(body ->> 'description', 4000), '');

create function criticality_rank(criticality text) returns smallint
  language sql immutable parallel safe
  return case criticality when 'critical' then 5 when 'high' then 4 when 'medium' then 3 when 'low' then 2
                          when 'info' then 1 else 0 end::smallint;

create function indexed_ids(ids text[]) returns text[]
  language plpgsql immutable parallel safe as $$
declare
  cut text[] := '{}';
  id text;
begin
  foreach id in array ids loop cut := cut || left(id, 200); end loop;
  return cut;
end $$;

-- Names in the order of lists: any case, by code points.
alter table assets add column sort_name text collate "C" generated always as (lower(left(name, 600))) stored;
alter table findings
  add column sort_name text collate "C" generated always as (lower(left(name, 600))) stored,
  -- Which text of finding_texts is its own.
  add column text_id uuid generated always as (md5(finding_text(name, body))::uuid) stored;

-- Covers what findings are counted by.
create index findings_facets on findings (state, type, severity_value, asset_no, finding_no);
create index findings_severity on findings (severity_value, asset_no, finding_no);
create index findings_name on findings (sort_name, asset_no, finding_no);
create index findings_updated on findings (((body ->> 'updatedAt')::bigint), asset_no, finding_no);
create index findings_source on findings (left(source, 600), asset_no, finding_no);
create index findings_ids on findings using gin (indexed_ids(cves || techniques))
  where cves <> '{}' or techniques <> '{}';
create index findings_text on findings (text_id, asset_no, finding_no);

-- Each text of findings once, however many have it: a search looks here, then in findings_text.
create table finding_texts (
  id    uuid     primary key,
  words tsvector not null
);
create index finding_texts_words on finding_texts using gin (words);

-- How far the history was searched for texts.
create table finding_texts_read (
  partition     integer primary key,
  sequence      bigint  not null,
  -- The table that was read: after a replay it is another one.
  history_table oid     not null
);

drop index assets_name;
create index assets_sort_name on assets (sort_name, asset_no);
create index assets_updated on assets (((state ->> 'updatedAt')::bigint), asset_no);
create index assets_criticality on assets (criticality_rank(criticality), asset_no);
create index assets_type on assets (left(type, 600), asset_no);
create index assets_attack_surface on assets (left(attack_surface, 600), asset_no);
create index assets_department on assets (left(department, 600), asset_no);
create index assets_location on assets (left(location, 600), asset_no);
create index assets_sources on assets using gin (indexed_ids(sources));
create index assets_custom_fields on assets using gin (custom_fields jsonb_path_ops);
create index assets_words on assets using gin (asset_words(state));

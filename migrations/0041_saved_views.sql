-- migration: expands
-- Saved views of lists (ADR-0121): a name for the query of a list. Outside the log.

create table saved_views (
  id         uuid        primary key,
  -- Credential, API token or user of a provider: the view ends with it.
  owner_id   uuid        not null,
  -- In the clear, or sealed with the key of the owner, as `name` and `query` are.
  owner      text        not null,
  list       text        not null check (list in ('findings', 'assets')),
  name       text        not null,
  -- Parameters of the list, as in an address.
  query      text        not null,
  is_shared  boolean     not null,
  version    integer     not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  unique (owner_id, list, name)
);
create index saved_views_shared on saved_views (created_at, id) where is_shared;

-- The view that a person opens a list with: one of its own, or a shared one.
create table default_views (
  person_id uuid not null,
  list      text not null,
  view_id   uuid not null references saved_views on delete cascade,
  primary key (person_id, list)
);
create index default_views_view on default_views (view_id);

-- Whichever program deletes the person.
create function remove_views_of_person() returns trigger language plpgsql as $$
begin
  delete from saved_views where owner_id = old.id;
  delete from default_views where person_id = old.id;
  return null;
end $$;
create trigger remove_views after delete on credentials for each row execute function remove_views_of_person();
create trigger remove_views after delete on users for each row execute function remove_views_of_person();
create trigger remove_views after delete on api_tokens for each row execute function remove_views_of_person();

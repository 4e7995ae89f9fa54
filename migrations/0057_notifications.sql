-- migration: expands
-- Notifications of people (ADR-0136). Beside the log: they are derived from it, for the people of this site.

-- Each person, with what notifies it and how it is sent; a credential or a user of a provider.
create table notification_people (
  person_id       uuid        primary key,
  -- What notifies the person.
  kinds           text[]      not null,
  -- Teams whose findings count as those of the person.
  teams           text[]      not null default '{}',
  channel         text        check (channel in ('email', 'slack', 'teams')),
  -- Encrypted: {address}; null where there is no channel.
  content         text,
  schedule        text        not null default 'immediate' check (schedule in ('immediate', 'daily', 'weekly')),
  time_zone       text        not null default 'UTC',
  -- `HH:MM` in the time zone: of digests, and of the check of due dates.
  daily_at        text        not null default '08:00',
  -- Of a weekly digest: 1, Monday, to 7.
  weekday         integer     not null default 1 check (weekday between 1 and 7),
  -- `HH:MM`: nothing is sent from the one to the other; null: always.
  quiet_from      text,
  quiet_to        text,
  -- Due dates and ends of acceptances up to then have been looked at.
  checked_through timestamptz not null,
  next_check_at   timestamptz not null,
  -- When a message with what waits is due; null: nothing waits.
  next_message_at timestamptz
);
create index notification_people_check on notification_people (next_check_at);
create index notification_people_message on notification_people (next_message_at) where next_message_at is not null;
create index notification_people_teams on notification_people using gin (teams) where teams <> '{}';

-- A message to a person, written before it is sent.
create table notification_messages (
  id              uuid        primary key,
  person_id       uuid        not null references notification_people on delete cascade,
  is_test         boolean     not null,
  status          text        not null check (status in ('pending', 'sent', 'failed', 'skipped')),
  attempts        integer     not null default 0,
  created_at      timestamptz not null,
  -- While an attempt is in progress: when another process may try it.
  next_attempt_at timestamptz,
  finished_at     timestamptz,
  -- Of the last attempt: {status, message, ms}.
  answer          jsonb
);
create index notification_messages_pending on notification_messages (next_attempt_at) where status = 'pending';
create index notification_messages_person on notification_messages (person_id, created_at desc);

create table notifications (
  id         uuid        primary key,
  person_id  uuid        not null references notification_people on delete cascade,
  -- What happened once: a request, or a check of due dates.
  key        text        not null,
  kind       text        not null,
  at         timestamptz not null,
  -- User who acted, in the clear or sealed as in the audit trail; null: the service.
  by_user    text,
  -- Findings that it is about, and the ids of the first ones: names are read with them.
  findings   integer     not null,
  finding_ids uuid[]     not null,
  read_at    timestamptz,
  -- Whether it waits for a message.
  is_to_send boolean     not null,
  -- The message that it is in.
  message_id uuid        references notification_messages on delete set null,
  unique (person_id, key)
);
create index notifications_person on notifications (person_id, at desc, id);
create index notifications_unread on notifications (person_id) where read_at is null;
create index notifications_waiting on notifications (person_id) where is_to_send;
create index notifications_message on notifications (message_id) where message_id is not null;
create index notifications_at on notifications (at);

-- How far the audit trail of each partition has been read. What is in it already notifies nobody.
create table notification_positions (
  partition  integer primary key,
  log_offset bigint  not null
);
insert into notification_positions select partition, max(log_offset) from acts group by partition;

-- How the service sends to people: one row, once an admin has configured it.
create table notification_settings (
  only_row    boolean     primary key default true check (only_row),
  -- Encrypted: the mail server, and where addresses may be.
  content     text        not null,
  -- The site is from a backup: nothing is sent until the settings are saved again.
  is_restored boolean     not null default false,
  updated_at  timestamptz not null
);

-- Whichever program deletes the person.
create function remove_notifications_of_person() returns trigger language plpgsql as $$
begin
  delete from notification_people where person_id = old.id;
  return null;
end $$;
create trigger remove_notifications after delete on credentials
  for each row execute function remove_notifications_of_person();
create trigger remove_notifications after delete on users
  for each row execute function remove_notifications_of_person();

-- migration: expands
-- What the last daily look at due dates and acceptances found for a person, so that the next one notifies of the rest (ADR-0148).

create table notified_findings (
  person_id   uuid    not null references notification_people on delete cascade,
  -- `overdue`, `dueSoon` or `acceptanceEnding`.
  kind        text    not null,
  finding_ids uuid[]  not null,
  -- False: there were more than a look reads.
  is_whole    boolean not null,
  primary key (person_id, kind)
);

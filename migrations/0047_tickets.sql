-- migration: expands
-- Webhooks that keep tickets of findings in other systems (ADR-0126).

alter table webhooks
  -- `cloudevents`: changes, signed. Otherwise the system whose tickets it keeps.
  add column kind text not null default 'cloudevents',
  -- Of the kind: project, recipients and so on; never a secret.
  add column options jsonb not null default '{}';

-- The ticket of a finding in the system of a webhook; for chat and mail, the last message about it.
create table webhook_tickets (
  webhook_id uuid        not null references webhooks on delete cascade,
  finding_id uuid        not null,
  -- `opening`: requested, and perhaps created.
  state      text        not null check (state in ('opening', 'open', 'closed')),
  -- As the other system names it; null: it has no name.
  key        text,
  -- For browsers; null: it has none.
  url        text,
  -- When it was last opened, also again: the limit of an hour counts these.
  opened_at  timestamptz not null,
  changed_at timestamptz not null,
  primary key (webhook_id, finding_id)
);
create index webhook_tickets_opened on webhook_tickets (webhook_id, opened_at);
create index webhook_tickets_closed on webhook_tickets (changed_at) where state = 'closed';

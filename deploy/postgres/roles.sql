-- One PostgreSQL role for each program, each with no more rights than it needs (docs/security.md, "Database roles").
-- Run it as the owner of the tables, or a superuser, after `posture migrate`, at the first start and at each upgrade:
--   posture migrate --roles deploy/postgres/roles.sql
--   psql "$OWNER_URL" --set ON_ERROR_STOP=1 --file deploy/postgres/roles.sql
-- It creates missing roles (which needs CREATEROLE), without a password. Then, once, for each program:
--   alter role posture_gateway login password '…';
-- It waits at most two seconds for a lock, because other sessions would wait behind it: if it fails with 55P03, run it again.
begin;
set local lock_timeout = '2s';

do $$
declare
  role text;
begin
  foreach role in array array['posture_reader', 'posture_gateway', 'posture_projector', 'posture_scorer',
                              'posture_collector', 'posture_archiver', 'posture_backup'] loop
    if not exists (select from pg_roles where rolname = role) then
      execute format('create role %I nologin', role);
    end if;
    -- Rights granted by an earlier version of this file.
    execute format('revoke all on all tables in schema public from %I', role);
    execute format('grant connect, temporary on database %I to %I', current_database(), role);
    execute format('grant usage on schema public to %I', role);
    -- If another user has created the roles, the owner may not grant one to another.
    if not pg_has_role(role, 'posture_reader', 'member') then execute format('grant posture_reader to %I', role); end if;
  end loop;
end $$;

revoke create on schema public from public;
revoke all on all tables in schema public from public;

-- Every program reads all tables without secrets.
grant select on all tables in schema public to posture_reader;
revoke select on act_origins, api_tokens, credentials, idempotency_keys, identity_providers, integration_secrets,
  notification_people, notification_settings, report_schedules, saved_views, second_factors, security_events, sessions, subject_keys, user_groups, users, webhooks
  from posture_reader;

-- Accepts uploads and acts, signs users in, answers queries.
grant select, insert, delete on act_origins to posture_gateway;
grant select, insert, update, delete on api_tokens, credentials, default_views, idempotency_keys, integration_secrets,
  notification_messages, notification_people, notification_positions, notification_settings, notifications, notified_findings, notified_problems,
  refused_uploads, report_deliveries, report_schedules, saved_views, second_factors, security_events, sessions, user_groups, users, webhooks
  to posture_gateway;
grant select, insert, update on identity_providers, subject_keys to posture_gateway;
grant insert, update, delete on roles to posture_gateway;
grant insert, update, delete on json_leases, json_signals to posture_gateway;
grant insert, update on inbox_positions to posture_gateway;
grant insert on upload_receipts, syncs, finding_texts, import_contexts to posture_gateway;
grant update (cancel_requested_at, cancel_requested_by) on syncs to posture_gateway;
grant insert, update on finding_texts_read to posture_gateway;
grant update on webhook_deliveries to posture_gateway;

-- Folds. It can only insert into the history of assets and the audit trail, and removes findings' history only as the
-- log says (retention).
grant insert, update on projection_positions, assets, asset_seen, findings, finding_seen, upload_progress, organization,
                        retypings to posture_projector;
grant insert on asset_history, finding_history, acts, quarantine to posture_projector;
grant delete on finding_history to posture_projector;
grant insert, update on history_trims, history_summaries to posture_projector;
grant insert, update, delete on finding_totals, technique_totals to posture_projector;
grant insert, update on totals_progress to posture_projector;

-- Scores, and brings imported catalogues into force.
grant insert, update on scored_partitions to posture_scorer;
grant insert, update, delete on asset_scores, finding_decisions, score_history, score_sums, rescorings
  to posture_scorer;
grant insert on score_changes to posture_scorer;
grant insert, update on catalogue_rows to posture_scorer;
grant update on catalogue_imports to posture_scorer;
grant delete on catalogue_staged to posture_scorer;

-- Syncs: their rows, and the secrets that it decrypts. Delivers: webhooks and their deliveries.
grant insert, update on syncs to posture_collector;
grant select, update, delete on integration_secrets to posture_collector;
grant select, insert on subject_keys to posture_collector;
grant select, update on webhooks to posture_collector;
grant insert, update, delete on webhook_deliveries, webhook_tickets to posture_collector;

-- Reads all of it.
grant select on act_origins, api_tokens, credentials, idempotency_keys, identity_providers, integration_secrets,
  notification_people, notification_settings, report_schedules, saved_views, second_factors, security_events, subject_keys, user_groups, users, webhooks
  to posture_backup;

-- The time of the last trusted clock of each; only the owner of the tables can confirm a clock that has jumped.
grant insert, update on trusted_time to posture_gateway, posture_projector, posture_scorer, posture_collector;

-- What projectors and scorers publish.
grant insert, update on published_changes, registered_schemas to posture_projector, posture_scorer;

-- The log, if it is in PostgreSQL. No role updates a record, and only the archiver removes one; each appends to
-- its own topics.
grant insert on log_records to posture_gateway, posture_projector, posture_scorer, posture_collector;
grant insert, update on log_ends to posture_gateway, posture_projector, posture_scorer, posture_collector;
grant insert, update on log_publishers to posture_projector, posture_scorer;
grant delete on log_records to posture_archiver;

do $$
declare
  tab text;
  policy record;
begin
  foreach tab in array array['log_records', 'log_ends', 'log_publishers'] loop
    execute format('alter table %I enable row level security', tab);
    for policy in select policyname from pg_policies where schemaname = 'public' and tablename = tab loop
      execute format('drop policy %I on %I', policy.policyname, tab);
    end loop;
    execute format('create policy posture_read on %I for select using (true)', tab);
    execute format($policy$
      create policy posture_intake_insert on %1$I for insert to posture_gateway, posture_projector, posture_collector
        with check (topic = 'posture.intake');
      create policy posture_changes_insert on %1$I for insert to posture_projector
        with check (topic in ('posture.findings', 'posture.assets', 'posture.quarantine'));
      create policy posture_scores_insert on %1$I for insert to posture_scorer
        with check (topic = 'posture.scores')$policy$, tab);
    continue when tab = 'log_records';
    execute format($policy$
      create policy posture_intake_update on %1$I for update to posture_gateway, posture_projector, posture_collector
        using (topic = 'posture.intake');
      create policy posture_changes_update on %1$I for update to posture_projector
        using (topic in ('posture.findings', 'posture.assets', 'posture.quarantine'));
      create policy posture_scores_update on %1$I for update to posture_scorer
        using (topic = 'posture.scores')$policy$, tab);
  end loop;
  create policy posture_archive on log_records for delete to posture_archiver using (topic = 'posture.intake');
end $$;

commit;

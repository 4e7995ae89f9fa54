-- migration: expands
-- migration: outside a transaction
-- Remediation plans, which are read from the audit trail (ADR-0127): their acts alone, so that others write nothing here.
drop index concurrently if exists acts_plans;
create index concurrently acts_plans on acts (target, log_offset desc)
  where action in ('plan.added', 'plan.changed', 'plan.removed') and refused is null;

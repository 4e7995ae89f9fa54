-- migration: expands
-- Erasures of subjects in the audit trail: the gateway looks for those whose key is not destroyed yet (ADR-0078).

create index acts_erasures on acts (at desc, partition desc, log_offset desc) where action = 'subject.erased';

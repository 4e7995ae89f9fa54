-- migration: expands
-- Acts on the second factors of credentials, which a restore compares with those of the log (ADR-0106).

-- How often the second factor was enabled or removed. Null: not known, in a row that an earlier version has written.
alter table credentials add column second_factor_acts integer;

update credentials c
   set second_factor_acts = (
     select count(*) from acts a
      where a.target = c.id::text and a.action in ('credential.secondFactorEnabled', 'credential.secondFactorRemoved'));

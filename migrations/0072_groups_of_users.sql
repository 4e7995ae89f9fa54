-- migration: expands
-- With other settings of a provider, users have other rights at once, and sessions of former rights end (R-AUTH-23).

-- The claim, the groups that it named at the last sign-in or check, and the rights of the row since. Groups are known only
-- while these are still its rights: a version before, or a restore, sets rights alone.
alter table users add column groups_claim text, add column claimed_groups text[], add column given_rights text;
-- Of the settings that gave the rights at the beginning of the session. Null: of a credential, or of a version before.
alter table sessions add column rights_digest text;

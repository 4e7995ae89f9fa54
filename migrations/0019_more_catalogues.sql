-- migration: expands
-- Two more catalogues: ATT&CK and CTID's mapping of CVEs. `cve` in the rows of attack is the id of a technique.
-- Values: attack {"name", "tactics", "revoked", "deprecated", "revokedBy", "mitigations"}; ctid {"techniques"};
-- kev {"dateAdded", "isUsedByRansomware", "dueDate"}.
alter table catalogue_imports drop constraint catalogue_imports_catalogue_check;
alter table catalogue_imports add constraint catalogue_imports_catalogue_check
  check (catalogue in ('attack', 'ctid', 'cve', 'epss', 'kev'));

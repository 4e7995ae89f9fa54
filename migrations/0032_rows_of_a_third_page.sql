-- migration: expands
-- Rows of up to a third of a page are stored as they are; by default PostgreSQL compresses rows of more than a quarter, or
-- moves them out of the table. Most findings with sealed texts (ADR-0078) are between both, and ciphertext does not become
-- smaller: each was compressed in vain, then moved.

alter table log_records set (toast_tuple_target = 2712);
alter table findings set (toast_tuple_target = 2712);
alter table finding_history set (toast_tuple_target = 2712);

-- With what a search leaves out and sorts by: its page is found in the index alone (docs/decisions.md, "Queries").
create index findings_text_severity on findings (text_id, state, severity_value, asset_no, finding_no);
drop index findings_text;
alter index findings_text_severity rename to findings_text;

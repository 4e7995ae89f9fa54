/** Members of a generic finding; DefectDojo itself refuses any other. */
export const MEMBERS = (
  'title severity description date cwe cwes cve vulnerability_ids epss_score epss_percentile ' +
  'cvssv2 cvssv2_score cvssv3 cvssv3_score cvssv4 cvssv4_score mitigation impact ' +
  'steps_to_reproduce severity_justification references active verified false_p duplicate ' +
  'out_of_scope risk_accepted under_review is_mitigated thread_id mitigated numerical_severity ' +
  'param payload line file_path component_name component_version static_finding dynamic_finding ' +
  'scanner_confidence unique_id_from_tool vuln_id_from_tool sast_source_object sast_sink_object ' +
  'sast_source_line sast_source_file_path nb_occurences publish_date service ' +
  'planned_remediation_date planned_remediation_version effort_for_fixing tags endpoints ' +
  'locations files kev_date known_exploited ransomware_used fix_available fix_version'
).split(' ');

/** Columns of the CSV, in lower case: the members, and the names that only it has. */
const COLUMNS = new Set([
  ...MEMBERS,
  'cweid',
  'cweids',
  'url',
  'endpoints',
  'ismitigated',
  'mitigateddate',
  'falsepositive',
  'vulnerability id',
  'cveid',
  'componentname',
  'componentversion',
]);

/** All columns are DefectDojo's: many tools' tables have a title, a severity and a description. */
export const isDojoHeader = (columns: string[]): boolean =>
  ['title', 'severity', 'description'].every((name) => columns.includes(name)) &&
  columns.every((name) => COLUMNS.has(name));

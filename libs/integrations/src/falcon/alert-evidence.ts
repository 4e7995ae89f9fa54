import { cut, type Json, textOf } from '../json-values.ts';

/** Of the evidence of one detection. */
const EVIDENCE_CHARS_MAX = 3_000;

/** The evidence, one fact a line, in this order: the last facts are cut first. */
const FACTS: [label: string, field: string][] = [
  ['Detection', 'display_name'],
  ['Tactic', 'tactic'],
  ['Technique', 'technique'],
  ['File', 'filepath'],
  ['File name', 'filename'],
  ['SHA-256', 'sha256'],
  ['User', 'user_name'],
  ['Action', 'pattern_disposition_description'],
  ['Resolution', 'resolution'],
  ['Detected', 'timestamp'],
  ['Assigned to', 'assigned_to_name'],
  ['Link', 'falcon_host_link'],
  ['Command line', 'cmdline'],
  ['Description', 'description'],
];

/** The observation of a detection for a reader; null if the alert says nothing of it. */
export function alertEvidence(alert: Json): string | null {
  const lines = FACTS.flatMap(([label, field]) => {
    const text = textOf(alert[field]);
    return text === '' ? [] : [`${label}: ${text}`];
  });
  return lines.length > 0 ? cut(lines.join('\n'), EVIDENCE_CHARS_MAX) : null;
}

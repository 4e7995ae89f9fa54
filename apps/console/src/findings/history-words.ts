import type { Api } from '../api/client.ts';
import { fullInstant, localInstant } from '../parts/instant.tsx';
import { STATE_NAMES } from '../parts/state.tsx';

type Item = Api['HistoryItemDto'];

export const RETIRED_BECAUSE: Record<NonNullable<Api['FindingDto']['retiredReason']>, string> = {
  expired: 'It expired: no signal has confirmed it in time.',
  replaced: 'A full assessment of the asset did not name it any more.',
  retention: 'No signal has named it for as long as assessments are kept.',
  revoked: 'Its source has revoked it.',
  assetDeleted: 'Its asset was deleted.',
};

const REASONS: Record<NonNullable<Item['reason']>, string> = {
  ...RETIRED_BECAUSE,
  acceptanceEnded: 'The acceptance ended on its day.',
  clockCorrected: 'A clock had been ahead and was corrected: this is what it is without that clock.',
  acceptanceOverridden: 'An upload that may override acceptances found it failing.',
  user: 'Somebody decided so.',
};

const CHANGES: Record<Item['change'], string> = {
  created: 'First found',
  updated: 'Changed',
  stateChanged: 'State changed',
  retired: 'Retired',
  returned: 'Returned',
  accepted: 'Accepted',
  reverted: 'Acceptance reverted',
};

/** What a step is called. A hold ends by the same act as an acceptance. */
export const titleOf = ({ change, from }: Item): string =>
  change === 'reverted' && from === 'Failed' ? 'Hold ended' : CHANGES[change];

/** Why; null where a signal said so, or where the step's name tells it. */
export const reasonOf = ({ reason }: Item): string | null =>
  reason === null || reason === 'user' ? null : REASONS[reason];

const FIELDS: Record<string, string> = {
  state: 'State',
  retiredReason: 'Retired because',
  accepted: 'Acceptance',
  heldFailed: 'Held failed',
  cves: 'CVEs',
  techniques: 'ATT&CK techniques',
  technical: 'Technical details',
  businessImpact: 'Business impact',
  subtype: 'Kind by its source',
  nextSubmissionIntervalInMins: 'Next report within (minutes)',
  controlType: 'Control type',
  extra: 'Further fields of the signal',
};

const fieldName = ({ field, key }: Api['FieldChangeDto']): string => {
  if (field === 'instances') return key ? `Instance ${key}` : 'Instance';
  return FIELDS[field] ?? field.charAt(0).toUpperCase() + field.slice(1);
};

/** One side of a change as text; null: there was nothing. */
export function sideText(side: unknown): string | null {
  if (side === null || side === undefined) return null;
  if (typeof side === 'string') return STATE_NAMES[side as keyof typeof STATE_NAMES] ?? localInstant(side);
  if (typeof side === 'boolean') return side ? 'yes' : 'no';
  if (Array.isArray(side)) return side.map(sideText).join(', ') || null;
  if (!isRecord(side)) return String(side);
  if (isDecision(side)) return decisionText(side);
  const parts = Object.entries(side).map(
    ([name, value]) => [name, sideText(value), isRecord(value)] as const,
  );
  const told = parts.filter(([, text]) => text);
  return told
    .map(([name, text, isNested]) => (isNested ? `${name} (${text})` : `${name}: ${text}`))
    .join(' · ');
}

/** What differs of one field. */
export interface Difference {
  name: string;
  before: string | null;
  after: string | null;
}

/** The differences of a change, taken apart as far as both sides have parts: `Severity, value`, not all of severity. */
export const differencesOf = (change: Api['FieldChangeDto']): Difference[] =>
  differences(fieldName(change), change.before, change.after);

function differences(name: string, before: unknown, after: unknown): Difference[] {
  if (isRecord(before) && isRecord(after) && !isDecision(after)) {
    const parts = [...new Set([...Object.keys(before), ...Object.keys(after)])];
    return parts.flatMap((part) => differences(`${name}, ${part}`, before[part], after[part]));
  }
  const [was, is] = [sideText(before), sideText(after)];
  return was === is ? [] : [{ name, before: was, after: is }];
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What a user decided: an acceptance, or a hold, which has neither end nor rationale. */
interface Decision {
  by: string;
  at: string;
  until?: string | null;
  rationale?: string;
}

const isDecision = (value: object): value is Decision => 'by' in value && 'at' in value;

function decisionText({ by, at, until, rationale }: Decision): string {
  const end = until ? `until ${fullInstant(until)}` : until === null && 'until it is reverted';
  const made = [`by ${by}`, fullInstant(at), end].filter(Boolean).join(', ');
  return rationale ? `${made}: ${rationale}` : made;
}

import { t } from '@lingui/core/macro';
import type { Api } from '../api/client.ts';
import { fullInstant, localInstant } from '../parts/instant.tsx';
import { type FindingState, stateNames } from '../parts/state.tsx';

type Item = Api['HistoryItemDto'];

export const RETIRED_BECAUSE: Record<NonNullable<Api['FindingDto']['retiredReason']>, string> = {
  expired: 'The finding expired because no signal confirmed it in time.',
  replaced: 'A full assessment of the asset no longer contained it.',
  retention: 'No signal reported it within the retention period.',
  revoked: 'The source revoked it.',
  assetDeleted: 'The asset was deleted.',
};

const REASONS: Record<NonNullable<Item['reason']>, string> = {
  ...RETIRED_BECAUSE,
  acceptanceEnded: 'The acceptance expired.',
  clockCorrected: 'A clock that was ahead was corrected. The state was recalculated without it.',
  acceptanceOverridden: 'An upload that can override acceptances reported a failure.',
  user: 'A user made the decision.',
};

const CHANGES: Record<Item['change'], string> = {
  created: 'First found',
  updated: 'Changed',
  stateChanged: 'State changed',
  retired: 'Retired',
  returned: 'Returned',
  accepted: 'Accepted',
  reverted: 'Acceptance reverted',
  assigned: 'Assigned',
  tagged: 'Tags changed',
  dueSet: 'Due date changed',
  ticketsChanged: 'Tickets changed',
  commented: 'Comment added',
  erased: 'Personal texts erased',
};

/** Title of a step. Holds and acceptances are ended by the same action. */
export const titleOf = ({ change, from }: Item): string =>
  change === 'reverted' && from === 'Failed' ? t`Hold ended` : CHANGES[change];

/** Reason of a step; null if the cause is a signal, or if the title already states it. */
export const reasonOf = ({ reason }: Item): string | null =>
  reason === null || reason === 'user' ? null : REASONS[reason];

const FIELDS: Record<string, string> = {
  state: 'State',
  retiredReason: 'Retired because',
  accepted: 'Acceptance',
  heldFailed: 'Held as Failed',
  cves: 'CVEs',
  techniques: 'ATT&CK techniques',
  technical: 'Technical details',
  subtype: 'Source type',
  nextSubmissionIntervalInMins: 'Next report within (minutes)',
  extra: 'Other signal fields',
};

const fieldName = ({ field, key }: Api['FieldChangeDto']): string => {
  if (field === 'instances') return key ? t`Instance ${key}` : t`Instance`;
  const words = field.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return FIELDS[field] ?? words.charAt(0).toUpperCase() + words.slice(1);
};

/** One side of a change as text; null if it has no value. */
function sideText(side: unknown): string | null {
  if (side === null || side === undefined) return null;
  if (typeof side === 'string') return stateNames()[side as FindingState] ?? localInstant(side);
  if (typeof side === 'boolean') return side ? 'yes' : 'no';
  if (Array.isArray(side)) return side.map(sideText).join(', ') || null;
  if (!isRecord(side)) return String(side);
  if (isDecision(side)) return decisionText(side);
  const parts = Object.entries(side).map(
    ([name, value]) => [name, sideText(value), isRecord(value)] as const,
  );
  const shown = parts.filter(([, text]) => text);
  return shown
    .map(([name, text, isNested]) => (isNested ? `${name} (${text})` : `${name}: ${text}`))
    .join(' · ');
}

/** A changed value. */
export interface Difference {
  name: string;
  before: string | null;
  after: string | null;
}

/** The differences of a change, by nested field if both sides are objects: `Severity, value`. */
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

/** A decision of a user: an acceptance, or a hold, which has no end and no rationale. */
interface Decision {
  by: string;
  at: string;
  until?: string | null;
  rationale?: string;
}

const isDecision = (value: object): value is Decision => 'by' in value && 'at' in value;

function decisionText({ by, at, until, rationale }: Decision): string {
  const end = until ? `until ${fullInstant(until)}` : until === null && t`until it is reverted`;
  const made = [`by ${by}`, fullInstant(at), end].filter(Boolean).join(', ');
  return rationale ? `${made}: ${rationale}` : made;
}

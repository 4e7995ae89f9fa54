import type { Schemas } from '#client';
import { printable } from '../printable.ts';

interface Acceptance {
  by: string;
  until: string | null;
  rationale: string;
}

/**
 * Why a change came about, as a clause.
 * @param type of the finding
 */
export function reasonWords(item: Schemas['HistoryItemDto'], type: string): string {
  switch (item.reason) {
    case 'expired':
      return 'it expired: no signal confirmed it in time';
    case 'replaced':
      return `it was replaced: a full assessment of \`${type}\` no longer contained it`;
    case 'retention':
      return 'its retention period ended: no signal confirmed it during that period';
    case 'revoked':
      return 'its source revoked it';
    case 'assetDeleted':
      return 'its asset was deleted';
    case 'acceptanceEnded':
      return `the acceptance ${acceptanceWords(item)} ended`;
    case 'acceptanceOverridden':
      return `a failing signal of an upload with allowOverride ended the acceptance ${acceptanceWords(item)}`;
    case 'clockCorrected':
      return 'a clock was ahead and was corrected: this is the state without the wrong clock';
    case 'user':
      return userWords(item);
    default:
      return item.reason ?? signalWords(item);
  }
}

function signalWords({ change, from, to }: Schemas['HistoryItemDto']): string {
  if (change === 'created') return 'a signal reported it for the first time';
  if (change === 'returned') return 'a signal reported it again';
  if (from !== to) return `its upload reports ${to}`;
  return 'its upload reports different content';
}

const TRIAGE: Record<string, string> = {
  assigned: 'assigned it',
  tagged: 'changed its tags',
  dueSet: 'changed its due date',
  ticketsChanged: 'changed its tickets',
  commented: 'commented on it',
};

function userWords(item: Schemas['HistoryItemDto']): string {
  const user = printable(item.cause.user ?? 'a user');
  if (item.change === 'erased') return `${user} erased the personal texts`;
  if (item.change in TRIAGE) return `${user} ${TRIAGE[item.change]}`;
  if (item.change !== 'accepted') return `${user} set it to ${item.to}`;
  const { until, rationale } = acceptanceOf(item, 'after') ?? { until: null, rationale: '' };
  return `accepted by ${user} ${until === null ? 'with no end date' : `until ${until}`}: "${printable(rationale)}"`;
}

/** The acceptance that ended. */
function acceptanceWords(item: Schemas['HistoryItemDto']): string {
  const acceptance = acceptanceOf(item, 'before');
  if (!acceptance) return '';
  const { by, until, rationale } = acceptance;
  return `by ${printable(by)}${until === null ? '' : ` until ${until}`} ("${printable(rationale)}")`;
}

const acceptanceOf = ({ changes }: Schemas['HistoryItemDto'], side: 'before' | 'after') =>
  changes.find(({ field }) => field === 'accepted')?.[side] as Acceptance | null | undefined;

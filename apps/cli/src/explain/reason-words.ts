import { printable } from '../printable.ts';
import type { HistoryAnswer } from './finding-answers.ts';

interface Acceptance {
  by: string;
  until: string | null;
  rationale: string;
}

/**
 * Why a change came about, as a clause.
 * @param type of the finding
 */
export function reasonWords(item: HistoryAnswer, type: string): string {
  switch (item.reason) {
    case 'expired':
      return 'it expired: no signal had confirmed it in time';
    case 'replaced':
      return `it was replaced: an upload that assessed \`${type}\` fully did not hold it any more`;
    case 'retention':
      return 'its retention ended: no signal had confirmed it for that long';
    case 'revoked':
      return 'its source revoked it';
    case 'assetDeleted':
      return 'its asset was deleted';
    case 'acceptanceEnded':
      return `the acceptance ${acceptanceWords(item, 'before')} ended`;
    case 'acceptanceOverridden':
      return `a failing signal of an upload that overrides acceptances ended the one ${acceptanceWords(item, 'before')}`;
    case 'clockCorrected':
      return 'a clock had been ahead and was corrected: this is what it is without that clock';
    case 'user':
      return userWords(item);
    default:
      return item.reason ?? signalWords(item);
  }
}

function signalWords({ change, from, to }: HistoryAnswer): string {
  if (change === 'created') return 'a signal reported it for the first time';
  if (change === 'returned') return 'a signal reported it again';
  if (from !== to) return `its upload reports it ${to}`;
  return 'its upload says something else of it';
}

function userWords(item: HistoryAnswer): string {
  const user = printable(item.cause.user ?? 'a user');
  if (item.change !== 'accepted') return `${user} set it to ${item.to}`;
  const { until, rationale } = acceptanceOf(item, 'after') ?? { until: null, rationale: '' };
  return `accepted by ${user} ${until === null ? 'without an end' : `until ${until}`}: "${printable(rationale)}"`;
}

function acceptanceWords(item: HistoryAnswer, side: 'before' | 'after'): string {
  const acceptance = acceptanceOf(item, side);
  if (!acceptance) return '';
  const { by, until, rationale } = acceptance;
  return `by ${printable(by)}${until === null ? '' : ` until ${until}`} ("${printable(rationale)}")`;
}

const acceptanceOf = ({ changes }: HistoryAnswer, side: 'before' | 'after') =>
  changes.find(({ field }) => field === 'accepted')?.[side] as Acceptance | null | undefined;

import type { Schemas } from '#client';
import { printable } from '../printable.ts';
import { causeWords, positionLines } from './cause-lines.ts';
import { changeLines } from './change-lines.ts';
import { paragraph } from './paragraph.ts';
import { reasonWords } from './reason-words.ts';

/** Since when a finding has its state, and why; the number refers to the change in the history. */
export interface StateOrigin {
  /** Null if it is not known. */
  since: string | null;
  why: string;
  change: number | null;
}

/**
 * Of the state that a finding is in.
 * @param item the last change that moved the state
 * @param number of that change, from 1
 */
export function stateOrigin(
  { state, retiredReason, expiresAt, type }: Schemas['FindingDto'],
  item: Schemas['HistoryItemDto'],
  number: number,
): StateOrigin {
  if (state === item.to) return { since: item.at, why: reasonWords(item, type), change: number };
  // Readers see expirations before they are folded.
  const why = reasonWords({ ...item, reason: retiredReason }, type);
  const since = retiredReason === 'expired' ? expiresAt : null;
  return { since, why: `${why}; recorded in the log with the next event`, change: null };
}

/** The head of the story: the finding, its asset and its state. */
export function headLines(finding: Schemas['FindingDto'], origin: StateOrigin, width: number): string[] {
  const { name, type, assetName, assetId, state, severity, cves, techniques, source } = finding;
  const level = severity.level === null ? '' : ` (${severity.level})`;
  const { since, why, change } = origin;
  const place = change === null ? '' : ` [change ${change}]`;
  const mapped = [...cves, ...techniques].map(printable).join(', ');
  const counts = finding.counted ? 'yes' : `no: ${printable(finding.notCountedBecause ?? 'no reason given')}`;
  const seen = [
    `first ${finding.firstSeen}`,
    ...(finding.lastSeen === null ? [] : [`last ${finding.lastSeen}`]),
    ...(finding.expiresAt === null ? [] : [`expires ${finding.expiresAt}`]),
  ];
  return [
    ...paragraph('Finding', [`${printable(name)}`, `type ${type}, id ${finding.id}`], 0, width),
    ...paragraph('Asset', [`${printable(assetName)}, id ${assetId}`], 0, width),
    ...paragraph('State', [`${state}${since === null ? '' : ` since ${since}`}: ${why}${place}`], 0, width),
    ...paragraph('Severity', [`${severity.value}${level}${mapped && `; ${mapped}`}`], 0, width),
    ...paragraph('Counts', [counts], 0, width),
    ...paragraph(
      'Seen',
      [`${seen.join(', ')}${source === null ? '' : `, by ${printable(source)}`}`],
      0,
      width,
    ),
    ...paragraph('Changes', [`${finding.version}, oldest first`], 0, width),
  ];
}

/** One change of the story. */
export function itemLines(
  item: Schemas['HistoryItemDto'],
  number: number,
  type: string,
  width: number,
): string[] {
  const moved = item.from === null || item.from === item.to ? item.to : `${item.from} → ${item.to}`;
  const [position, command] = positionLines(item);
  return [
    '',
    `${number}. ${item.at}  ${CHANGES[item.change] ?? printable(item.change)}: ${moved}`,
    ...paragraph('Why', [reasonWords(item, type)], 3, width),
    ...paragraph('What', changeLines(item), 3, width),
    ...paragraph('Cause', [causeWords(item)], 3, width),
    ...paragraph('Log', [position!], 3, width),
    ...paragraph('Shown by', [command!], 3, width),
  ];
}

const CHANGES: Record<string, string> = {
  created: 'Created',
  updated: 'Updated',
  stateChanged: 'State changed',
  retired: 'Retired',
  returned: 'Returned',
  accepted: 'Accepted',
  reverted: 'Reverted',
  assigned: 'Assigned',
  tagged: 'Tags changed',
  dueSet: 'Due date changed',
  ticketsChanged: 'Tickets changed',
  commented: 'Commented',
};

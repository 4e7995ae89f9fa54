import { printable } from '../printable.ts';
import type { FieldChangeAnswer, HistoryAnswer } from './finding-answers.ts';
import { valueWords } from './value-words.ts';

/** Fields whose names are no words. */
const NAMES: Record<string, string> = {
  retiredReason: 'retired because',
  heldFailed: 'held Failed',
  cves: 'CVEs',
  businessImpact: 'business impact',
  controlType: 'control type',
  nextSubmissionIntervalInMins: 'minutes to the next submission',
  extra: 'other properties',
};

/** What a change moved, before → after, a line each; at the creation what the finding began with. */
export function changeLines({ from, changes, changesLeftOut }: HistoryAnswer): string[] {
  const lines = changes.flatMap((change) => lineOf(change, from === null));
  if (changesLeftOut > 0) lines.push(`… and ${changesLeftOut} more`);
  return lines.length > 0 ? lines : ['nothing that is told'];
}

function lineOf({ field, key, before, after }: FieldChangeAnswer, isCreation: boolean): string[] {
  if (key !== null) return [instanceLine(key, before, after)];
  const name = NAMES[field] ?? field;
  if (isCreation) return [`${name}: ${valueWords(after)}`];
  return [`${name}: ${valueWords(before)} → ${valueWords(after)}`];
}

function instanceLine(key: string, before: unknown, after: unknown): string {
  const instance = key === '' ? 'instance' : `instance ${printable(key)}`;
  if (before === null) return `${instance} added: ${valueWords(after)}`;
  if (after === null) return `${instance} gone: ${valueWords(before)}`;
  const [was, is] = [before, after] as Record<string, unknown>[];
  const moved = Object.keys({ ...was, ...is }).map(
    (field) => `${NAMES[field] ?? field} ${valueWords(was?.[field])} → ${valueWords(is?.[field])}`,
  );
  return `${instance}: ${moved.join('; ')}`;
}

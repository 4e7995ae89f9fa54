import type { Schemas } from '#client';
import { printable } from '../printable.ts';
import { valueWords } from './value-words.ts';

/** Fields whose names are not clear as words. */
const NAMES: Record<string, string> = {
  retiredReason: 'retired because',
  heldFailed: 'held Failed',
  cves: 'CVEs',
  nextSubmissionIntervalInMins: 'minutes to the next submission',
  extra: 'other properties',
};

/** The changed fields, before → after, a line each; at the creation the initial values. */
export function changeLines({ from, changes, changesLeftOut }: Schemas['HistoryItemDto']): string[] {
  const lines = changes.flatMap((change) => lineOf(change, from === null));
  if (changesLeftOut > 0) lines.push(`… and ${changesLeftOut} more`);
  return lines.length > 0 ? lines : ['no visible change'];
}

function lineOf({ field, key, before, after }: Schemas['FieldChangeDto'], isCreation: boolean): string[] {
  if (key !== null) return [instanceLine(key, before, after)];
  const name = nameOf(field);
  if (isCreation) return [`${name}: ${valueWords(after)}`];
  return [`${name}: ${valueWords(before)} → ${valueWords(after)}`];
}

/** `controlType` is `control type`. */
const nameOf = (field: string): string =>
  NAMES[field] ?? field.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

function instanceLine(key: string, before: unknown, after: unknown): string {
  const instance = key === '' ? 'instance' : `instance ${printable(key)}`;
  if (before === null) return `${instance} added: ${valueWords(after)}`;
  if (after === null) return `${instance} gone: ${valueWords(before)}`;
  const [was, is] = [before, after] as Record<string, unknown>[];
  const moved = Object.keys({ ...was, ...is }).map(
    (field) => `${nameOf(field)} ${valueWords(was?.[field])} → ${valueWords(is?.[field])}`,
  );
  return `${instance}: ${moved.join('; ')}`;
}

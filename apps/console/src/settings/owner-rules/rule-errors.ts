import { i18n, type MessageDescriptor } from '@lingui/core';
import { msg, t } from '@lingui/core/macro';
import type { Failure } from '../../api/client.ts';
import { formErrorsOf, isStale } from '../act.ts';
import type { Draft } from './rules.ts';

const FIELD_NAMES: Record<string, MessageDescriptor> = {
  departments: msg`Departments`,
  locations: msg`Locations`,
  tags: msg`Tags`,
  owner: msg`The owner`,
};
const isField = (path: string) => /^rules\.\d+\./.test(path);

/** Error messages by row id, for the rows as they were sent. */
export function rowErrorsOf(error: Failure, { rows }: Draft): Record<string, string> {
  const found: Record<string, string> = {};
  for (const [path, what] of Object.entries(formErrorsOf(error, isField).fields)) {
    const [, at, field = ''] = path.split('.');
    const id = String(rows[Number(at)]?.id);
    const name = FIELD_NAMES[field];
    const sentence = `${name ? i18n._(name) : field}: ${what}.`;
    found[id] = found[id] ? `${found[id]} ${sentence}` : sentence;
  }
  return found;
}

/** The error above the list. */
export function generalErrorOf(error: Failure | null): string | null {
  if (error && isStale(error))
    return t`Another user changed the settings. Save again to replace their rules with yours, or discard to see their rules. The audit trail shows who changed what.`;
  const { fields, general } = formErrorsOf(error, isField);
  return (
    general ?? (Object.keys(fields).length > 0 ? t`Some rules are invalid. Each shows its error.` : null)
  );
}

import type { MessageDescriptor } from '@lingui/core';
import { msg, t } from '@lingui/core/macro';
import type { Failure } from '../../api/client.ts';
import { formErrorsOf, isStale } from '../act.ts';
import { rowErrors } from '../row-errors.ts';
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
  const placeOf = (path: string) => {
    const [, at, field = ''] = path.split('.');
    return [String(rows[Number(at)]?.id), field] as const;
  };
  return rowErrors(error, isField, placeOf, FIELD_NAMES);
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

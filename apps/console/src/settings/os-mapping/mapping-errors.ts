import type { MessageDescriptor } from '@lingui/core';
import { msg, t } from '@lingui/core/macro';
import type { Failure } from '../../api/client.ts';
import { formErrorsOf, isStale } from '../act.ts';
import { rowErrors } from '../row-errors.ts';
import type { Draft } from './mapping.ts';

const FIELD_NAMES: Record<string, MessageDescriptor> = {
  osPattern: msg`The pattern`,
  assetType: msg`The asset type`,
  attackSurface: msg`The attack surface`,
  supports: msg`The supported finding types`,
};
const isField = (path: string) => /^(mappings\.\d+|default)\.\w+$/.test(path);

/** Error messages by row id, for the rows as they were sent; `default` for the default. */
export function rowErrorsOf(error: Failure, { rows }: Draft): Record<string, string> {
  const placeOf = (path: string) => {
    const [list, ...rest] = path.split('.');
    const id = list === 'default' ? list : String(rows[Number(rest[0])]?.id);
    return [id, rest.at(-1)!] as const;
  };
  return rowErrors(error, isField, placeOf, FIELD_NAMES);
}

/** The error above the list. */
export function generalErrorOf(error: Failure | null): string | null {
  if (error && isStale(error))
    return t`Another user changed the settings. Save again to replace their list with yours, or discard to see their list. The audit trail shows who changed what.`;
  const { fields, general } = formErrorsOf(error, isField);
  const isOfRows = Object.keys(fields).length > 0;
  return general ?? (isOfRows ? t`Some rows are invalid. Each row shows its error.` : null);
}

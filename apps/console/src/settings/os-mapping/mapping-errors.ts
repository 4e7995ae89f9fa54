import { i18n, type MessageDescriptor } from '@lingui/core';
import { msg, t } from '@lingui/core/macro';
import type { Failure } from '../../api/client.ts';
import { formErrorsOf, isStale } from '../act.ts';
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
  const found: Record<string, string> = {};
  for (const [path, what] of Object.entries(formErrorsOf(error, isField).fields)) {
    const [list, ...rest] = path.split('.');
    const id = list === 'default' ? list : String(rows[Number(rest[0])]?.id);
    const field = rest.at(-1)!;
    const name = FIELD_NAMES[field];
    const sentence = `${name ? i18n._(name) : field}: ${what}.`;
    found[id] = found[id] ? `${found[id]} ${sentence}` : sentence;
  }
  return found;
}

/** The error above the list. */
export function generalErrorOf(error: Failure | null): string | null {
  if (error && isStale(error))
    return t`Another user changed the settings. Save again to replace their list with yours, or discard to see their list. The audit trail shows who changed what.`;
  const { fields, general } = formErrorsOf(error, isField);
  const isOfRows = Object.keys(fields).length > 0;
  return general ?? (isOfRows ? t`Some rows are invalid. Each row shows its error.` : null);
}

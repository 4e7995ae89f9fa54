import { t } from '@lingui/core/macro';
import type { Failure } from '../../api/client.ts';
import { formErrorsOf, isStale } from '../act.ts';
import type { Draft } from './mapping.ts';

const FIELD_NAMES: Record<string, string> = {
  osPattern: 'The pattern',
  assetType: 'The asset type',
  attackSurface: 'The attack surface',
  supports: 'The supported finding types',
};
const isField = (path: string) => /^(mappings\.\d+|default)\.\w+$/.test(path);

/** Error messages by row id, for the rows as they were sent; `default` for the default. */
export function rowErrorsOf(error: Failure, { rows }: Draft): Record<string, string> {
  const found: Record<string, string> = {};
  for (const [path, what] of Object.entries(formErrorsOf(error, isField).fields)) {
    const [list, ...rest] = path.split('.');
    const id = list === 'default' ? list : String(rows[Number(rest[0])]?.id);
    const sentence = `${FIELD_NAMES[rest.at(-1)!] ?? ''} ${what[0]!.toLowerCase()}${what.slice(1)}.`;
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

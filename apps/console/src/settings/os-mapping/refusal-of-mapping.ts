import type { Failure } from '../../api/client.ts';
import { complaintOf, isStale } from '../act.ts';
import type { Draft } from './mapping.ts';

const FIELD_NAMES: Record<string, string> = {
  osPattern: 'The pattern',
  assetType: 'The asset type',
  attackSurface: 'The attack surface',
  supports: 'What it supports',
};
const isField = (path: string) => /^(mappings\.\d+|default)\.\w+$/.test(path);

/** A refusal by the ids of the rows that it names, as they stood when it came; `default` for the default. */
export function rowErrorsOf(error: Failure, { rows }: Draft): Record<string, string> {
  const found: Record<string, string> = {};
  for (const [path, what] of Object.entries(complaintOf(error, isField).fields)) {
    const [list, ...rest] = path.split('.');
    const id = list === 'default' ? list : String(rows[Number(rest[0])]?.id);
    const sentence = `${FIELD_NAMES[rest.at(-1)!] ?? ''} ${what[0]!.toLowerCase()}${what.slice(1)}.`;
    found[id] = found[id] ? `${found[id]} ${sentence}` : sentence;
  }
  return found;
}

/** What stands above the list. */
export function generalRefusalOf(error: Failure | null): string | null {
  if (error && isStale(error))
    return 'Somebody else has changed the settings meanwhile. Saving once more puts your list in force in place of what stands now; discard to see what that is. The audit trail says who changed what.';
  const { fields, general } = complaintOf(error, isField);
  const isOfRows = Object.keys(fields).length > 0;
  return general ?? (isOfRows ? 'Some rows are not as they must be: each says why.' : null);
}

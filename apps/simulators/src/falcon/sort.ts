import { Refusal } from '../http/answer.ts';
import type { Sort } from '../query/found-records.ts';
import { instantKey } from '../query/instant-key.ts';
import { valuesAt } from '../query/values-at.ts';

/** Reads `field|asc`, `field.desc` or `field`; undefined if nothing was requested. */
export function parseSort(text: string, knows: (field: string) => boolean): Sort | undefined {
  if (text === '') return undefined;
  const [, field = '', direction = 'asc'] = /^([a-z0-9_.]+?)(?:[|.](asc|desc))?$/i.exec(text) ?? [];
  if (!knows(field)) throw new Refusal(400, 'Invalid sort expression supplied');
  const path = field.split('.');
  return {
    name: `${field}|${direction}`,
    isDescending: direction === 'desc',
    keyOf: (record) => {
      const [value] = valuesAt(record, path);
      if (typeof value === 'number') return value;
      return instantKey(String(value ?? '')) ?? String(value ?? '');
    },
  };
}

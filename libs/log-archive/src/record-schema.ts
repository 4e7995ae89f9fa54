import type { Schema } from 'avsc';

/** A stored record, as log files and segments hold it. */
export const RECORD_SCHEMA = {
  type: 'record',
  name: 'Record',
  fields: [
    { name: 'partition', type: 'int' },
    { name: 'offset', type: 'long' },
    { name: 'storedAt', type: 'long' },
    { name: 'key', type: 'string' },
    { name: 'value', type: 'bytes' },
    { name: 'headers', type: { type: 'map', values: 'string' } },
  ],
} as Schema;

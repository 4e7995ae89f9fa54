import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { parseSignal } from '#libs/contracts';
import { demoUploads } from './demo-uploads.ts';

const SIZE = { seed: 'halden', machines: 300, users: 40, secondDay: Date.UTC(2026, 4, 31) };
const EXAMPLES = new URL('../../../examples/', import.meta.url);

describe('signals that the project ships or makes pass the signal schema', () => {
  it.each(demoUploads(SIZE).map(({ title, signals }) => [title, signals] as const))(
    'demo: %s',
    (_, signals) => {
      const refused = [...signals()]
        .flat()
        .map(({ entryName, content }) => ({ entryName, parsed: parseSignal(content) }))
        .filter(({ parsed }) => !parsed.ok);
      expect(refused).toEqual([]);
    },
  );

  it.each(readdirSync(EXAMPLES).filter((name) => name.endsWith('.json')))('examples/%s', (name) => {
    expect(parseSignal(readFileSync(new URL(name, EXAMPLES)))).toMatchObject({ ok: true });
  });
});

import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';

const PICTURES = 'docs/console';
const SPECS = 'test/console';

const named = Array.from(
  readFileSync('docs/console.md', 'utf8').matchAll(/\(console\/([\w-]+)\.png\)/g),
  ([, name]) => name!,
);

it('docs/console.md shows only pictures that exist and that a test takes', () => {
  expect(readdirSync(PICTURES).sort()).toEqual(named.map((name) => `${name}.png`).sort());
  const specs = readdirSync(SPECS).filter((file) => file.endsWith('.spec.ts'));
  const looked = specs.map((file) => readFileSync(`${SPECS}/${file}`, 'utf8')).join('\n');
  for (const name of named) expect([name, looked.includes(`'${name}'`)]).toEqual([name, true]);
});

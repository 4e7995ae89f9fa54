import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { fileVariableOf, SECRET_VARIABLES } from '#libs/config';

it('docs/operating.md lists the file of every secret variable', () => {
  const [, section] = readFileSync('docs/operating.md', 'utf8').split('\n### Secrets from files\n');
  const rows = section!.split('\n### ')[0]!.matchAll(/^\| (`[A-Z].*?) \| (`[A-Z].*?) \|/gm);
  const named = (cell: string) => [...cell.matchAll(/`([A-Z_]+)`/g)].map(([, name]) => name!);
  const listed = [...rows].flatMap(([, files, variables]) => {
    expect(named(files!)).toEqual(named(variables!).map(fileVariableOf));
    return named(variables!);
  });
  expect(listed.sort()).toEqual([...SECRET_VARIABLES].sort());
});

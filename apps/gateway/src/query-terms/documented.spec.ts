import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { describedTerms } from './described-terms.ts';

it.each(Object.entries(describedTerms()))('docs/queries.md lists all filters of %s', (_, terms) => {
  const rows = terms.map(({ term, parameter, values, description }) =>
    [
      `| \`${term}\``,
      `\`${parameter}\``,
      `${values?.map((value) => `\`${value}\``).join(', ') ?? description} |`,
    ].join(' | '),
  );
  expect(readFileSync('docs/queries.md', 'utf8')).toContain(
    `| filter | parameter | values |\n|---|---|---|\n${rows.join('\n')}\n\n`,
  );
});

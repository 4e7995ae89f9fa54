import { expect, it } from '@jest/globals';
import { readMetrics } from '#libs/telemetry';
import { textOf } from './project-texts.ts';

it('the table of limits has a row for each reason of a 429', async () => {
  const reasons = [...(await readMetrics()).matchAll(/^posture_http_throttled_total\{reason="(\w+)"\}/gm)];
  const rows = (await textOf('docs/overload.md')).match(/^\|.*\|$/gm)!.join('\n');
  expect(reasons.length).toBeGreaterThan(10);
  expect(reasons.map(([, reason]) => reason).filter((reason) => !rows.includes(`\`${reason}\``))).toEqual([]);
});

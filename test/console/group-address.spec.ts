import { expect, it } from '@jest/globals';
import { addressOf } from '../../apps/console/src/findings/group-address.ts';

const address = (given: string, key = 'CVE-2024-2') =>
  addressOf([...new URLSearchParams(given)], 'cve', key).toString();

it('of the findings of a group has its key and the other filters', () => {
  expect(address('by=cve&state=Failed&cursor=x&asOf=2026-01-01')).toBe('state=Failed&cve=CVE-2024-2');
});

it.each(['cve=CVE-2024-1&tag=x', 'q=cve:CVE-2024-1&tag=x'])(
  'has the key instead of another value of its filter: %s',
  (given) => {
    const params = Object.fromEntries(new URLSearchParams(address(given)));
    expect(params).toEqual({ tag: 'x', cve: 'CVE-2024-2' });
  },
);

it('keeps the other words and filters of the query text', () => {
  expect(new URLSearchParams(address('q=weak cve:CVE-2024-1 kev:true')).get('q')).toBe('weak kev:true');
});

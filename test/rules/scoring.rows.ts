import { expect } from '@jest/globals';
import type { Row } from './row.ts';
import { failed, passed, signal, unknown } from './signals.ts';
import { DAY_MS } from './site.ts';

const mapped = (name: string, value: string) => failed({ standardsMapping: [{ name, value }] });
const unmapped = failed({ standardsMapping: undefined });

export const SCORING: Row[] = [
  ...(
    [
      ['a well-formed CVE', mapped('cve', 'CVE-2021-44228')],
      ['an ATT&CK technique id that exists', mapped('ttp', 'T1059')],
      ['an ATT&CK sub-technique that exists', mapped('ttp', 'T1059.001')],
      ['one valid mapping among others', mapped('ttp', 'T9999, T1002, T1059')],
    ] as [string, object][]
  ).map(
    ([what, given]): Row => ({
      rule: 'R-SCORE-1',
      says: `a Failed, unexpired finding with ${what} counts`,
      holds: async (site) => {
        const host = site.host();
        const found = await site.findingOf(host, signal(host, given));
        expect(found).toMatchObject({ state: 'Failed', counted: true, notCountedBecause: null });
      },
    }),
  ),
  ...(
    [
      ['neither CVE nor technique', unmapped, /neither a CVE nor an ATT&CK technique/],
      ['an ill-formed CVE', mapped('cve', 'CVE-21-44228'), /neither a CVE/],
      ['a technique that does not exist', mapped('ttp', 'T9999'), /ATT&CK catalogue/],
      ['a technique that is revoked', mapped('ttp', 'T1002'), /revoked/],
      [
        'a name that is no technique',
        failed({ ...unmapped.securityContext, attackPattern: [{ mapping: { techniqueId: 'CST0001' } }] }),
        /ATT&CK catalogue/,
      ],
    ] as [string, object, RegExp][]
  ).map(
    ([what, given, reason]): Row => ({
      rule: 'R-SCORE-1',
      says: `a Failed finding with ${what} does not count, and says why`,
      holds: async (site) => {
        const host = site.host();
        const found = await site.findingOf(host, signal(host, given));
        expect(found).toMatchObject({
          state: 'Failed',
          counted: false,
          notCountedBecause: expect.stringMatching(reason),
        });
      },
    }),
  ),
  ...(
    [
      ['Qualified', passed(), /Qualified/],
      ['NotAssessed', unknown(), /not assessed/],
    ] as [string, object, RegExp][]
  ).map(
    ([state, given, reason]): Row => ({
      rule: 'R-SCORE-1',
      says: `what is not Failed does not count, mapping or not: ${state}`,
      holds: async (site) => {
        const host = site.host();
        expect(await site.findingOf(host, signal(host, given))).toMatchObject({
          state,
          counted: false,
          notCountedBecause: expect.stringMatching(reason),
        });
      },
    }),
  ),
  {
    rule: 'R-SCORE-1',
    says: 'findings that are not Failed do not count, with or without mapping: AcceptedFailed, until reverted to Failed',
    holds: async (site) => {
      const { id, counted, notCountedBecause } = await site.acceptedOn(site.host());
      expect([counted, notCountedBecause]).toEqual([false, expect.stringMatching(/accepted/)]);
      expect((await site.revert(id, 'Failed')).body).toMatchObject({ counted: true });
    },
  },
  {
    rule: 'R-SCORE-1',
    says: 'expired findings do not count, from the millisecond on',
    holds: async (site) => {
      const host = site.host();
      const { id } = await site.findingOf(host, signal(host, { expiresAt: site.in(DAY_MS) }));
      await site.pass(DAY_MS);
      expect(await site.get(id)).toMatchObject({
        counted: false,
        notCountedBecause: expect.stringMatching(/retired/),
      });
    },
  },
  {
    rule: 'R-SCORE-2',
    says: '`score` is null, never 0, if no finding has such a mapping',
    holds: async (site) => {
      const host = site.host();
      await site.upload([signal(host, unmapped)]);
      expect((await site.asset(host)).score).toBeNull();
    },
  },
  {
    rule: 'R-CAT-1',
    says: 'ATT&CK technique ids ship with the project: they are known before any import',
    holds: async (site) => {
      const host = site.host();
      const given = ['T1001', 'T1003.001', 'T1566.002', 'T1486'].map((id) => ({
        ...signal(host, mapped('mitre', id)),
        name: id,
      }));
      await site.upload(given);
      const found = await site.findings(host);
      expect(found).toHaveLength(4);
      for (const finding of found) expect(finding).toMatchObject({ counted: true });
    },
  },
  {
    rule: 'R-CAT-6',
    says: 'unknown CVEs are valid if well-formed',
    holds: async (site) => {
      const host = site.host();
      const found = await site.findingOf(host, signal(host, mapped('cve', 'CVE-2098-1234567')));
      expect(found).toMatchObject({ cves: ['CVE-2098-1234567'], counted: true });
    },
  },
  {
    rule: 'R-FOLD-12',
    says: 'findings never depend on a catalogue: unknown entries are stored, and fail as any other',
    holds: async (site) => {
      const host = site.host();
      const found = await site.findingOf(host, signal(host, mapped('ttp', 'T9999 T1002')));
      expect(found).toMatchObject({ state: 'Failed', techniques: ['T9999', 'T1002'] });
      expect(await site.findings(host, 'Failed')).toHaveLength(1);
    },
  },
];

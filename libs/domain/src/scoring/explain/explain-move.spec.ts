import { describe, expect, it } from '@jest/globals';
import {
  AT,
  catalogueOf,
  findingFacts,
  type KnownCatalogue,
  subject,
} from '../../../../../test/fixtures/domain/subjects.ts';
import { addRiskSums, EMPTY_RISK_SUM, riskSumOf } from '../group-score.ts';
import type { ScoringSubject } from '../scoring-facts.ts';
import { explainMove } from './explain-move.ts';

const CVE = 'CVE-2024-1111';
const OTHER_CVE = 'CVE-2024-2222';
const THIRD_CVE = 'CVE-2024-3333';
const failed = (id: string, cve: string) => findingFacts(id, { cves: [cve] });
const asset = (id: string, ...findings: Parameters<typeof subject>[0]) => subject(findings, { id });

const explain = (
  moves: [from: ScoringSubject | null, to: ScoringSubject | null][],
  {
    before = {},
    after = before,
    at = AT,
  }: { before?: KnownCatalogue; after?: KnownCatalogue; at?: number } = {},
) =>
  explainMove(
    moves.map(([from, to]) => ({ assetId: (from ?? to)!.asset.id, from, to })),
    { catalogue: catalogueOf(before), at: AT },
    { catalogue: catalogueOf(after), at },
  );

describe('what moved a score', () => {
  it('names a finding that came, one that was fixed and one that expired', async () => {
    const before = asset('a', failed('f1', CVE), { ...failed('f2', OTHER_CVE), activeUntil: AT + 1 });
    const after = asset(
      'a',
      { ...failed('f1', CVE), state: 'Qualified' },
      before.findings[1]!,
      findingFacts('f3', { techniques: ['T1059'] }),
    );
    const { from, to, causes } = await explain([[before, after]], { at: AT + 2 });
    expect([from, to]).toEqual([13.51, 7]);
    expect(causes.map(({ kind, id, what }) => [kind, id, what])).toEqual([
      ['finding', 'f1', 'Failed → Qualified'],
      ['finding', 'f2', 'Failed → Retired'],
      ['finding', 'f3', 'not there → Failed'],
    ]);
    expect(causes.every(({ share, id }) => (id === 'f3' ? share > 0 : share < 0))).toBe(true);
  });

  it('names an acceptance and its end', async () => {
    const open = asset('a', failed('f1', CVE));
    const accepted = asset('a', { ...failed('f1', CVE), state: 'AcceptedFailed' });
    const [begun, ended] = [await explain([[open, accepted]]), await explain([[accepted, open]])];
    expect(begun.causes).toEqual([
      {
        kind: 'acceptance',
        id: 'f1',
        assetId: 'a',
        name: 'Finding f1',
        what: 'Failed → AcceptedFailed',
        share: -7,
      },
    ]);
    expect(ended.causes).toMatchObject([{ kind: 'acceptance', what: 'AcceptedFailed → Failed', share: 7 }]);
  });

  it('sums a catalogue change up over all assets that it touched', async () => {
    const one = asset('a', failed('f1', CVE), failed('f2', OTHER_CVE));
    const other = asset('b', failed('f3', CVE));
    const { causes, difference } = await explain(
      [
        [one, one],
        [other, other],
      ],
      {
        before: { epss: { [CVE]: 0.1 } },
        after: { epss: { [CVE]: 0.1 }, kev: [CVE] },
      },
    );
    expect(causes).toEqual([
      {
        kind: 'catalogue',
        id: CVE,
        assetId: null,
        name: null,
        what: 'EPSS 0.1 of 2026-05-30 → EPSS 0.1 of 2026-05-30, in KEV since 2026-01-15',
        share: difference,
      },
    ]);
  });

  it('names what changed of an asset: criticality and, through severity, its requirements', async () => {
    const severity = { value: 5, version: null, vector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N' };
    const finding = findingFacts('f1', { cves: [CVE], severity });
    const { from, to, causes } = await explain([
      [
        subject([finding], { id: 'a', criticality: 'medium' }),
        subject([finding], { id: 'a', criticality: 'critical', confidentialityRequirement: 'high' }),
      ],
    ]);
    expect([from, to]).toEqual([4.9, 9]);
    expect(causes).toMatchObject([
      {
        kind: 'asset',
        id: 'a',
        share: 4.1,
        what: 'criticality medium → critical, confidentiality requirement not given → high',
      },
    ]);
  });

  it.each([
    ['confidentiality', 'C:H/I:N/A:N', { confidentialityRequirement: 'high' }],
    ['integrity', 'C:N/I:H/A:N', { integrityRequirement: 'high' }],
    ['availability', 'C:N/I:N/A:H', { availabilityRequirement: 'high' }],
  ] as const)('counts a new %s requirement as a change of the asset', async (name, impact, given) => {
    const severity = { value: 5, version: null, vector: `CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/${impact}` };
    const finding = findingFacts('f1', { cves: [CVE], severity });
    const { causes } = await explain([
      [subject([finding], { id: 'a' }), subject([finding], { id: 'a', ...given })],
    ]);
    expect(causes).toMatchObject([{ kind: 'asset', what: `${name} requirement not given → high`, share: 2 }]);
  });

  it('distinguishes a rise by a requirement of the asset from a fall by a fixed finding', async () => {
    const severity = { value: 5, version: null, vector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N' };
    const rising = findingFacts('f1', { cves: [CVE], severity });
    const { causes } = await explain([
      [
        subject([rising, failed('f2', OTHER_CVE)], { id: 'a' }),
        subject([rising, { ...failed('f2', OTHER_CVE), state: 'Qualified' }], {
          id: 'a',
          confidentialityRequirement: 'high',
        }),
      ],
    ]);
    expect(causes).toMatchObject([
      { kind: 'finding', id: 'f2' },
      { kind: 'asset', id: 'a' },
    ]);
    expect(causes.map(({ share }) => Math.sign(share))).toEqual([-1, 1]);
  });

  it('gives each cause points in proportion to its effect on the mean of fourth powers', async () => {
    const epss = { [CVE]: 0.8, [OTHER_CVE]: 0.1 };
    const a = asset('a', failed('f1', CVE));
    const fixed = asset('a', { ...failed('f1', CVE), state: 'Qualified' });
    const [b, c] = [asset('b', failed('f2', OTHER_CVE)), asset('c', failed('f3', OTHER_CVE))];
    const slope = (from: number, to: number) => (to ** 0.25 - from ** 0.25) / (to - from);
    const shareOf = (effect: number, of: number) => Number((effect * of).toFixed(2));

    const came = await explain(
      [
        [a, fixed],
        [null, b],
      ],
      { before: { epss } },
    );
    const rise = slope(80 ** 4, 10 ** 4 / 2);
    expect(came).toMatchObject({
      from: 80,
      to: 8.41,
      causes: [
        { id: 'f1', share: shareOf(-(80 ** 4), rise) },
        { id: 'b', share: shareOf(10 ** 4 / 2, rise) },
      ],
    });

    const d = asset('d', failed('f4', THIRD_CVE));
    const replaced = await explain(
      [
        [a, a],
        [null, b],
        [d, null],
      ],
      { before: { epss: { ...epss, [THIRD_CVE]: 0.4 } } },
    );
    const fall = slope((80 ** 4 + 40 ** 4) / 2, (80 ** 4 + 10 ** 4) / 2);
    expect(replaced.causes).toMatchObject([
      { id: 'b', what: 'the asset is new here', share: shareOf((10 ** 4 - 80 ** 4) / 2, fall) },
      { id: 'd', what: 'the asset is not here any more', share: shareOf((80 ** 4 - 40 ** 4) / 2, fall) },
    ]);

    const alike = await explain(
      [
        [a, a],
        [null, b],
        [c, null],
      ],
      { before: { epss } },
    );
    const mean = (80 ** 4 + 10 ** 4) / 2;
    const share = shareOf((80 ** 4 - 10 ** 4) / 2, mean ** 0.25 / (4 * mean));
    expect(alike).toMatchObject({
      difference: 0,
      causes: [
        { id: 'b', share: -share },
        { id: 'c', share },
      ],
    });
  });

  it('names the greatest share first, then by kind and id', async () => {
    const fixed = (one: ScoringSubject) => ({
      ...one,
      findings: one.findings.map((finding) => ({ ...finding, state: 'Qualified' as const })),
    });
    const assets = [
      asset('a', failed('f1', OTHER_CVE)),
      asset('b', failed('f4', CVE)),
      asset('c', failed('f3', CVE)),
      asset('d', failed('f2', CVE)),
    ];
    const { causes } = await explain(
      assets.map((one) => [one, fixed(one)]),
      { before: { epss: { [CVE]: 0.5, [OTHER_CVE]: 0.2 } } },
    );
    expect(causes.map(({ id }) => id)).toEqual(['f2', 'f3', 'f4', 'f1']);
  });

  it('does not name what moved the score by less than a hundredth', async () => {
    const big = asset('a', failed('f1', CVE));
    const small = asset('b', failed('f2', OTHER_CVE));
    const { causes, others } = await explain(
      [
        [big, big],
        [small, asset('b', { ...failed('f2', OTHER_CVE), state: 'Qualified' })],
      ],
      { before: { epss: { [CVE]: 0.9, [OTHER_CVE]: 0.01 } } },
    );
    expect(causes).toEqual([]);
    expect(others).toEqual({ causes: 0, share: 0 });
  });

  it('names the finding that carried a CVE, if another one with less severity stays', async () => {
    const low = { ...failed('f2', CVE), severity: { value: 2, version: null, vector: null } };
    const fixed = { ...failed('f1', CVE), state: 'Qualified' as const };
    const fell = await explain([[asset('a', failed('f1', CVE), low), asset('a', fixed, low)]]);
    expect(fell.causes).toMatchObject([{ id: 'f1', what: 'Failed → Qualified', share: -6 }]);
    const rose = await explain([[asset('a', fixed, low), asset('a', failed('f1', CVE), low)]]);
    expect(rose.causes).toMatchObject([{ id: 'f1', what: 'Qualified → Failed', share: 6 }]);
  });

  it('shows a rise and a fall that cancel out', async () => {
    const before = asset('a', failed('f1', CVE));
    const after = asset('a', failed('f2', OTHER_CVE));
    const { difference, causes } = await explain([[before, after]]);
    expect(difference).toBe(0);
    expect(causes.map(({ id, share }) => [id, share])).toEqual([
      ['f1', -6.75],
      ['f2', 6.75],
    ]);
  });

  it('does not name a finding if another one has the same CVE', async () => {
    const before = asset('a', failed('f1', CVE), failed('f2', CVE));
    const after = asset('a', { ...failed('f1', CVE), state: 'Qualified' }, failed('f2', CVE));
    expect(await explain([[before, after]])).toMatchObject({ difference: 0, causes: [] });
  });

  it('names assets that came and went, and what gave or took a score', async () => {
    const one = asset('a', failed('f1', CVE));
    const coming = await explain([[null, one]]);
    expect(coming).toMatchObject({ from: null, to: 7, difference: 7 });
    expect(coming.causes).toMatchObject([{ kind: 'asset', what: 'the asset is new here', share: 7 }]);
    expect((await explain([[one, null]])).causes).toMatchObject([
      { what: 'the asset is not here any more', share: -7 },
    ]);
    expect((await explain([[asset('a'), one]])).causes).toMatchObject([
      { kind: 'finding', what: 'the asset carries a valid mapping now', share: 7 },
    ]);
    const rejected = await explain([[one, one]], { after: { states: { [CVE]: 'REJECTED' } } });
    expect(rejected).toMatchObject({ from: 7, to: null });
    expect(rejected.causes).toMatchObject([
      { kind: 'catalogue', what: 'the asset no longer has a valid mapping', share: -7 },
    ]);
  });

  it('takes the assets that stayed as they were as a sum', async () => {
    const still = Array.from({ length: 20 }, (_, i) => asset(`s${i}`, failed(`f${i}`, OTHER_CVE)));
    const moved: [ScoringSubject, ScoringSubject] = [
      asset('a', failed('f1', CVE)),
      asset('a', { ...failed('f1', CVE), state: 'Qualified' }),
    ];
    const known = { epss: { [CVE]: 0.8 } };
    const whole = await explain(
      [...still.map((one): [ScoringSubject, ScoringSubject] => [one, one]), moved],
      { before: known },
    );
    const unchanged = still
      .map(() => riskSumOf({ score: 7, breachLikelihood: 0.07 }))
      .reduce(addRiskSums, EMPTY_RISK_SUM);
    const moment = { catalogue: catalogueOf(known), at: AT };
    const partly = await explainMove([{ assetId: 'a', from: moved[0], to: moved[1] }], moment, moment, {
      unchanged,
    });
    expect(partly).toEqual(whole);
    expect(partly.causes).toHaveLength(1);
  });
});

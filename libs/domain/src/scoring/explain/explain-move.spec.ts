import { describe, expect, it } from '@jest/globals';
import { addRiskSums, EMPTY_RISK_SUM, riskSumOf } from '../group-score.ts';
import type { ScoringSubject } from '../scoring-facts.ts';
import { AT, catalogueOf, findingFacts, type KnownCatalogue, subject } from '../testing/subjects.ts';
import { explainMove } from './explain-move.ts';

const CVE = 'CVE-2024-1111';
const OTHER_CVE = 'CVE-2024-2222';
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

  it('does not name a finding that another one of the same CVE stands in for', async () => {
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
      { kind: 'catalogue', what: 'the asset carries no valid mapping any more', share: -7 },
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

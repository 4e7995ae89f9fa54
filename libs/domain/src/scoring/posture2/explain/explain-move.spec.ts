import { describe, expect, it } from '@jest/globals';
import { AT } from '../../../../../../test/fixtures/domain/subjects.ts';
import {
  assessedFinding,
  type KnownThreats,
  threatCatalogueOf,
  threatenedSubject,
} from '../../../../../../test/fixtures/domain/threatened-subjects.ts';
import { assetRisk } from '../asset-risk.ts';
import { assetThreats } from '../asset-threats.ts';
import type { AssessedFinding, ThreatenedAsset, ThreatenedSubject } from '../facts.ts';
import { addGroupSums, EMPTY_GROUP_SUMS, groupSumsOf } from '../group-risk.ts';
import { DEFAULT_TARGETING } from '../targeting.ts';
import { explainMove, type ThreatMoveOptions } from './explain-move.ts';

const CVE = 'CVE-2024-1111';
const OTHER_CVE = 'CVE-2024-2222';
const DAY_MS = 86_400_000;
const NETWORK = { value: 9.8, version: null, vector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H' };

const hole = (id: string, given: Partial<AssessedFinding> = {}) =>
  assessedFinding(id, { cves: [CVE], severity: NETWORK, activeUntil: AT + 900 * DAY_MS, ...given });
const control = (id: string, given: Partial<AssessedFinding> = {}) =>
  assessedFinding(id, { type: 'ca', techniques: ['T1190'], activeUntil: AT + 900 * DAY_MS, ...given });
const detection = (id: string, given: Partial<AssessedFinding> = {}) =>
  assessedFinding(id, { type: 'edr', techniques: ['T1486'], activeUntil: AT + 900 * DAY_MS, ...given });
const passed = { state: 'Qualified', lastVerdict: 'passed' } as const;
const asset = (id: string, findings: AssessedFinding[], given: Partial<ThreatenedAsset> = {}) =>
  threatenedSubject(findings, { id, ...given });

interface Given extends ThreatMoveOptions {
  before?: KnownThreats;
  after?: KnownThreats;
  days?: number;
}

const explain = (
  moves: [from: ThreatenedSubject | null, to: ThreatenedSubject | null][],
  { before = { kev: [CVE] }, after = before, days = 0, ...options }: Given = {},
) =>
  explainMove(
    moves.map(([from, to]) => ({ assetId: (from ?? to)!.asset.id, from, to })),
    { catalogue: threatCatalogueOf(before), at: AT },
    { catalogue: threatCatalogueOf(after), at: AT + days * DAY_MS },
    options,
  );

const words = ({ causes }: Awaited<ReturnType<typeof explain>>) =>
  causes.map(({ kind, id, what }) => [kind, id, what]);

describe('what moved a score of posture-2', () => {
  it('names findings that came, were fixed, were accepted and expired', async () => {
    const others = ['CVE-2024-3333', 'CVE-2024-4444', 'CVE-2024-5555'];
    const before = asset('a', [
      hole('f1'),
      hole('f2', { cves: [others[0]!] }),
      hole('f3', { cves: [others[1]!], activeUntil: AT + DAY_MS }),
    ]);
    const after = asset('a', [
      hole('f1', passed),
      hole('f2', { cves: [others[0]!], state: 'AcceptedFailed' }),
      before.findings[2]!,
      hole('f4', { cves: [others[2]!] }),
    ]);
    const told = await explain([[before, after]], { before: { kev: [CVE, ...others] }, days: 2 });
    expect(words(told).sort()).toEqual([
      ['acceptance', 'f2', 'Failed → AcceptedFailed'],
      ['finding', 'f1', 'Failed → Qualified'],
      ['finding', 'f3', 'Failed → Retired'],
      ['finding', 'f4', 'not there → Failed'],
    ]);
    for (const { id, share } of told.causes) expect(Math.sign(share)).toBe(id === 'f4' ? 1 : -1);
  });

  it('names a control as the cause of a change in another finding’s hazard', async () => {
    const before = asset('a', [hole('f1'), control('c1', passed)]);
    const after = asset('a', [hole('f1'), control('c1')]);
    const rose = await explain([[before, after]]);
    expect(rose.causes[0]).toMatchObject({ kind: 'control', id: 'c1', what: 'passes → fails', assetId: 'a' });
    // As a weakness of its own, it is below a hundredth.
    expect(rose.causes).toHaveLength(1);
    const fell = await explain([[after, before]]);
    expect(fell.causes[0]).toMatchObject({ kind: 'control', id: 'c1', what: 'fails → passes' });
    expect(fell.difference).toBe(-rose.difference);
    expect(fell.causes[0]!.share).toBeLessThan(0);
  });

  it('names the control that prevails, and the smallest id of several', async () => {
    const before = asset('a', [hole('f1'), control('c1', passed)]);
    const after = asset('a', [hole('f1'), control('c1', passed), control('c3'), control('c2')]);
    const { causes } = await explain([[before, after]]);
    expect(causes[0]).toMatchObject({ kind: 'control', id: 'c2', what: 'neither passes nor fails → fails' });
  });

  it('names a control that covers other techniques', async () => {
    const before = asset('a', [hole('f1'), control('c1', { ...passed, techniques: ['T1082'] })]);
    const after = asset('a', [hole('f1'), control('c1', passed)]);
    expect(words(await explain([[before, after]]))).toEqual([
      ['control', 'c1', 'passes as before, for other techniques'],
    ]);
  });

  it('names the age of a detection apart from its closing', async () => {
    const closed = (closedAt: number) => detection('f1', { detections: [{ state: 'resolved', closedAt }] });
    const open = detection('f1', { detections: [{ state: 'confirmed', closedAt: null }] });
    const aged = await explain([[asset('a', [closed(AT)]), asset('a', [closed(AT)])]], { days: 20 });
    expect(words(aged)).toEqual([['age', 'f1', 'closed 0 → 2 weeks ago']]);
    const both = await explain([[asset('a', [open]), asset('a', [closed(AT + DAY_MS)])]], { days: 20 });
    expect(both.causes.map(({ kind, id }) => [kind, id])).toEqual([
      ['finding', 'f1'],
      ['age', 'f1'],
    ]);
    for (const { share } of both.causes) expect(share).toBeLessThan(0);
  });

  it('sums a catalogue change up over all assets that it touched', async () => {
    const one = asset('a', [hole('f1')]);
    const other = asset('b', [hole('f2')]);
    const told = await explain(
      [
        [one, one],
        [other, other],
      ],
      { before: { epss: { [CVE]: 0.1 } }, after: { epss: { [CVE]: 0.1 }, ransomware: [CVE] } },
    );
    expect(told.causes).toEqual([
      {
        kind: 'catalogue',
        id: CVE,
        assetId: null,
        name: null,
        what: 'EPSS 0.1 of 2026-05-30 → EPSS 0.1 of 2026-05-30, in KEV since 2026-01-15, used by ransomware',
        share: told.difference,
      },
    ]);
  });

  it.each<[string, string, KnownThreats, KnownThreats]>([
    ['a CVE', CVE, { mapped: {} }, { mapped: { [CVE]: ['T1059'] } }],
    ['a technique of a control', 'T1082', {}, { mitigations: { T1190: ['M1'], T1082: ['M1'] } }],
    ['a technique', 'T1486', {}, { techniques: { T1190: [], T1082: [], T1486: ['discovery'] } }],
  ])('names %s of which the catalogues state something else', async (_, id, before, after) => {
    const one = asset('a', [
      hole('f1'),
      control('c1', { ...passed, techniques: [id === CVE ? 'T1059' : 'T1082'] }),
      ...(id === 'T1486' ? [detection('f2')] : []),
    ]);
    const known = id === 'T1082' ? { ...before, mitigations: { T1190: ['M1'] } } : before;
    const { causes } = await explain([[one, one]], { before: known, after });
    expect(causes.map((cause) => [cause.kind, cause.id])).toEqual([['catalogue', id]]);
  });

  it('names what changed of an asset', async () => {
    const before = asset('a', [hole('f1')], { criticality: 'low' });
    const after = asset('a', [hole('f1')], { attackSurface: 'DMZ', ipAddresses: ['203.0.113.9'] });
    expect(words(await explain([[before, after]]))).toEqual([
      ['asset', 'a', 'criticality low → critical, attack surface Servers → DMZ, public address no → yes'],
    ]);
    const managed = asset('a', [hole('f1')], { isEdrManaged: true });
    expect(words(await explain([[asset('a', [hole('f1')]), managed]]))).toEqual([
      ['asset', 'a', 'managed by EDR no → yes'],
    ]);
  });

  it('names the finding that changes, not the one that carries the CVE', async () => {
    const carrier = hole('f1', {
      severity: { ...NETWORK, vector: NETWORK.vector.replace('C:H/I:H/A:H', 'C:L/I:N/A:N') },
    });
    const small = hole('f2', { severity: { value: 2, version: null, vector: null } });
    const great = hole('f2', { severity: { value: 9, version: null, vector: null } });
    const told = await explain([[asset('a', [carrier, small]), asset('a', [carrier, great])]]);
    expect(words(told)).toEqual([
      ['finding', 'f2', 'Failed as before, with another severity or other mappings'],
    ]);
    expect(told.difference).toBeGreaterThan(0);
  });

  it('gives a hole that became known and was fixed no more than the scores with it', async () => {
    const before = asset('a', [hole('f1')]);
    const told = await explain([[before, asset('a', [hole('f1', passed)])]], {
      before: { epss: { [CVE]: 0.0001 } },
      after: { ransomware: [CVE] },
    });
    expect(told.to).toBe(0);
    expect(told.causes.map(({ kind }) => kind)).toEqual(['finding', 'catalogue']);
    for (const { share } of told.causes) expect(Math.abs(share)).toBeLessThan(60);
  });

  it('names assets that came and went; one without a score lowers its group', async () => {
    const [one, other] = [asset('a', [hole('f1')]), asset('b', [hole('f2')])];
    const bare = asset('c', []);
    const alone = await explain([[null, one]]);
    expect(alone).toMatchObject({ from: null, difference: alone.to });
    expect(words(alone)).toEqual([['asset', 'a', 'the asset is new here']]);
    const joined = await explain([
      [one, one],
      [null, bare],
    ]);
    expect(joined.difference).toBeLessThan(0);
    expect(words(joined)).toEqual([['asset', 'c', 'the asset is new here']]);
    const left = await explain([
      [one, one],
      [bare, null],
    ]);
    expect(left.difference).toBe(-joined.difference);
    expect(words(left)).toEqual([['asset', 'c', 'the asset is not here any more']]);
    const equal = await explain([
      [one, one],
      [null, other],
    ]);
    expect(equal).toMatchObject({ difference: 0, causes: [] });
  });

  it('explains the first valid mapping of an asset by its finding', async () => {
    const told = await explain([[asset('a', []), asset('a', [hole('f1')])]]);
    expect(told).toMatchObject({ from: null, causes: [{ kind: 'finding', id: 'f1', share: told.to }] });
    const rejected = await explain([[asset('a', [hole('f1')]), asset('a', [hole('f1')])]], {
      after: { kev: [CVE], states: { [CVE]: 'REJECTED' } },
    });
    expect(rejected).toMatchObject({ to: null, causes: [{ kind: 'catalogue', id: CVE }] });
  });

  it('shows a rise and a fall that cancel out', async () => {
    const told = await explain(
      [[asset('a', [hole('f1')]), asset('a', [hole('f2', { cves: [OTHER_CVE] })])]],
      { before: { kev: [CVE, OTHER_CVE] } },
    );
    expect(told.difference).toBe(0);
    expect(told.causes.map(({ id }) => id)).toEqual(['f1', 'f2']);
    expect(told.causes[0]!.share).toBe(-told.causes[1]!.share);
    expect(told.causes[1]!.share).toBeGreaterThan(1);
  });

  it('takes the assets that stayed as they were as a sum', async () => {
    const still = Array.from({ length: 20 }, (_, i) => asset(`s${i}`, [hole(`h${i}`)]));
    const moved: [ThreatenedSubject, ThreatenedSubject] = [
      asset('a', [hole('f1'), detection('f2')]),
      asset('a', [hole('f1'), detection('f2', { state: 'Qualified', detections: [] })]),
    ];
    const whole = await explain([...still.map((one): typeof moved => [one, one]), moved]);
    const unchanged = still
      .map(({ asset: given, findings }) => {
        const threats = assetThreats({ asset: given, findings }, threatCatalogueOf({ kev: [CVE] }), AT);
        return groupSumsOf(assetRisk(threats, given, DEFAULT_TARGETING));
      })
      .reduce(addGroupSums, EMPTY_GROUP_SUMS);
    expect(await explain([moved], { unchanged })).toEqual(whole);
    expect(whole.causes).toHaveLength(1);
  });

  it('distinguishes a bounded number of causes, the greatest ones, and sums the rest up', async () => {
    const cves = Array.from({ length: 30 }, (_, i) => `CVE-2024-${3000 + i}`);
    const epss = Object.fromEntries(cves.map((cve, i) => [cve, (i + 1) / 100]));
    const moves = cves.map((cve, i): [ThreatenedSubject, ThreatenedSubject] => [
      asset(`a${i}`, [hole(`f${i}`, { cves: [cve], state: 'AcceptedFailed' })]),
      asset(`a${i}`, [hole(`f${i}`, { cves: [cve] })]),
    ]);
    const all = await explain(moves, { before: { epss } });
    expect(all.causes).toHaveLength(30);
    const few = await explain(moves, { before: { epss }, distinguished: 5 });
    expect(few.causes.map(({ id }) => id)).toEqual(all.causes.slice(0, 5).map(({ id }) => id));
    expect(few.others.causes).toBe(25);
    const sum = few.causes.reduce((total, { share }) => total + Math.round(share * 100), 0);
    expect(sum + Math.round(few.others.share * 100)).toBe(Math.round(all.difference * 100));
    expect(await explain(moves.toReversed(), { before: { epss }, distinguished: 5 })).toEqual(few);
    const together = new Set(cves.slice(0, 10).map((_, i) => `f${i}`));
    const joint = await explain(moves, { before: { epss }, together });
    expect(joint.together).toBeGreaterThan(0);
    expect(joint.causes).toHaveLength(20);
    const fewJoint = await explain(moves, { before: { epss }, together, distinguished: 5 });
    expect([fewJoint.together, fewJoint.causes.length]).toEqual([joint.together, 5]);
    const came = await explain(
      moves.map(([, to]): [null, ThreatenedSubject] => [null, to]),
      { before: { epss }, distinguished: 5 },
    );
    expect(came.others.causes).toBe(25);
    const joined = came.causes.reduce((total, { share }) => total + Math.round(share * 100), 0);
    expect(joined + Math.round(came.others.share * 100)).toBe(Math.round(came.difference * 100));
  });
});

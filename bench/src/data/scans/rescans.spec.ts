import { expect, it } from '@jest/globals';
import { createRandom } from '#libs/sample-data';
import { type ScannedMachine, scannedMachines } from './machines.ts';
import { rescan, slices } from './rescans.ts';

const SCANNED_AT = Date.parse('2026-01-02T00:00:00Z');
const SEEN_AT = Date.parse('2026-01-02T12:00:00Z');
const machines = [...scannedMachines(2_000, SCANNED_AT)];
const signalsOf = (scanned: ScannedMachine[]) =>
  scanned.flatMap(({ signals }) => signals.map(({ content }) => JSON.parse(content.toString())));

it('changes one finding in ten and says how many, all with a new id and time', () => {
  const { machines: again, signals, changed } = rescan(machines, createRandom('day'), SEEN_AT);
  const before = signalsOf(machines);
  const after = signalsOf(again);
  expect(signals).toBe(before.length);
  expect(after).toHaveLength(before.length);
  const flipped = after.filter(
    ({ securityContext }, i) =>
      securityContext.status.complianceStatus !== before[i].securityContext.status.complianceStatus,
  );
  expect(flipped).toHaveLength(changed);
  expect(changed / signals).toBeGreaterThan(0.08);
  expect(changed / signals).toBeLessThan(0.12);
  for (const [i, { id, lastSeen, securityContext, ...rest }] of after.entries()) {
    const { id: idBefore, lastSeen: _, securityContext: context, ...restBefore } = before[i];
    expect(rest).toEqual(restBefore);
    expect({ ...securityContext, status: null }).toEqual({ ...context, status: null });
    expect(id).not.toBe(idBefore);
    expect(lastSeen).toBe('2026-01-02T12:00:00.000Z');
  }
});

it('slices so that each machine is in one slice', () => {
  const cut = [...slices(machines, 7)];
  expect(cut).toHaveLength(7);
  expect(cut.flat()).toEqual(machines);
  const sizes = cut.map(({ length }) => length);
  expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1);
  expect([...slices([1, 2], 5)]).toEqual([[1], [2]]);
});

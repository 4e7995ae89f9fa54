import { describe, expect, it } from '@jest/globals';
import { scannedMachines } from './scans/machines.ts';
import { machinesWith, take } from './take.ts';

const SCANNED_AT = Date.parse('2026-01-02T00:00:00Z');

describe('take', () => {
  it('leaves the rest', () => {
    const numbers = [1, 2, 3].values();
    expect([take(numbers, 2), take(numbers, 2), take(numbers, 2)]).toEqual([[1, 2], [3], []]);
  });
});

describe('machinesWith', () => {
  it('keeps the rest, and loses none between two calls', () => {
    const machines = () => scannedMachines(500, SCANNED_AT);
    const names = [...machines()].map(({ name }) => name);
    const source = machines();
    const [first, second] = [[...machinesWith(source, 200)], [...machinesWith(source, 10_000)]];
    expect(first.reduce((sum, { signals }) => sum + signals.length, 0)).toBeGreaterThanOrEqual(200);
    expect(second).not.toEqual([]);
    expect([...first, ...second].map(({ name }) => name)).toEqual(names);
  });
});

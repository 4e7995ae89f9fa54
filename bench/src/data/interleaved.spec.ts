import { describe, expect, it } from '@jest/globals';
import { interleaved } from './interleaved.ts';
import { scannedMachines } from './scans/machines.ts';
import { take } from './take.ts';

const FINDINGS = 1_000;
const SCANNED_AT = Date.parse('2026-01-02T00:00:00Z');
const nameIn = (signal: Buffer): string => JSON.parse(signal.toString()).entity.name;

describe('interleaved', () => {
  it('has every signal once', () => {
    const all = [...scannedMachines(FINDINGS, SCANNED_AT)].flatMap(({ signals }) =>
      signals.map(({ content }) => content.toString()),
    );
    const inTurns = [...interleaved(scannedMachines(FINDINGS, SCANNED_AT))].map(String);
    expect(inTurns.toSorted()).toEqual(all.toSorted());
  });

  it('begins with another machine each', () => {
    const machines = [...scannedMachines(FINDINGS, SCANNED_AT)].length;
    const first = take(interleaved(scannedMachines(FINDINGS, SCANNED_AT)), machines);
    expect(new Set(first.map(nameIn)).size).toBe(machines);
  });
});

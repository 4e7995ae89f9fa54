import { describe, expect, it } from '@jest/globals';
import { scannedMachines } from './machines.ts';
import { VULNERABILITY_COUNT } from './vulnerabilities.ts';

const SCANNED_AT = Date.parse('2026-01-02T00:00:00Z');

describe('a machine with more findings than there are vulnerabilities', () => {
  const many = 2 * VULNERABILITY_COUNT + 5;
  const spread = { findingsMin: many, findingsMax: many };
  const [machine] = [...scannedMachines(many, SCANNED_AT, 'spec', spread)];

  it('has a name for each, so that each is a separate finding', () => {
    const names = machine!.signals.map(({ content }) => JSON.parse(content.toString()).name);
    expect(new Set(names).size).toBe(many);
  });

  it('has an entry for each', () =>
    expect(new Set(machine!.signals.map(({ entryName }) => entryName)).size).toBe(many));
});

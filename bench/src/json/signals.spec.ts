import { describe, expect, it } from '@jest/globals';
import { jsonSignals } from './signals.ts';

const COUNT = 500;

const nameOf = (body: Buffer): string => JSON.parse(body.toString()).entity.name;
const findingOf = (body: Buffer): string => `${nameOf(body)} ${JSON.parse(body.toString()).name}`;

describe('jsonSignals', () => {
  const { warming, counted } = jsonSignals(COUNT);

  it('are as many as asked for, with those that warm up before them', () => {
    expect(counted).toHaveLength(COUNT);
    expect(warming.length).toBeGreaterThan(0);
  });

  it('are of a finding of its own each', () => {
    const findings = [...warming, ...counted].map(findingOf);
    expect(new Set(findings).size).toBe(findings.length);
  });

  it('go to many machines in turn', () => {
    const atOnce = counted.slice(0, 64).map(nameOf);
    expect(new Set(atOnce).size).toBe(atOnce.length);
  });
});

import { describe, expect, it } from '@jest/globals';
import { jsonSignals } from './signals.ts';

const COUNT = 500;

const nameOf = (body: Buffer): string => JSON.parse(body.toString()).entity.name;
const findingOf = (body: Buffer): string => `${nameOf(body)} ${JSON.parse(body.toString()).name}`;

describe('jsonSignals', () => {
  const { warming, counted } = jsonSignals(COUNT);

  it('are as many as requested, after the warm-up signals', () => {
    expect(counted).toHaveLength(COUNT);
    expect(warming.length).toBeGreaterThan(0);
  });

  it('are each of a different finding', () => {
    const findings = [...warming, ...counted].map(findingOf);
    expect(new Set(findings).size).toBe(findings.length);
  });

  it('alternate between many machines', () => {
    const atOnce = counted.slice(0, 64).map(nameOf);
    expect(new Set(atOnce).size).toBe(atOnce.length);
  });
});

import { describe, expect, it } from '@jest/globals';
import { attackTechnique } from '#libs/catalogue';
import { type DemoSignal, type DemoSize, demoUploads } from './demo-uploads.ts';

const SIZE: DemoSize = { seed: 'halden', machines: 300, users: 40, secondDay: Date.UTC(2026, 4, 31) };

const generated = (size: DemoSize) => demoUploads(size).map(({ signals }) => [...signals()].flat());

const [dayOne, delta, rescan] = generated(SIZE) as [DemoSignal[], DemoSignal[], DemoSignal[]];
const all = [...dayOne, ...delta, ...rescan];
const parsed = (signal: DemoSignal) => JSON.parse(signal.content.toString());
const contextsOf = (signal: DemoSignal) => {
  const { securityContext, securityContexts } = parsed(signal);
  return securityContexts ?? [securityContext];
};
const findingOf = (signal: DemoSignal) =>
  `${signal.entityKey} ${contextsOf(signal)[0].type} ${parsed(signal).name}`;
const statusOf = (signal: DemoSignal) => contextsOf(signal)[0].status?.complianceStatus;

describe('the demo organization', () => {
  it('has 300 machines, 40 users and about 6,000 signals', () => {
    const entities = [...new Set(dayOne.map(({ entityKey }) => entityKey))];
    expect(entities.filter((key) => key.startsWith('machine:'))).toHaveLength(300);
    expect(entities.filter((key) => key.startsWith('user:'))).toHaveLength(40);
    expect(all.length).toBeGreaterThan(5500);
    expect(all.length).toBeLessThan(6500);
  });

  it('is the same for the same seed and day, and another for another seed', () => {
    const small = { ...SIZE, machines: 20, users: 4 };
    const bytes = (size: DemoSize) =>
      Buffer.concat(
        generated(size)
          .flat()
          .map(({ content }) => content),
      );
    expect(bytes(small).equals(bytes({ ...small }))).toBe(true);
    expect(bytes(small).equals(bytes({ ...small, seed: 'other' }))).toBe(false);
  });

  it('has every kind of finding but no two signals of one finding on a day (R-FIND-1)', () => {
    const types = new Set(dayOne.map((signal) => contextsOf(signal)[0].type));
    expect([...types].sort()).toEqual(['ca', 'edr', 'finding', 'others', 'uba', 'va', 'waf']);
    expect(new Set(dayOne.map(findingOf)).size).toBe(dayOne.length);
  });

  it('uses singular and plural contexts, ports, detections and a few signals that have expired', () => {
    const signals = dayOne.map(parsed);
    expect(signals.filter(({ securityContexts }) => securityContexts?.length > 1).length).toBeGreaterThan(50);
    expect(signals.filter(({ tags }) => tags?.port).length).toBeGreaterThan(100);
    const detections = dayOne.flatMap(contextsOf).filter(({ tags }) => tags?.detectionId);
    expect(detections.length).toBeGreaterThan(50);
    const scannedAt = SIZE.secondDay - 86_400_000;
    const expired = signals.filter(({ expiresAt }) => expiresAt && Date.parse(expiresAt) < scannedAt);
    expect(expired.length).toBeGreaterThan(0);
    expect(expired.length).toBeLessThan(20);
  });

  it('differs widely between assets: most have a low score, a few a high one', () => {
    const failing = new Map(dayOne.map(({ entityKey }) => [entityKey, 0]));
    for (const signal of dayOne) {
      if (contextsOf(signal)[0].type === 'va' && statusOf(signal) === 'fail') {
        failing.set(signal.entityKey, failing.get(signal.entityKey)! + 1);
      }
    }
    const counts = [...failing.values()].sort((a, b) => a - b);
    expect(counts[counts.length >> 1]).toBeLessThanOrEqual(4);
    expect(counts.at(-1)).toBeGreaterThanOrEqual(20);
  });

  it('fixes, adds and repeats findings on the second day', () => {
    const before = new Map(dayOne.map((signal) => [findingOf(signal), statusOf(signal)]));
    const known = delta.filter((signal) => before.has(findingOf(signal)));
    const fixed = known.filter(
      (signal) => statusOf(signal) === 'pass' && before.get(findingOf(signal)) === 'fail',
    );
    const repeated = known.filter((signal) => statusOf(signal) === 'fail');
    expect(fixed.length).toBeGreaterThan(50);
    expect(repeated.length).toBeGreaterThan(50);
    expect(delta.length - known.length).toBeGreaterThan(50);
  });

  it('scans a few hosts again, which keep fewer findings and no delta findings (R-ZIP-10)', () => {
    const hosts = new Set(rescan.map(({ entityKey }) => entityKey));
    expect(hosts.size).toBeGreaterThanOrEqual(3);
    expect(hosts.size).toBeLessThanOrEqual(5);
    expect(delta.some(({ entityKey }) => hosts.has(entityKey))).toBe(false);
    const before = dayOne.filter(
      (signal) => hosts.has(signal.entityKey) && contextsOf(signal)[0].type === 'va',
    );
    expect(rescan.length).toBeLessThan(before.length);
    expect(demoUploads(SIZE)[2]!.config).toEqual({ fullAssessmentForTypes: ['va'] });
  });

  it('names only ATT&CK techniques that exist and are not revoked or deprecated (R-SCORE-1)', () => {
    const used = all.flatMap(contextsOf).flatMap(({ attackPattern }) => attackPattern ?? []);
    expect(used.length).toBeGreaterThan(1000);
    for (const id of new Set<string>(used.map(({ mapping }) => mapping.techniqueId))) {
      expect(attackTechnique(id)).toMatchObject({ id, revoked: false, deprecated: false });
    }
  });
});

import { expect, it } from '@jest/globals';
import type { DemoSignal } from './demo-uploads.ts';
import { pastScans } from './past-scans.ts';

const DAY_MS = 86_400_000;
const SIZE = { seed: 'halden', machines: 40, users: 8, secondDay: Date.UTC(2026, 4, 31) };

const signalsOf = (days: number, size = SIZE) =>
  pastScans(size, days).map((scan) => ({ ...scan, signals: [...scan.signals()].flat() }));
const scans = signalsOf(90);

/** Entity, type and name of what fails in a scan. */
const failing = (signals: readonly DemoSignal[]) =>
  new Set(
    signals.flatMap(({ entityKey, content }) => {
      const text = content.toString();
      const { name, securityContext, securityContexts } = JSON.parse(text);
      const { type } = securityContext ?? securityContexts[0];
      return text.includes('"fail"') || text.includes('"Failed"') ? [`${entityKey} ${type} ${name}`] : [];
    }),
  );

it('is a scan for each week, oldest first, in the given days', () => {
  expect(scans.map(({ day }) => (SIZE.secondDay - day) / DAY_MS)).toEqual(
    Array.from({ length: 12 }, (_, i) => (12 - i) * 7),
  );
  expect(pastScans(SIZE, 365)).toHaveLength(52);
  expect(pastScans(SIZE, 7)).toHaveLength(1);
});

it('is the same for the same seed, and another for another', () => {
  const bytes = (size: typeof SIZE) =>
    Buffer.concat(signalsOf(21, size).flatMap((scan) => scan.signals.map(({ content }) => content)));
  const small = { ...SIZE, machines: 10, users: 2 };
  expect(bytes(small).equals(bytes({ ...small }))).toBe(true);
  expect(bytes(small).equals(bytes({ ...small, seed: 'other' }))).toBe(false);
});

it('has new findings, fixes, and findings that return after a fix', () => {
  const weeks = scans.map(({ signals }) => failing(signals));
  const all = new Set(weeks.flatMap((week) => [...week]));
  const [first, last] = [weeks[0]!, weeks.at(-1)!];
  expect([...all].filter((one) => !first.has(one)).length).toBeGreaterThan(20);
  expect([...all].filter((one) => !last.has(one)).length).toBeGreaterThan(20);
  const returned = [...all].filter((one) => {
    const present = weeks.map((week) => week.has(one));
    return present.lastIndexOf(true) - present.indexOf(true) + 1 > present.filter(Boolean).length;
  });
  expect(returned.length).toBeGreaterThan(5);
});

it('says nothing of the future', () => {
  for (const { day, signals } of scans) {
    for (const { content } of signals) {
      const { firstSeen, lastSeen } = JSON.parse(content.toString());
      expect(Date.parse(firstSeen)).toBeLessThanOrEqual(Date.parse(lastSeen));
      expect(Date.parse(lastSeen)).toBeLessThan(day + DAY_MS / 4);
    }
  }
});

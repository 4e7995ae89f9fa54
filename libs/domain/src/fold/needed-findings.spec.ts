import { expect, it } from '@jest/globals';
import { DAY_MS, Scenario, signal, T0, upload } from '../../../../test/support/scenario.ts';
import { neededFindings } from './needed-findings.ts';
import { addUnread } from './unread-findings.ts';

const NAMES = ['a', 'b', 'c', 'd'];
const signals = () => NAMES.map((name) => signal(name, 'fail', { expiresAt: T0 + DAY_MS }));

/** An asset whose findings are not read. */
function stored(): Scenario {
  const scenario = new Scenario();
  scenario.fold(...upload(1, T0, signals()));
  const asset = scenario.entity.assets[0]!;
  const known = [...asset.findings.values()];
  asset.findings.clear();
  for (const { finding, seen } of known) {
    addUnread(asset, { number: finding.number, digest: finding.name, seen, id: null });
  }
  return scenario;
}

const needed = ({ partition, entity }: Scenario, at: number) =>
  neededFindings(
    partition,
    entity,
    upload(2, at, signals()).map((event) => ({ event, digestOf: () => null })),
  );

it('names each finding once that is due at the time of many signals', () => {
  const [one, ...others] = needed(stored(), T0 + 2 * DAY_MS);
  expect(others).toEqual([]);
  expect(one!.unread.map(({ number }) => number)).toEqual([1, 2, 3, 4]);
  expect(one!.ids).toHaveLength(NAMES.length);
});

it('names none as due before that', () => {
  const [one] = needed(stored(), T0 + 1);
  expect(one!.unread).toEqual([]);
  expect(one!.ids).toHaveLength(NAMES.length);
});

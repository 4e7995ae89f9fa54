import { expect, it } from '@jest/globals';
import { BrokerClock } from './broker-clock.ts';

const OWN = 1_700_000_000_000;

it('returns the broker that differs most, and forgets readings older than a minute', () => {
  let now = 0;
  const brokers = new BrokerClock(() => now);
  expect(brokers.furthest(OWN)).toBeNull();
  brokers.note(0, OWN - 3, 5);
  brokers.note(1, OWN + 80_000, 10_000);
  brokers.note(2, OWN - 71_000, 1_000);
  expect(brokers.furthest(OWN)).toEqual({ min: -90_000, max: -80_000 });
  brokers.note(1, OWN - 1, 2);
  expect(brokers.furthest(OWN)).toEqual({ min: 70_000, max: 71_000 });
  now = 59_999;
  brokers.note(0, OWN + now - 3, 5);
  now = 60_001;
  expect(brokers.furthest(OWN + now)).toEqual({ min: -2, max: 3 });
});

it('follows the own clock: a reading from before it was set right says nothing against it', () => {
  let now = 0;
  const brokers = new BrokerClock(() => now);
  brokers.note(0, OWN, 4);
  const days = 120 * 86_400_000;
  expect(brokers.furthest(OWN - days)).toEqual({ min: -days - 4, max: -days });
  now = 1_000;
  expect(brokers.furthest(OWN + now)).toEqual({ min: -4, max: 0 });
});

import { expect, it } from '@jest/globals';
import { BrokerClock } from './broker-clock.ts';

it('says the broker that is furthest off, and forgets what none has said for a minute', () => {
  let now = 0;
  const brokers = new BrokerClock(() => now);
  expect(brokers.furthest()).toBeNull();
  brokers.note(0, { min: -2, max: 3 });
  brokers.note(1, { min: -90_000, max: -80_000 });
  brokers.note(2, { min: 70_000, max: 71_000 });
  expect(brokers.furthest()).toEqual({ min: -90_000, max: -80_000 });
  brokers.note(1, { min: -1, max: 1 });
  expect(brokers.furthest()).toEqual({ min: 70_000, max: 71_000 });
  now = 59_999;
  brokers.note(0, { min: -2, max: 3 });
  now = 60_001;
  expect(brokers.furthest()).toEqual({ min: -2, max: 3 });
});

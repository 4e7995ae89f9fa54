import { expect, it } from '@jest/globals';
import { entityBytes } from './loaded-entity.ts';

it('counts three bytes for a character of JSON, and a kilobyte for the entity', () => {
  expect([entityBytes(0), entityBytes(1000)]).toEqual([1024, 4024]);
});

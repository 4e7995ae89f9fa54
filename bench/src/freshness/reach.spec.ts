import { describe, expect, it } from '@jest/globals';
import { reachedAt, type Sighting } from './reach.ts';

const SIGHTINGS: Sighting[] = [
  { at: 10, visible: [0, 0], scored: [] },
  { at: 20, visible: [5, 0], scored: [0, 0] },
  { at: 30, visible: [5, 2], scored: [5, 0] },
  { at: 40, visible: [9, 3], scored: [5, 2] },
];

describe('reachedAt', () => {
  it('is the first look that saw the change', () => {
    expect(reachedAt(SIGHTINGS, 'visible', [{ partition: 0, sequence: 4 }])).toBe(20);
    expect(reachedAt(SIGHTINGS, 'visible', [{ partition: 0, sequence: 5 }])).toBe(20);
    expect(reachedAt(SIGHTINGS, 'visible', [{ partition: 0, sequence: 6 }])).toBe(40);
    expect(reachedAt(SIGHTINGS, 'scored', [{ partition: 0, sequence: 5 }])).toBe(30);
  });

  it('waits for every partition of an upload', () => {
    const changes = [
      { partition: 0, sequence: 3 },
      { partition: 1, sequence: 2 },
    ];
    expect(reachedAt(SIGHTINGS, 'visible', changes)).toBe(30);
    expect(reachedAt(SIGHTINGS, 'scored', changes)).toBe(40);
  });

  it('never treats an unseen change as reached', () => {
    expect(() => reachedAt(SIGHTINGS, 'scored', [{ partition: 0, sequence: 6 }])).toThrow(
      'never seen scored',
    );
    expect(() => reachedAt(SIGHTINGS, 'visible', [{ partition: 7, sequence: 1 }])).toThrow('never seen');
  });
});

import { describe, expect, it } from '@jest/globals';
import { ExpiringMap } from './expiring-map.ts';

describe('ExpiringMap', () => {
  it('forgets at the given time', () => {
    let now = 1_000;
    const map = new ExpiringMap<string>(10, () => now);
    map.set('a', 'x', 2_000);
    now = 1_999;
    expect(map.get('a')).toBe('x');
    now = 2_000;
    expect(map.get('a')).toBeNull();
    expect(map.get('b')).toBeNull();
  });

  it('stays within its size: the value that was set first is removed', () => {
    const map = new ExpiringMap<number>(2, () => 0);
    map.set('a', 1, 10);
    map.set('b', 2, 10);
    map.set('a', 3, 10);
    map.set('c', 4, 10);
    expect([map.get('a'), map.get('b'), map.get('c')]).toEqual([3, null, 4]);
  });
});

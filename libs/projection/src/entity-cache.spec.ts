import { describe, expect, it } from '@jest/globals';
import { initialEntity } from '#libs/domain';
import { EntityCache, LargeEntity } from './entity-cache.ts';

const entity = (key: string, bytes: number) => ({ state: initialEntity(key), bytes });

describe('the cache of entities', () => {
  it('forgets the least recently used one when its bytes are used up', () => {
    const cache = new EntityCache(10, new LargeEntity());
    const [a, b, c] = [entity('a', 4), entity('b', 4), entity('c', 4)];
    cache.set('a', a);
    cache.set('b', b);
    expect([cache.get('a'), cache.bytes]).toEqual([a, 8]);
    cache.set('c', c);
    expect([cache.get('a'), cache.get('b'), cache.get('c'), cache.bytes]).toEqual([a, undefined, c, 8]);
  });

  it('counts the bytes of an entity that has grown since', () => {
    const cache = new EntityCache(10, new LargeEntity());
    const [a, b] = [entity('a', 4), entity('b', 4)];
    cache.set('a', a);
    a.bytes = 9;
    cache.set('a', a);
    expect(cache.bytes).toBe(9);
    cache.set('b', b);
    expect([cache.get('a'), cache.get('b'), cache.bytes]).toEqual([undefined, b, 4]);
  });

  it('keeps the last entity that is larger than a cache, and only for its own', () => {
    const large = new LargeEntity();
    const [one, other] = [new EntityCache(10, large), new EntityCache(10, large)];
    const [first, second] = [entity('a', 11), entity('b', 12)];
    expect(large.bytes).toBe(0);
    one.set('a', first);
    expect([one.get('a'), one.get('b'), other.get('a')]).toEqual([first, undefined, undefined]);
    expect([one.bytes, large.bytes]).toEqual([0, 11]);
    one.set('b', second);
    expect([one.get('a'), one.get('b'), large.bytes]).toEqual([undefined, second, 12]);
    other.set('a', first);
    expect([one.get('b'), other.get('a')]).toEqual([undefined, first]);
  });

  it('has room for an entity of just its size, in addition to the large one', () => {
    const large = new LargeEntity();
    const cache = new EntityCache(10, large);
    cache.set('a', entity('a', 10));
    expect([cache.bytes, large.bytes]).toEqual([10, 0]);
  });

  it('is empty once it is cleared, and leaves the large entity of another cache', () => {
    const large = new LargeEntity();
    const [one, other] = [new EntityCache(10, large), new EntityCache(10, large)];
    one.set('a', entity('a', 4));
    one.set('b', entity('b', 11));
    other.clear();
    expect([one.get('a')?.bytes, one.get('b')?.bytes]).toEqual([4, 11]);
    one.clear();
    expect([one.get('a'), one.get('b'), one.bytes, large.bytes]).toEqual([undefined, undefined, 0, 0]);
  });
});

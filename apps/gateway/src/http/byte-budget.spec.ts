import { describe, expect, it } from '@jest/globals';
import { ByteBudget } from './byte-budget.ts';

describe('ByteBudget', () => {
  it('rejects requests that do not fit until bytes are released', () => {
    const budget = new ByteBudget(10);
    const [first, second] = [budget.hold(), budget.hold()];
    expect(first.take(4) && first.take(2)).toBe(true);
    expect(second.take(5)).toBe(false);
    expect(second.take(4)).toBe(true);
    first.release();
    expect(second.take(6)).toBe(true);
  });

  it('takes bytes back once only', () => {
    const budget = new ByteBudget(10);
    const [first, second] = [budget.hold(), budget.hold()];
    first.take(10);
    first.release();
    first.release();
    expect(second.take(10)).toBe(true);
    expect(second.take(1)).toBe(false);
  });
});

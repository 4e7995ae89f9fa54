import { describe, expect, it } from '@jest/globals';
import { ByteBudget } from './byte-budget.ts';

describe('ByteBudget', () => {
  it('refuses what does not fit until something is given back', () => {
    const budget = new ByteBudget(10);
    const release = budget.take(6);
    expect(budget.take(5)).toBeNull();
    expect(budget.take(4)).not.toBeNull();
    release!();
    expect(budget.take(6)).not.toBeNull();
  });

  it('takes bytes back once only', () => {
    const budget = new ByteBudget(10);
    const release = budget.take(10)!;
    release();
    release();
    expect(budget.take(10)).not.toBeNull();
    expect(budget.take(1)).toBeNull();
  });
});

import { describe, expect, it } from '@jest/globals';
import { Faults } from './faults.ts';

const GARBAGE = { kind: 'garbage' } as const;
const CUT = { kind: 'cut' } as const;
const PATH = '/alerts/combined/alerts/v1';

function kinds(faults: Faults, count: number): (string | undefined)[] {
  return Array.from({ length: count }, () => faults.take('POST', PATH)?.kind);
}

describe('faults', () => {
  it('befall the next request, once, if nothing else is said', () => {
    const faults = new Faults();
    faults.arm({ path: '/alerts/', act: GARBAGE });
    expect(kinds(faults, 3)).toEqual(['garbage', undefined, undefined]);
    expect(faults.waiting).toEqual([]);
  });

  it('apply to the n-th matching request, as often as set', () => {
    const faults = new Faults();
    faults.arm({ path: '/alerts/', nth: 2, times: 2, act: GARBAGE });
    expect(kinds(faults, 5)).toEqual([undefined, 'garbage', 'garbage', undefined, undefined]);
  });

  it('affect all requests until they are cleared', () => {
    const faults = new Faults();
    faults.arm({ path: '/', times: 'ever', act: GARBAGE });
    expect(kinds(faults, 3)).toEqual(['garbage', 'garbage', 'garbage']);
    faults.clear();
    expect(kinds(faults, 1)).toEqual([undefined]);
  });

  it('do not count requests of another method or path', () => {
    const faults = new Faults();
    faults.arm({ method: 'POST', path: PATH, act: GARBAGE });
    expect(faults.take('GET', PATH)).toBeUndefined();
    expect(faults.take('POST', '/oauth2/token')).toBeUndefined();
    expect(faults.take('POST', PATH)).toBe(GARBAGE);
  });

  it('of several for one request, the first that was armed comes, and the others count it', () => {
    const faults = new Faults();
    faults.arm({ path: PATH, act: GARBAGE });
    faults.arm({ path: PATH, nth: 2, act: CUT });
    expect(kinds(faults, 3)).toEqual(['garbage', 'cut', undefined]);
  });

  it('are bounded', () => {
    const faults = new Faults();
    for (let i = 0; i < 1_000; i += 1) faults.arm({ path: '/', act: CUT });
    expect(() => faults.arm({ path: '/', act: CUT })).toThrow(RangeError);
  });
});

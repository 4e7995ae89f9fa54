import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Greatest } from './greatest.ts';

it('the greatest of numbers that come and go is that of all that are there (property)', () => {
  const steps = fc.array(fc.record({ value: fc.nat({ max: 5 }), isRemoved: fc.boolean() }), {
    maxLength: 60,
  });
  fc.assert(
    fc.property(steps, (given) => {
      const [greatest, present] = [new Greatest(), [] as number[]];
      for (const { value, isRemoved } of given) {
        const place = present.indexOf(value);
        if (isRemoved && place >= 0) {
          present.splice(place, 1);
          greatest.remove(value);
        } else {
          present.push(value);
          greatest.add(value);
        }
        expect([greatest.value, greatest.isEmpty]).toEqual([Math.max(0, ...present), present.length === 0]);
      }
    }),
  );
});

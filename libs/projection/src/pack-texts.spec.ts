import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { packTexts } from './pack-texts.ts';

it('gives every text back from its place', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'grapheme' })), (texts) => {
      const { bytes, starts, lengths } = packTexts(texts);
      const read = starts.map((start, i) => bytes.toString('utf8', start - 1, start - 1 + lengths[i]!));
      expect(read).toEqual(texts);
      expect(bytes).toHaveLength(lengths.reduce((sum, length) => sum + length, 0));
    }),
  );
});

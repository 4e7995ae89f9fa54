import { describe, expect, it } from '@jest/globals';
import { findShortfall } from './find-shortfall.ts';

/** A log that answers one after the other with these ends; with the last of them from then on. */
const logOf = (...answers: number[][]) => {
  const asked: string[] = [];
  const ends = async (topic: string) => {
    asked.push(topic);
    return answers[Math.min(asked.length, answers.length) - 1]!;
  };
  return { log: { ends }, asked };
};
const at = (partition: number, offset: number) => ({ partition, offset });

describe('records that were read and are no longer in the log', () => {
  it('are empty if every partition ends at or after the read offset', async () => {
    const { log, asked } = logOf([5, 9]);
    expect(await findShortfall(log, 'intake', [at(0, 5), at(1, 3)], 0)).toBeUndefined();
    expect(asked).toEqual(['intake']);
  });

  it('are those of the first partition that ends before', async () => {
    const { log } = logOf([5, 2]);
    expect(await findShortfall(log, 'intake', [at(0, 5), at(1, 3), at(2, 1)], 0)).toEqual({
      ...at(1, 3),
      end: 2,
    });
    expect(await findShortfall(log, 'intake', [at(2, 1)], 0)).toEqual({ ...at(2, 1), end: 0 });
  });

  it('are not reported at once: a new leader may need time to report the end of its partition', async () => {
    const { log, asked } = logOf([0], [0], [5]);
    expect(await findShortfall(log, 'intake', [at(0, 5)], 60_000)).toBeUndefined();
    expect(asked).toHaveLength(3);
  });
});

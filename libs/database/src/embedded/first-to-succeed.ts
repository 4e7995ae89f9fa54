import { isNoRoom } from './no-room.ts';

/**
 * The result of `work` for the first candidate for which it succeeds. A full disk ends the search: it is full for all.
 * @param candidates one at least
 * @param failed called for each that fails, if another one follows
 * @throws the error of the last one tried
 */
export async function firstToSucceed<T, R>(
  candidates: readonly T[],
  work: (candidate: T) => Promise<R>,
  failed: (candidate: T, error: Error) => void,
): Promise<R> {
  const [first, ...others] = candidates;
  try {
    return await work(first!);
  } catch (error) {
    if (others.length === 0 || isNoRoom((error as Error).message)) throw error;
    failed(first!, error as Error);
    return firstToSucceed(others, work, failed);
  }
}

import { DamagedKeyError } from './key-source.ts';

/**
 * What is asked about items, without those of damaged keys.
 * @param ask all of them at once, or again some of them
 * @throws errors of `ask` other than DamagedKeyError
 */
export async function usable<T, R>(
  items: readonly T[],
  ask: (some: readonly T[]) => Promise<readonly R[]>,
  onDamaged: (item: T, error: DamagedKeyError) => void = () => {},
): Promise<R[]> {
  try {
    return [...(await ask(items))];
  } catch (error) {
    if (!(error instanceof DamagedKeyError)) throw error;
    if (items.length === 1) {
      onDamaged(items[0]!, error);
      return [];
    }
  }
  const middle = items.length >> 1;
  const first = await usable(items.slice(0, middle), ask, onDamaged);
  return [...first, ...(await usable(items.slice(middle), ask, onDamaged))];
}

import { isLoopbackName } from '#libs/domain';
import type { OrList } from './or-list.ts';

/**
 * The first of the names that identifies a machine. If all are names such as `localhost`, the first one, because its
 * findings need an asset; null if there is none.
 */
export function identifyingName(...names: OrList<string | null | undefined>[]): string | null {
  const given = names.flat().filter((name) => typeof name === 'string' && name !== '') as string[];
  return given.find((name) => !isLoopbackName(name)) ?? given[0] ?? null;
}

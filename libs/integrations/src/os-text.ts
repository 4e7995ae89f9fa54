import { type OsMapping, typingByOs } from '#libs/domain';

/** The first of several names of an operating system that the mapping knows, otherwise the first; null without one. */
export function osText(candidates: readonly string[], mapping: OsMapping): string | null {
  const given = candidates.filter((text) => text !== '');
  return given.find((text) => typingByOs(text, mapping) !== null) ?? given[0] ?? null;
}

import { type OsMapping, typingByOs } from '#libs/domain';

/** The first of several ways to name an operating system that the mapping knows (D5), else the first; none: null. */
export function osText(candidates: readonly string[], mapping: OsMapping): string | null {
  const given = candidates.filter((text) => text !== '');
  return given.find((text) => typingByOs(text, mapping) !== null) ?? given[0] ?? null;
}

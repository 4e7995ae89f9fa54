import { type OsMapping, typingByOs } from '#libs/domain';

/** The first of several names of an operating system that the mapping knows, otherwise the first; null without one. */
export function osText(candidates: readonly string[], mapping: OsMapping): string | null {
  const given = candidates.filter((text) => text !== '');
  return given.find((text) => typingByOs(text, mapping) !== null) ?? given[0] ?? null;
}

const OS_MAX = 50;

/** The same without names that are a part of another one: `Windows` beside `Windows 10`. */
export function preciseOsText(candidates: readonly string[], mapping: OsMapping): string | null {
  const given = candidates.slice(0, OS_MAX);
  const isVague = (text: string) =>
    given.some((other) => other.length > text.length && isPartOf(text, other));
  return osText(
    given.filter((text) => !isVague(text)),
    mapping,
  );
}

const isPartOf = (part: string, whole: string) => whole.toLowerCase().includes(part.toLowerCase());

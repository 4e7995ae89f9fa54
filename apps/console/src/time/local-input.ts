import { t } from '@lingui/core/macro';

/** Formats epoch milliseconds for `datetime-local`: local time zone, to the second. */
export function localInput(at: number): string {
  const date = new Date(at);
  return new Date(at - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 19);
}

/**
 * The instant of a `datetime-local`, in epoch ms; NaN if it is none. A time that the clock repeats is the first one, unless the
 * input was not changed.
 * @param shown what the input was filled with, in epoch ms; NaN: it was empty
 */
export function instantOfInput(text: string, shown: number): number {
  const at = Date.parse(text);
  return !Number.isNaN(shown) && at === Date.parse(localInput(shown)) ? shown : at;
}

/** For the description of an input. */
export function ownZoneNote(): string {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  return t`In your time zone, ${zone}.`;
}

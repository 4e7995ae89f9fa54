/** Formats epoch milliseconds for `datetime-local`: local time zone, to the second. */
export function localInput(at: number): string {
  const date = new Date(at);
  return new Date(at - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 19);
}

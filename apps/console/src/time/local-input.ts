/** An instant in epoch milliseconds as `datetime-local` takes it: in the reader's own zone, to the second. */
export function localInput(at: number): string {
  const date = new Date(at);
  return new Date(at - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 19);
}

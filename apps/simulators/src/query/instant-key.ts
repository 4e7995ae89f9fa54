/** Text that orders as the instants do, to the nanosecond; undefined if it is none. */
export function instantKey(text: string): string | undefined {
  const parts = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?(Z|[+-]\d\d:\d\d)$/.exec(text);
  if (parts === null) return undefined;
  const [, seconds, fraction = '', zone] = parts;
  const atMs = Date.parse(`${seconds}${zone}`);
  if (Number.isNaN(atMs)) return undefined;
  return `${new Date(atMs).toISOString().slice(0, 19)}.${fraction.padEnd(9, '0')}Z`;
}

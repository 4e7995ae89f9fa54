const UNITS = ['bytes', 'kB', 'MB', 'GB', 'TB'] as const;

/** In decimal units, as in most file managers. */
export function byteText(bytes: number): string {
  const step = Math.min(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), UNITS.length - 1);
  const amount = (bytes / 1000 ** step).toLocaleString(undefined, {
    maximumFractionDigits: step === 0 ? 0 : 1,
  });
  return `${amount} ${UNITS[step]}`;
}

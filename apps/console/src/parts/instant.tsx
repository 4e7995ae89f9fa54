const FULL = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });
const RELATIVE = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' });
const UNITS: [Intl.RelativeTimeFormatUnit, seconds: number][] = [
  ['year', 31_557_600],
  ['month', 2_629_800],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
];

/** An instant in the reader's own zone. */
export const fullInstant = (iso: string): string => FULL.format(new Date(iso));

const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)$/;

/** Text that is an instant in the reader's own zone; any other as it is. */
export const localInstant = (text: string): string =>
  ISO.test(text) && !Number.isNaN(Date.parse(text)) ? fullInstant(text) : text;

/** How long ago, or until then. */
export function relativeInstant(iso: string, now = Date.now()): string {
  const seconds = (Date.parse(iso) - now) / 1000;
  const [unit, size] = UNITS.find(([, size]) => Math.abs(seconds) >= size) ?? ['second', 1];
  return Math.abs(seconds) < 60 ? 'just now' : RELATIVE.format(Math.round(seconds / size), unit);
}

/** How long ago; the instant itself on hover, and for machines. */
export function Instant({ at }: { at: string | null }) {
  if (at === null) return <span>–</span>;
  return (
    <time dateTime={at} title={fullInstant(at)}>
      {relativeInstant(at)}
    </time>
  );
}

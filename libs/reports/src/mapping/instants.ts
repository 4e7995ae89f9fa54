import { isoTime, readInstant } from '#libs/domain';

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

const iso = (epochMs: number): string | null =>
  Number.isFinite(epochMs) && Math.abs(epochMs) < 8.64e15 ? isoTime(epochMs) : null;

/**
 * An instant in the format of signals, from the formats of scanners; null if it is not one. A time without a zone
 * is read as UTC: the report states no zone.
 */
export function instantOf(text: string | null | undefined): string | null {
  const trimmed = text?.trim() ?? '';
  if (trimmed === '') return null;
  const given = readInstant(trimmed.replace(/^(\d{4}-\d\d-\d\d) /, '$1T').replace(/ ?UTC$/i, 'Z'));
  if (given !== null) return iso(given);
  for (const read of [readWithOffset, readWithoutZone, readCompact, readDay, readUsDay, readNamedMonth]) {
    const at = read(trimmed);
    if (at !== null) return iso(at);
  }
  return null;
}

/** `1648044472`, in seconds, milliseconds, microseconds or nanoseconds: detected from its size. */
export function instantOfEpoch(value: number | null): string | null {
  if (value === null || value <= 0) return null;
  let ms = value * 1_000;
  while (ms > 1e14) ms /= 1_000;
  return iso(Math.round(ms));
}

function utc(year: string, month: number, day: string, time = ''): number | null {
  const [hour = '00', minute = '00', second = '00'] = time.split(/[:.]/);
  const pad = (text: string) => text.padStart(2, '0');
  return readInstant(`${year}-${pad(String(month))}-${pad(day)}T${pad(hour)}:${pad(minute)}:${pad(second)}Z`);
}

/** `2024-05-06T12:18:00.123456`, `2024-05-06 12:18:00`. */
const readWithoutZone = (text: string): number | null => {
  const match = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)$/.exec(text);
  return match ? readInstant(`${match[1]}T${match[2]}Z`) : null;
};

/** `2024-05-06 12:18:00 -0700 -0700`, as Go writes it, and `2024-05-06T12:18:00.123-0700`. */
const readWithOffset = (text: string): number | null => {
  const match =
    /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d(?:\.\d{1,9})?) ?([+-]\d\d):?(\d\d)(?: [+\w-]{1,6})?$/.exec(text);
  return match ? readInstant(`${match[1]}T${match[2]}${match[3]}:${match[4]}`) : null;
};

/** `20240506T121800`, `20240506T121800123`. */
const readCompact = (text: string): number | null => {
  const match = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(?:\.?\d{3})?Z?$/.exec(text);
  return match ? utc(match[1]!, Number(match[2]), match[3]!, match.slice(4).join(':')) : null;
};

/** `2024-05-06`, `2024/05/06`. */
const readDay = (text: string): number | null => {
  const match = /^(\d{4})[-/](\d\d?)[-/](\d\d?)$/.exec(text);
  return match ? utc(match[1]!, Number(match[2]), match[3]!) : null;
};

/** `05/13/2021 07:08:28`: month first, or day first if that is no month. */
const readUsDay = (text: string): number | null => {
  const match = /^(\d\d?)\/(\d\d?)\/(\d{4})(?: (?:at )?(\d\d?:\d\d(?::\d\d)?))?/.exec(text);
  if (!match) return null;
  const [, first, second, year, time] = match;
  return utc(year!, Number(first), second!, time) ?? utc(year!, Number(second), first!, time);
};

/** The zones of RFC 2822 that have names, in hours. */
const ZONE_HOURS: Record<string, number> = {
  est: -5,
  edt: -4,
  cst: -6,
  cdt: -5,
  mst: -7,
  mdt: -6,
  pst: -8,
  pdt: -7,
};

/** `Wed Mar 23 15:07:52 2022`, `Sun, 22 Jun 2025 04:04:14`, `Feb 03, 2026 07:00 AM`, `Jan 5, 2021 10:24:08 MST`,
 * `11 Mar 2020 01:07PM GMT-0400`. */
const readNamedMonth = (text: string): number | null => {
  const words = text.toLowerCase().match(/[a-z]+|\d[\d:]*/g) ?? [];
  const month = words.findIndex((word) => MONTHS.includes(word.slice(0, 3)));
  if (month < 0) return null;
  const time = words.find((word) => word.includes(':'));
  const year = words.find((word) => /^\d{4}$/.test(word));
  const day = words.find((word) => /^\d{1,2}$/.test(word));
  if (year === undefined || day === undefined) return null;
  const at = utc(year, MONTHS.indexOf(words[month]!.slice(0, 3)) + 1, day, in24Hours(time, words));
  return at === null ? null : at - zoneHours(text, words) * 3_600_000;
};

/** Of `MST`, `-0700` or `GMT-0700`; 0 without a zone. */
function zoneHours(text: string, words: string[]): number {
  const named = words.find((word) => Object.hasOwn(ZONE_HOURS, word));
  if (named !== undefined) return ZONE_HOURS[named]!;
  const [, sign, hours, minutes] = / (?:GMT|UTC)?([+-])(\d\d):?(\d\d)\b/.exec(text) ?? [];
  return hours === undefined ? 0 : (sign === '-' ? -1 : 1) * (Number(hours) + Number(minutes) / 60);
}

function in24Hours(time: string | undefined, words: string[]): string | undefined {
  if (time === undefined) return undefined;
  const [hour, ...rest] = time.split(':');
  const half = words.find((word) => word === 'am' || word === 'pm');
  if (half === undefined) return time;
  return [(Number(hour) % 12) + (half === 'pm' ? 12 : 0), ...rest].join(':');
}

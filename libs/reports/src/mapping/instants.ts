import { isoTime, readInstant } from '#libs/domain';
import { lookup } from './lookup.ts';

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];

const iso = (epochMs: number): string | null =>
  Number.isFinite(epochMs) && Math.abs(epochMs) < 8.64e15 ? isoTime(epochMs) : null;

/**
 * An instant in the format of signals, from the formats of scanners; null if it is not one, also if its zone is not
 * known. A time without a zone is read as UTC: the report states no zone.
 */
export function instantOf(text: string | null | undefined): string | null {
  const trimmed = text?.trim() ?? '';
  if (trimmed === '') return null;
  const given = readInstant(trimmed.replace(/^(\d{4}-\d\d-\d\d) /, '$1T').replace(/ ?UTC$/i, 'Z'));
  if (given !== null) return iso(given);
  for (const read of READERS) {
    const at = read(trimmed);
    if (at !== null) return iso(at);
  }
  return null;
}

/** Times without separators are read only from 1990 to 2100: other numbers are no times of a report. */
const PLAUSIBLE_FROM = Date.UTC(1990);
const PLAUSIBLE_TO = Date.UTC(2100);
const isPlausible = (epochMs: number): boolean => epochMs >= PLAUSIBLE_FROM && epochMs < PLAUSIBLE_TO;

/** Seconds, milliseconds, microseconds and nanoseconds; their plausible numbers do not overlap. */
const EPOCH_UNITS_PER_MS = [1e-3, 1, 1e3, 1e6];

/** `1648044472`, in a unit that is detected from its size; null if it is in no unit an instant from 1990 to 2100. */
export function instantOfEpoch(value: number | null): string | null {
  if (value === null) return null;
  const ms = EPOCH_UNITS_PER_MS.map((unit) => Math.round(value / unit)).find(isPlausible);
  return ms === undefined ? null : iso(ms);
}

function utc(year: string, month: number, day: string, time = ''): number | null {
  const [hour = '00', minute = '00', second = '00'] = time.split(/[:.]/);
  const pad = (text: string) => text.padStart(2, '0');
  return readInstant(`${year}-${pad(String(month))}-${pad(day)}T${pad(hour)}:${pad(minute)}:${pad(second)}Z`);
}

/** `2024-05-06T12:18:00.123456`, `2024-05-06 12:18:00`, `2024-05-06 12:18:00 PM CET`. */
const readWithoutOffset = (text: string): number | null => {
  const match =
    /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)(?: ?([ap]m))?(?: ([a-z]{1,5}))?$/i.exec(text);
  if (!match || !isKnownZone(match[4])) return null;
  return inUtc(readInstant(`${match[1]}T${in24Hours(match[2], match[3])}Z`), text);
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

/** `20240506121800`, `20240506`. */
const readDigits = (text: string): number | null => {
  const match = /^(\d{4})(\d\d)(\d\d)(?:(\d\d)(\d\d)(\d\d))?$/.exec(text);
  if (!match) return null;
  const [, year, month, day, ...time] = match;
  const at = utc(year!, Number(month), day!, time.filter(Boolean).join(':') || undefined);
  return at !== null && isPlausible(at) ? at : null;
};

/** `2024-05-06`, `2024/05/06`. */
const readDay = (text: string): number | null => {
  const match = /^(\d{4})[-/](\d\d?)[-/](\d\d?)$/.exec(text);
  return match ? utc(match[1]!, Number(match[2]), match[3]!) : null;
};

/** `05/13/2021 07:08:28`, `05/13/2021 at 07:08:28 PM (GMT-0700)`: month first, or day first if that is no month. */
const readUsDay = (text: string): number | null => {
  const match =
    /^(\d\d?)\/(\d\d?)\/(\d{4})(?:,? (?:at )?(\d\d?:\d\d(?::\d\d)?)(?:\.\d{1,9})?(?: ?([ap]m))?(?: \(?([a-z]{0,5})(?:[+-][\d:]{1,5})?\)?)?)?$/i.exec(
      text,
    );
  if (!match || !isKnownZone(match[6])) return null;
  const [, first, second, year, time, half] = match;
  const at = in24Hours(time, half);
  return inUtc(utc(year!, Number(first), second!, at) ?? utc(year!, Number(second), first!, at), text);
};

/** Zones that have names, in hours. Of names of several zones, only those of North America, and BST for Britain, are read. */
const ZONE_HOURS: Record<string, number> = {
  utc: 0,
  gmt: 0,
  z: 0,
  est: -5,
  edt: -4,
  cst: -6,
  cdt: -5,
  mst: -7,
  mdt: -6,
  pst: -8,
  pdt: -7,
  akst: -9,
  akdt: -8,
  hst: -10,
  wet: 0,
  west: 1,
  bst: 1,
  cet: 1,
  cest: 2,
  eet: 2,
  eest: 3,
  msk: 3,
  sgt: 8,
  hkt: 8,
  jst: 9,
  aest: 10,
  aedt: 11,
  nzst: 12,
  nzdt: 13,
};

/** `Wed Mar 23 15:07:52 2022`, `Sun, 22 Jun 2025 04:04:14`, `Feb 03, 2026 07:00 AM`, `Jan 5, 2021 10:24:08 MST`,
 * `11 Mar 2020 01:07PM GMT-0400`. */
const readNamedMonth = (text: string): number | null => {
  const words =
    text
      .replace(OFFSET, ' ')
      .toLowerCase()
      .match(/[a-z]+|\d[\d:]*/g) ?? [];
  const month = words.findIndex((word) => MONTHS.includes(word.slice(0, 3)));
  if (month < 0) return null;
  const time = words.find((word) => word.includes(':'));
  const year = words.find((word) => /^\d{4}$/.test(word));
  const day = words.find((word) => /^\d{1,2}$/.test(word));
  if (year === undefined || day === undefined) return null;
  const half = words.find((word) => word === 'am' || word === 'pm');
  return inUtc(utc(year, MONTHS.indexOf(words[month]!.slice(0, 3)) + 1, day, in24Hours(time, half)), text);
};

/** @param at the instant of a text if its zone were UTC; null also if the zone is unknown */
function inUtc(at: number | null, text: string): number | null {
  const hours = zoneHours(text);
  return at === null || hours === null ? null : at - hours * 3_600_000;
}

const OFFSET = /(?:[ (]|GMT|UTC)([+-])(\d\d?)(?::?(\d\d))?(?![\d:])/i;

/** Of `MST`, `-0700` or `GMT-0700`; 0 without a zone, null for a name that is not known. */
function zoneHours(text: string): number | null {
  const [, sign, hours, minutes = 0] = OFFSET.exec(text) ?? [];
  if (hours !== undefined) return (sign === '-' ? -1 : 1) * (Number(hours) + Number(minutes) / 60);
  const words = text.match(/\b[a-z]+\b/gi) ?? [];
  const named = words.map(zoneOf).find((zone) => zone !== undefined);
  if (named !== undefined) return named;
  return words.some(isUnknownZone) ? null : 0;
}

const zoneOf = (word: string): number | undefined => lookup(ZONE_HOURS, word.toLowerCase());

const isKnownZone = (word = ''): boolean => word === '' || zoneOf(word) !== undefined;

function isUnknownZone(word: string): boolean {
  const beginning = word.slice(0, 3).toLowerCase();
  return /^[A-Z]{3,5}$/.test(word) && !MONTHS.includes(beginning) && !DAYS.includes(beginning);
}

const READERS = [
  readWithOffset,
  readWithoutOffset,
  readCompact,
  readDigits,
  readDay,
  readUsDay,
  readNamedMonth,
];

/** @param half of the day, `am` or `pm` */
function in24Hours(time: string | undefined, half: string | undefined): string | undefined {
  if (time === undefined || half === undefined) return time;
  const [hour, ...rest] = time.split(':');
  const of24 = (Number(hour) % 12) + (half.toLowerCase() === 'pm' ? 12 : 0);
  return [String(of24).padStart(2, '0'), ...rest].join(':');
}

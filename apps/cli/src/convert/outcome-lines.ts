import type { Count } from '#libs/reports';
import { printable } from '../printable.ts';
import type { WrittenZip } from './part-files.ts';

/** Outcome of the reports: `read` is `mapped` and `listed` together. */
export interface Outcome {
  files: { file: string; format: string }[];
  read: number;
  mapped: number;
  listed: number;
  /** Of the mapped: duplicates of another finding of the asset. */
  repeated: number;
  assets: number;
  signals: number;
  /** The ZIPs replace assessments: findings of their assets that are not mapped are retired (R-ZIP-10). */
  replaces: boolean;
  zips: WrittenZip[];
  notMapped: Count[];
  notes: Count[];
}

const SHOWN_MAX = 20;

export function outcomeLines(outcome: Outcome): string[] {
  const { files, read, mapped, listed, repeated, assets, signals, replaces, zips, notMapped, notes } =
    outcome;
  const formats = [...new Set(files.map(({ format }) => format))].join(', ');
  return [
    `Read       ${counted(read, 'finding')} in ${counted(files.length, 'file')} (${formats})`,
    `Mapped     ${mapped}, as ${counted(signals, 'signal')} of ${counted(assets, 'asset')}${repeated > 0 ? `; ${repeated} are duplicates` : ''}`,
    `Not mapped ${listed}${listed > 0 ? ':' : ''}`,
    ...countLines(notMapped),
    ...(replaces && listed > 0
      ? ['  The ZIPs replace assessments: the service retires existing findings that are not mapped']
      : []),
    ...(notes.length > 0 ? ['Notes:', ...countLines(notes)] : []),
    ...(zips.length === 0 ? ['No ZIP was written: the reports contain no signals'] : zips.map(zipLine)),
  ];
}

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

const countLines = (counts: Count[]): string[] => [
  ...counts
    .slice(0, SHOWN_MAX)
    .map(({ text, count }) => `  ${String(count).padStart(6)}  ${printable(text)}`),
  ...(counts.length > SHOWN_MAX
    ? [`  … and ${counts.length - SHOWN_MAX} more kinds (--json shows all)`]
    : []),
];

const zipLine = ({ file, bytes, signals }: WrittenZip): string =>
  `Written    ${file}: ${counted(signals, 'signal')}, ${(bytes / 1_048_576).toFixed(2)} MB`;

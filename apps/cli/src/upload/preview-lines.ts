import type { Schemas } from '#client';
import { printable } from '../printable.ts';
import type { Delivery } from './deliver.ts';
import { outcomeLines, remarkLine, shown } from './outcome.ts';
import type { ZipsPreview } from './preview-zips.ts';

const FINDINGS_SHOWN = 20;

/** The preview of ZIPs, in lines for people. */
export function previewLines(
  previewed: ZipsPreview,
  { notes, skipped }: Required<Pick<Delivery, 'notes' | 'skipped'>>,
): string[] {
  const { zips, findings, findingsLeftOut, sharedEntities } = previewed;
  const sum = (count: (zip: ZipsPreview['zips'][number]) => number) =>
    zips.reduce((total, zip) => total + count(zip), 0);
  const rejected = sum((zip) => zip.rejected);
  const more = findingsLeftOut + findings.length - Math.min(findings.length, FINDINGS_SHOWN);
  return [
    `Dry run    ${sum((zip) => zip.accepted)} signals in ${zips.length} ${zips.length === 1 ? 'ZIP' : 'ZIPs'} would be accepted; nothing was stored`,
    ...(rejected > 0 ? [`Skipped    ${rejected} invalid signals:`] : []),
    ...zips.flatMap((zip) => zip.errors.map((error) => `  ${remarkLine(error)}`)),
    ...skipped.map(({ path, problem }) => `Skipped    ${printable(path)} ${problem}`),
    ...notes.map((note) => `Note       ${printable(note)}`),
    ...outcomeLines(previewed),
    ...(findings.length > 0 ? ['Would be:'] : []),
    ...findings.slice(0, FINDINGS_SHOWN).map((finding) => `  ${findingLine(finding)}`),
    ...(more > 0 ? [`  … and ${more} more (--json shows ${findingsLeftOut > 0 ? 'more' : 'all'})`] : []),
    ...influenceLines(sharedEntities),
  ];
}

function findingLine({ asset, name, type, would, from, to, reason }: Schemas['WouldDto']): string {
  const what = name === null ? 'the asset' : `${printable(name)}${type === null ? '' : ` (${type})`}`;
  const states = [...new Set([from, to])].filter((state) => state !== null).join(' → ');
  return [`${would.padEnd(12)} ${printable(asset)}: ${what}`, states, reason ?? '']
    .filter((part) => part !== '')
    .join(', ');
}

function influenceLines(keys: string[]): string[] {
  if (keys.length === 0) return [];
  return [
    'Note       each ZIP was previewed against the current state, without the ZIPs before it; the outcome',
    '           can differ for entities that are in several ZIPs',
    ...shown('Entities in more than one ZIP', keys.map(printable)),
  ];
}

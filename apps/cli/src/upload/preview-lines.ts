import type { Foreseen } from '../api-client.ts';
import { printable } from '../printable.ts';
import type { Delivery } from './deliver.ts';
import { outcomeLines, remarkLine, shown } from './outcome.ts';
import type { ForeseenZips } from './preview-zips.ts';

const FINDINGS_SHOWN = 20;

/** What ZIPs would come to, in lines for people. */
export function previewLines(
  foreseen: ForeseenZips,
  { notes, skipped }: Required<Pick<Delivery, 'notes' | 'skipped'>>,
): string[] {
  const { zips, findings, findingsLeftOut, sharedEntities } = foreseen;
  const sum = (count: (zip: ForeseenZips['zips'][number]) => number) =>
    zips.reduce((total, zip) => total + count(zip), 0);
  const rejected = sum((zip) => zip.rejected);
  const more = findingsLeftOut + findings.length - Math.min(findings.length, FINDINGS_SHOWN);
  return [
    `Dry run    ${sum((zip) => zip.accepted)} signals in ${zips.length} ${zips.length === 1 ? 'ZIP' : 'ZIPs'} would be taken; nothing was stored`,
    ...(rejected > 0 ? [`Left out   ${rejected} invalid signals:`] : []),
    ...zips.flatMap((zip) => zip.errors.map((error) => `  ${remarkLine(error)}`)),
    ...skipped.map(({ path, problem }) => `Left out   ${printable(path)} ${problem}`),
    ...notes.map((note) => `Note       ${printable(note)}`),
    ...outcomeLines(foreseen),
    ...(findings.length > 0 ? ['Would be:'] : []),
    ...findings.slice(0, FINDINGS_SHOWN).map((finding) => `  ${findingLine(finding)}`),
    ...(more > 0 ? [`  … and ${more} more (--json shows ${findingsLeftOut > 0 ? 'more' : 'all'})`] : []),
    ...influenceLines(sharedEntities),
  ];
}

function findingLine({ asset, name, type, would, from, to, reason }: Foreseen): string {
  const what = name === null ? 'the asset' : `${printable(name)}${type === null ? '' : ` (${type})`}`;
  const states = [...new Set([from, to])].filter((state) => state !== null).join(' → ');
  return [`${would.padEnd(12)} ${printable(asset)}: ${what}`, states, reason ?? '']
    .filter((part) => part !== '')
    .join(', ');
}

function influenceLines(keys: string[]): string[] {
  if (keys.length === 0) return [];
  return [
    'Note       each ZIP was previewed on top of what there is now, not of the ZIPs before it; what becomes',
    '           of entities that several of them name may differ',
    ...shown('Entities in more than one ZIP', keys.map(printable)),
  ];
}

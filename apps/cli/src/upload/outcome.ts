import { addCounts, noCounts, type UploadCounts } from '#libs/domain';
import type { EntryRemark, UploadStatus } from '../api-client.ts';
import { printable } from '../printable.ts';

/** What became of several uploads together. */
export interface TotalOutcome {
  outcome: UploadCounts;
  merged: { name: string; assetId: string }[];
  unrecognisedTags: string[];
  warnings: EntryRemark[];
}

export function totalOutcome(statuses: Pick<UploadStatus, keyof TotalOutcome>[]): TotalOutcome {
  return {
    outcome: statuses.map((status) => status.outcome).reduce(addCounts, noCounts()),
    merged: statuses.flatMap((status) => status.merged),
    unrecognisedTags: [...new Set(statuses.flatMap((status) => status.unrecognisedTags))].sort(),
    warnings: statuses.flatMap((status) => status.warnings),
  };
}

const REMARKS_SHOWN = 10;

/** The outcome in lines for people. */
export function outcomeLines({ outcome, merged, unrecognisedTags, warnings }: TotalOutcome): string[] {
  const { created, updated, unchanged, retired, assetsCreated, assetsUpdated } = outcome;
  const ignored = Object.entries(outcome.ignored).map(([reason, count]) => `${count} ${reason}`);
  return [
    `Findings   ${created} created, ${updated} updated, ${unchanged} unchanged, ${retired} retired`,
    `Assets     ${assetsCreated} created, ${assetsUpdated} updated`,
    ...(ignored.length > 0 ? [`Ignored    ${ignored.join(', ')}`] : []),
    ...shown(
      'Merged',
      merged.map(
        ({ name, assetId }) =>
          `${printable(name)} into asset ${assetId} (assetMatching: fqdn keeps them apart)`,
      ),
    ),
    ...shown('Tags that no custom field takes', unrecognisedTags.map(printable)),
    ...shown('Warnings', warnings.map(remarkLine)),
  ];
}

export const remarkLine = ({ entry, field, message }: EntryRemark): string =>
  [entry ?? '', field, message]
    .map(printable)
    .filter((part) => part !== '')
    .join(': ');

/** The first of what is told in lines, below a title; nothing where there is none. */
export function shown(title: string, lines: string[]): string[] {
  if (lines.length === 0) return [];
  const more = lines.length - REMARKS_SHOWN;
  return [
    `${title}:`,
    ...lines.slice(0, REMARKS_SHOWN).map((line) => `  ${line}`),
    ...(more > 0 ? [`  … and ${more} more (--json shows all)`] : []),
  ];
}

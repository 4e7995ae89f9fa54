import type { Problem, Schemas } from '#client';
import { addCounts, noCounts } from '#libs/domain';
import { printable } from '../printable.ts';

/** Outcome of several uploads together. */
export type TotalOutcome = Pick<Schemas['UploadDto'], 'outcome' | 'merged' | 'unrecognisedTags' | 'warnings'>;

export function totalOutcome(statuses: TotalOutcome[]): TotalOutcome {
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
          `${printable(name)} into asset ${assetId} (assetMatching: fqdn keeps them separate)`,
      ),
    ),
    ...shown('Tags without a matching custom field', unrecognisedTags.map(printable)),
    ...shown('Warnings', warnings.map(remarkLine)),
  ];
}

export const remarkLine = ({ entry, field, message }: Problem): string =>
  [entry ?? '', field, message]
    .map(printable)
    .filter((part) => part !== '')
    .join(': ');

/** The first messages, one a line, below a title; nothing if there is none. */
export function shown(title: string, lines: string[]): string[] {
  if (lines.length === 0) return [];
  const more = lines.length - REMARKS_SHOWN;
  return [
    `${title}:`,
    ...lines.slice(0, REMARKS_SHOWN).map((line) => `  ${line}`),
    ...(more > 0 ? [`  … and ${more} more (--json shows all)`] : []),
  ];
}

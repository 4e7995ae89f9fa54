import type { Kysely } from 'kysely';
import { type CatalogueTimeline, readCatalogues } from '#libs/catalogue-store';
import type { Schema } from '#libs/database';
import type { AssetMove } from '#libs/domain';
import { assetPages, type SubjectScope } from './asset-pages.ts';
import type { FindingsOptions } from './read-findings.ts';
import { cvesOf, type Subject, subjectsOf } from './read-subjects.ts';

export interface MovePage {
  /** Of the assets that are in the scope at either instant; null on a side on which they are not. */
  moves: AssetMove<Subject>[];
  /** The data of the catalogues about their CVEs, from the first instant on. */
  catalogues: CatalogueTimeline;
}

/**
 * Assets as they were at two instants, in epoch milliseconds, page by page as `readSubjects`; retired findings too.
 * @param options `withPast` as for `readSubjects`
 */
export async function* readMoves(
  db: Kysely<Schema>,
  scope: SubjectScope,
  from: number,
  to: number,
  { withPast = false }: Pick<FindingsOptions, 'withPast'> = {},
): AsyncGenerator<MovePage> {
  const options = { withRetired: true, withPast };
  for await (const assetNos of assetPages(db, scope, past(to))) {
    const before = await subjectsOf(db, assetNos, scope, past(from), options);
    const after = await subjectsOf(db, assetNos, scope, past(to), options);
    const catalogues = await readCatalogues(db, [...cvesOf(before), ...cvesOf(after)], from);
    yield { moves: movesOf(before, after), catalogues };
  }
}

const past = (at: number) => ({ at, isPast: true });

function movesOf(before: Subject[], after: Subject[]): AssetMove<Subject>[] {
  const moves = new Map<string, AssetMove<Subject>>();
  for (const from of before) moves.set(from.asset.id, { assetId: from.asset.id, from, to: null });
  for (const to of after) {
    const { id } = to.asset;
    moves.set(id, { assetId: id, from: moves.get(id)?.from ?? null, to });
  }
  return [...moves.values()];
}

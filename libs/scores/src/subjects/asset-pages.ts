import { type Kysely, type SqlBool, sql } from 'kysely';
import { isDivided, type Schema } from '#libs/database';
import { sameAsset } from '#libs/tables';
import { type AssetGroup, isInGroup } from './asset-group.ts';
import { PAGE_BOUNDS, pagesOf } from './pages-of.ts';
import type { ReadingInstant } from './reading-instant.ts';

/** Filter of assets; each asset matches all given fields, and without fields all match. */
export interface SubjectScope {
  assetNos?: readonly number[];
  /** As of the instant that is read. */
  group?: AssetGroup;
}

const ASSETS_MAX = PAGE_BOUNDS.assetsMax;

interface CountedAsset {
  assetNo: number;
  findings: number;
}

/**
 * Numbers of the assets that may be in the scope, in ascending order, in pages (`pagesOf`) by all of their findings, the
 * retired ones too. Some may not be in the scope after they are read.
 */
export async function* assetPages(
  db: Kysely<Schema>,
  scope: SubjectScope,
  instant: ReadingInstant,
): AsyncGenerator<number[]> {
  const counted = countedAssets(db, scope, instant);
  for await (const page of pagesOf(counted, ({ findings }) => findings)) {
    yield page.map(({ assetNo }) => assetNo);
  }
}

async function* countedAssets(
  db: Kysely<Schema>,
  { assetNos, group }: SubjectScope,
  { isPast }: ReadingInstant,
): AsyncGenerator<CountedAsset> {
  const conditions = isPast
    ? [sql<SqlBool>`true`]
    : [sql<SqlBool>`a.deleted_at is null`, ...(group ? [isInGroup('a', group)] : [])];
  const isOfSameAsset = sameAsset(await isDivided(db));
  const given = assetNos && [...assetNos].sort((a, b) => a - b);
  for (let read = 0, after = -1; given === undefined || read < given.length; ) {
    const some = given?.slice(read, read + ASSETS_MAX);
    const range = some ? sql`a.asset_no = any(${some}::bigint[])` : sql`a.asset_no > ${after}::bigint`;
    const { rows } = await sql<CountedAsset>`
      select a.asset_no as "assetNo", (select count(*) from findings f where ${isOfSameAsset('f', 'a')}) as findings
      from assets a where ${sql.join([range, ...conditions], sql` and `)}
      order by a.asset_no limit ${ASSETS_MAX}`.execute(db);
    yield* rows;
    if (!some && rows.length < ASSETS_MAX) return;
    read += ASSETS_MAX;
    after = rows.at(-1)?.assetNo ?? after;
  }
}

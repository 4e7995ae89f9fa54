import { type Kysely, type SqlBool, sql } from 'kysely';
import type { Schema } from '#libs/database';
import { type AssetGroup, isInGroup } from './asset-group.ts';
import type { ReadingInstant } from './reading-instant.ts';

/** Which assets are read; all that is given holds of each, and without anything all are. */
export interface SubjectScope {
  assetNos?: readonly number[];
  /** As of the instant that is read. */
  group?: AssetGroup;
}

const ASSETS_MAX = 500;
const FINDINGS_MAX = 5_000;

interface CountedAsset {
  assetNo: number;
  findings: number;
}

/**
 * Numbers of the assets that may be of the scope, in ascending order, so many at a time that what is read of them fits
 * into memory: 500 assets or 5,000 findings, those that are retired by now included; an asset with more comes alone.
 * Some may turn out not to be of the scope once they are read.
 */
export async function* assetPages(
  db: Kysely<Schema>,
  scope: SubjectScope,
  instant: ReadingInstant,
): AsyncGenerator<number[]> {
  let page: number[] = [];
  let findings = 0;
  for await (const asset of countedAssets(db, scope, instant)) {
    const isFull = page.length === ASSETS_MAX || findings + asset.findings > FINDINGS_MAX;
    if (isFull && page.length > 0) {
      yield page;
      page = [];
      findings = 0;
    }
    page.push(asset.assetNo);
    findings += asset.findings;
  }
  if (page.length > 0) yield page;
}

async function* countedAssets(
  db: Kysely<Schema>,
  { assetNos, group }: SubjectScope,
  { isPast }: ReadingInstant,
): AsyncGenerator<CountedAsset> {
  const conditions = isPast
    ? [sql<SqlBool>`true`]
    : [sql<SqlBool>`a.deleted_at is null`, ...(group ? [isInGroup('a', group)] : [])];
  const given = assetNos && [...assetNos].sort((a, b) => a - b);
  for (let read = 0, after = -1; given === undefined || read < given.length; ) {
    const some = given?.slice(read, read + ASSETS_MAX);
    const range = some ? sql`a.asset_no = any(${some}::bigint[])` : sql`a.asset_no > ${after}::bigint`;
    const { rows } = await sql<CountedAsset>`
      select a.asset_no as "assetNo", (select count(*) from findings f where f.asset_no = a.asset_no) as findings
      from assets a where ${sql.join([range, ...conditions], sql` and `)}
      order by a.asset_no limit ${ASSETS_MAX}`.execute(db);
    yield* rows;
    if (!some && rows.length < ASSETS_MAX) return;
    read += ASSETS_MAX;
    after = rows.at(-1)?.assetNo ?? after;
  }
}

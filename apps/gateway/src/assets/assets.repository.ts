import { Inject, Injectable } from '@nestjs/common';
import { type Kysely, type SqlBool, sql } from 'kysely';
import { DATABASE, type Schema } from '#libs/database';
import type { Asset } from '#libs/domain';
import type { AssetFilter } from './asset-filter.pipe.ts';

export interface AssetRow {
  assetNo: number;
  asset: Asset;
  /** Null where it is not known of a past instant. */
  lastSeen: number | null;
}

/** Active findings of an asset at an instant. */
export interface AssetCounts {
  failed: number;
  qualified: number;
  accepted: number;
  notAssessed: number;
  edrControls: number;
  edrFindings: number;
}

@Injectable()
export class AssetsRepository {
  constructor(@Inject(DATABASE) private readonly db: Kysely<Schema>) {}

  async list(
    { filter, customFields }: Pick<AssetFilter, 'filter' | 'customFields'>,
    after: number,
    limit: number,
  ): Promise<AssetRow[]> {
    const { name, type, attackSurface, department, location, criticality, source } = filter;
    const rows = await this.rows()
      .where('a.deleted_at', 'is', null)
      .where('a.asset_no', '>', after)
      .$if(name !== undefined, (query) =>
        query.where(sql<SqlBool>`lower(a.name) like ${`${escapeLike(name!.toLowerCase())}%`}`),
      )
      .$if(type !== undefined, (query) => query.where('a.type', '=', type!))
      .$if(attackSurface !== undefined, (query) => query.where('a.attack_surface', '=', attackSurface!))
      .$if(department !== undefined, (query) => query.where('a.department', '=', department!))
      .$if(location !== undefined, (query) => query.where('a.location', '=', location!))
      .$if(criticality !== undefined, (query) => query.where('a.criticality', '=', criticality!))
      .$if(source !== undefined, (query) => query.where(sql<SqlBool>`a.sources @> array[${source}]`))
      .$if(Object.keys(customFields).length > 0, (query) =>
        query.where(sql<SqlBool>`a.custom_fields @> ${JSON.stringify(eachInArray(customFields))}::jsonb`),
      )
      .orderBy('a.asset_no')
      .limit(limit)
      .execute();
    return rows.map(assetRow);
  }

  /** A deleted one too. */
  async find(id: string): Promise<AssetRow | undefined> {
    const row = await this.rows().where('a.id', '=', id).executeTakeFirst();
    return row && assetRow(row);
  }

  /** Asset id → the entity key that its events carry. */
  async entityKeys(ids: string[]): Promise<Map<string, string>> {
    const rows = await this.db
      .selectFrom('assets')
      .select(['id', 'entity_key'])
      .where(sql<boolean>`id = any(${ids}::uuid[])`)
      .execute();
    return new Map(rows.map(({ id, entity_key }) => [id, entity_key]));
  }

  /** Live assets that have a value of a custom field. */
  async countWithCustomField(name: string): Promise<number> {
    const { count } = await this.db
      .selectFrom('assets')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('deleted_at', 'is', null)
      .where(sql<boolean>`custom_fields ? ${name}`)
      .executeTakeFirstOrThrow();
    return count;
  }

  async counts(assetNos: number[], now: number): Promise<Map<number, AssetCounts>> {
    const at = sql`${new Date(now).toISOString()}::timestamptz`;
    const { rows } = await sql<AssetCounts & { assetNo: number }>`
      select f.asset_no as "assetNo",
             count(*) filter (where f.state = 'Failed')::int as failed,
             count(*) filter (where f.state = 'Qualified')::int as qualified,
             count(*) filter (where f.state = 'AcceptedFailed')::int as accepted,
             count(*) filter (where f.state = 'NotAssessed')::int as "notAssessed",
             count(*) filter (where f.type = 'edr')::int as "edrControls",
             coalesce(sum((
               select count(*) from json_array_elements(f.body -> 'instances') as instance
               where instance ->> 'status' = 'fail' and (instance ->> 'counted')::boolean
             )) filter (where f.type = 'edr'), 0)::int as "edrFindings"
      from findings f
      join finding_seen s using (asset_no, finding_no)
      where f.asset_no = any(${assetNos}::bigint[])
        and f.state <> 'Retired' and s.expires_at > ${at} and s.retain_until > ${at}
      group by f.asset_no`.execute(this.db);
    return new Map(rows.map(({ assetNo, ...counts }) => [assetNo, counts]));
  }

  private rows() {
    return this.db
      .selectFrom('assets as a')
      .innerJoin('asset_seen as s', 's.asset_no', 'a.asset_no')
      .select(['a.asset_no', 'a.state', 's.last_seen']);
  }
}

export const escapeLike = (text: string) => text.replace(/[\\%_]/g, '\\$&');

/** Each option as an array: the fields of an asset hold several. */
export const eachInArray = (options: Record<string, string>) =>
  Object.fromEntries(Object.entries(options).map(([field, option]) => [field, [option]]));

const assetRow = (row: { asset_no: number; state: unknown; last_seen: number }): AssetRow => ({
  assetNo: row.asset_no,
  asset: row.state as Asset,
  lastSeen: row.last_seen,
});

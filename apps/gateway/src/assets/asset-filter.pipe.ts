import { Injectable, type PipeTransform } from '@nestjs/common';
import { sealedEntityKeys } from '#libs/sealing';
import { SubjectKeys } from '#libs/subject-keys';
import { validationPipe } from '../http/validation-pipe.ts';
import { separateTerms } from '../query-terms/with-terms.ts';
import { AssetFilterQuery, AssetsQuery } from './asset.dto.ts';
import type { AssetConditions } from './asset-conditions.ts';
import { AssetCountsQuery } from './asset-counts.dto.ts';
import { AssetsExportQuery } from './assets-export.dto.ts';
import { CUSTOM_FIELD, customFieldsOf } from './custom-fields.ts';

/** The parameters of a list of assets. */
export interface AssetFilter extends Omit<AssetConditions, 'rows' | 'notSeenSince'> {
  page: Pick<AssetsQuery, 'limit' | 'cursor' | 'sort'>;
  /** Epoch milliseconds. */
  asOf?: number;
}

/** The parameters of counts of assets. */
export type AssetCountsFilter = Omit<AssetFilter, 'page'>;

/** A checked query, and custom field → option in addition. */
export interface AssetQuery<T> {
  query: T;
  customFields: Record<string, string>;
  sealed?: AssetConditions['sealed'];
}

/**
 * Checks a query of assets by a DTO, after it has taken the `customField.<name>` parameters, which no DTO can list,
 * apart from the others. The terms of its text `q` become parameters.
 * @throws BadRequestException that names the parameter
 */
export async function readAssetQuery<T extends { q?: string }>(
  metatype: new () => T,
  given: Record<string, unknown>,
  pipe = validationPipe,
): Promise<AssetQuery<T>> {
  const entries = Object.entries(given);
  const named = entries.filter(([key]) => key.startsWith(CUSTOM_FIELD));
  const rest = Object.fromEntries(entries.filter(([key]) => !key.startsWith(CUSTOM_FIELD)));
  const checked: T = await pipe.transform(rest, { type: 'query', metatype });
  const read = await separateTerms(checked, metatype, {
    filters: AssetFilterQuery,
    prefixes: [CUSTOM_FIELD],
  });
  return { query: read.query, customFields: customFieldsOf(named, read.named) };
}

/** What GET /api/v3/assets takes. */
@Injectable()
export class AssetFilterPipe implements PipeTransform {
  constructor(private readonly keys: SubjectKeys) {}

  async transform(given: Record<string, unknown>): Promise<AssetFilter> {
    const { query, customFields } = await readAssetQuery(AssetsQuery, given);
    return { ...assetFilter(query, customFields), ...(await sealedIn(this.keys, query)) };
  }
}

/** What GET /api/v3/assets/counts takes. */
@Injectable()
export class AssetCountsPipe implements PipeTransform {
  constructor(private readonly keys: SubjectKeys) {}

  async transform(given: Record<string, unknown>): Promise<AssetCountsFilter> {
    const { query, customFields } = await readAssetQuery(AssetCountsQuery, given);
    const { asOf, ...filter } = query;
    const sealed = await sealedIn(this.keys, query);
    return { ...(asOf !== undefined && { asOf }), filter, customFields, ...sealed };
  }
}

/** What GET /api/v3/assets/export takes. */
@Injectable()
export class AssetsExportPipe implements PipeTransform {
  constructor(private readonly keys: SubjectKeys) {}

  async transform(given: Record<string, unknown>): Promise<AssetQuery<AssetsExportQuery>> {
    const read = await readAssetQuery(AssetsExportQuery, given);
    return { ...read, ...(await sealedIn(this.keys, read.query)) };
  }
}

/** The sealed users and machines that a query names. */
async function sealedIn(
  keys: SubjectKeys,
  { name, q }: Pick<AssetsQuery, 'name' | 'q'>,
): Promise<Pick<AssetConditions, 'sealed'>> {
  const byName = name === undefined ? [] : await sealedEntityKeys(keys, name);
  const byText = q === undefined ? [] : await sealedEntityKeys(keys, q);
  if (byName.length === 0 && byText.length === 0) return {};
  return { sealed: { name: byName, q: byText } };
}

/** Takes a checked query apart. */
function assetFilter(
  { limit, cursor, sort, asOf, ...filter }: AssetsQuery,
  customFields: Record<string, string>,
): AssetFilter {
  return {
    page: { limit, ...(cursor !== undefined && { cursor }), ...(sort !== undefined && { sort }) },
    ...(asOf !== undefined && { asOf }),
    filter,
    customFields,
  };
}

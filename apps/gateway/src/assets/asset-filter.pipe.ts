import { BadRequestException, Injectable, type PipeTransform } from '@nestjs/common';
import { validationPipe } from '../http/validation-pipe.ts';
import { AssetsQuery } from './asset.dto.ts';

export interface AssetFilter {
  page: Pick<AssetsQuery, 'limit' | 'cursor'>;
  /** Epoch milliseconds. */
  asOf?: number;
  filter: Omit<AssetsQuery, 'limit' | 'cursor' | 'asOf'>;
  /** Custom field → option. */
  customFields: Record<string, string>;
}

const PREFIX = 'customField.';
const CUSTOM_FIELDS_MAX = 10;

/** Takes the `customField.<name>` parameters, which no DTO can list, apart from the others (api.md: assets). */
@Injectable()
export class AssetFilterPipe implements PipeTransform {
  async transform(query: Record<string, unknown>): Promise<AssetFilter> {
    const entries = Object.entries(query);
    const named = entries.filter(([key]) => key.startsWith(PREFIX));
    const rest = Object.fromEntries(entries.filter(([key]) => !key.startsWith(PREFIX)));
    const { limit, cursor, asOf, ...filter }: AssetsQuery = await validationPipe.transform(rest, {
      type: 'query',
      metatype: AssetsQuery,
    });
    return {
      page: { limit, ...(cursor !== undefined && { cursor }) },
      ...(asOf !== undefined && { asOf }),
      filter,
      customFields: customFieldsOf(named),
    };
  }
}

function customFieldsOf(named: [string, unknown][]): Record<string, string> {
  if (named.length > CUSTOM_FIELDS_MAX) {
    throw new BadRequestException(`customField: at most ${CUSTOM_FIELDS_MAX} at once`);
  }
  return Object.fromEntries(
    named.map(([key, value]) => {
      if (typeof value !== 'string') throw new BadRequestException(`${key}: must be given once, as text`);
      return [key.slice(PREFIX.length), value];
    }),
  );
}

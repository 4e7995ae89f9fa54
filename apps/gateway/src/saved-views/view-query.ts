import { BadRequestException } from '@nestjs/common';
import { IntersectionType, OmitType, PartialType, PickType } from '@nestjs/swagger';
import { AssetsQuery } from '../assets/asset.dto.ts';
import { readAssetQuery } from '../assets/asset-filter.pipe.ts';
import { FindingsQuery } from '../findings/finding.dto.ts';
import { FindingGroupsQuery } from '../findings/finding-groups.dto.ts';
import {
  ADDRESS_PATH,
  addressPipe,
  parametersOf,
  readAddress,
  usualForm,
} from '../query-terms/address-query.ts';
import type { ViewedList } from './view.dto.ts';

/** Parameters of a page or an instant: a view has none of them. */
const OF_A_READING = ['limit', 'cursor', 'asOf'] as const;

class FindingsViewQuery extends OmitType(FindingsQuery, OF_A_READING) {}
/** A view shows findings, or groups of them. */
class GroupedViewQuery extends IntersectionType(
  FindingsViewQuery,
  PartialType(PickType(FindingGroupsQuery, ['by']), { skipNullProperties: false }),
) {}
class AssetsViewQuery extends OmitType(AssetsQuery, OF_A_READING) {}

/**
 * The parameters of a view in their usual form, after the checks of the list itself.
 * @throws BadRequestException that names the parameter, as `query.severityMin`
 */
export async function checkedViewQuery(list: ViewedList, query: string): Promise<string> {
  if (list === 'assets') await readAssets(query);
  else await readAddress(GroupedViewQuery, query);
  return usualForm(query);
}

/**
 * The parameters of a list of findings in an address, read as the list reads them.
 * @throws BadRequestException as `checkedViewQuery`
 */
export const readFindingsQuery = (query: string): Promise<FindingsViewQuery> =>
  readAddress(FindingsViewQuery, query);

/** Custom fields are checked apart from the DTO, and name no path. */
async function readAssets(query: string): Promise<void> {
  try {
    await readAssetQuery(AssetsViewQuery, parametersOf(query), addressPipe);
  } catch (error) {
    if (!(error instanceof BadRequestException) || error.message.startsWith(ADDRESS_PATH)) throw error;
    throw new BadRequestException(`${ADDRESS_PATH}${error.message}`);
  }
}

import { BadRequestException, ValidationPipe } from '@nestjs/common';
import { OmitType } from '@nestjs/swagger';
import { AssetsQuery } from '../assets/asset.dto.ts';
import { readAssetQuery } from '../assets/asset-filter.pipe.ts';
import { FindingsQuery } from '../findings/finding.dto.ts';
import { badInput } from '../http/bad-input.ts';
import { VALIDATION } from '../http/validation-pipe.ts';
import { withTerms } from '../query-terms/with-terms.ts';
import { QUERY_CHARACTERS_MAX, type ViewedList } from './view.dto.ts';

/** Parameters of a page or an instant: a view has none of them. */
const OF_A_READING = ['limit', 'cursor', 'asOf'] as const;

class FindingsViewQuery extends OmitType(FindingsQuery, OF_A_READING) {}
class AssetsViewQuery extends OmitType(AssetsQuery, OF_A_READING) {}

const PATH = 'query.';
const pipe = new ValidationPipe({ ...VALIDATION, exceptionFactory: (errors) => badInput(errors, PATH) });

/**
 * The parameters of a view in their usual form, after the checks of the list itself.
 * @throws BadRequestException that names the parameter, as `query.severityMin`
 */
export async function checkedViewQuery(list: ViewedList, query: string): Promise<string> {
  if (list === 'assets') await readAssets(parametersOf(query));
  else await readFindingsQuery(query);
  const encoded = new URLSearchParams(query).toString();
  if (encoded.length > QUERY_CHARACTERS_MAX) {
    throw new BadRequestException(`query must be of at most ${QUERY_CHARACTERS_MAX} characters when encoded`);
  }
  return encoded;
}

/**
 * The parameters of a list of findings in an address, read as the list reads them.
 * @throws BadRequestException as `checkedViewQuery`
 */
export async function readFindingsQuery(query: string): Promise<FindingsViewQuery> {
  const metatype = FindingsViewQuery;
  const given: FindingsViewQuery = await pipe.transform(parametersOf(query), { type: 'query', metatype });
  return withTerms(given, metatype, PATH);
}

/** The parameters of an address; a repeated one is a list. */
export function parametersOf(query: string): Record<string, unknown> {
  const given = new URLSearchParams(query);
  return Object.fromEntries(
    [...new Set(given.keys())].map((name) => {
      const values = given.getAll(name);
      return [name, values.length === 1 ? values[0] : values];
    }),
  );
}

/** Custom fields are checked apart from the DTO, and name no path. */
async function readAssets(parameters: Record<string, unknown>): Promise<void> {
  try {
    await readAssetQuery(AssetsViewQuery, parameters, pipe);
  } catch (error) {
    if (!(error instanceof BadRequestException) || error.message.startsWith(PATH)) throw error;
    throw new BadRequestException(`${PATH}${error.message}`);
  }
}

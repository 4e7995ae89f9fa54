import { BadRequestException, ValidationPipe } from '@nestjs/common';
import { OmitType } from '@nestjs/swagger';
import { badInput } from '../http/bad-input.ts';
import { VALIDATION } from '../http/validation-pipe.ts';
import { withTerms } from '../query-terms/with-terms.ts';
import { QUERY_CHARACTERS_MAX } from '../saved-views/view.dto.ts';
import { parametersOf } from '../saved-views/view-query.ts';
import { TechnicalReportQuery } from '../technical-report/technical-report.dto.ts';

/** The instant is that of the sending. */
class ScheduledReportQuery extends OmitType(TechnicalReportQuery, ['asOf'] as const) {}

const PATH = 'query.';
const pipe = new ValidationPipe({ ...VALIDATION, exceptionFactory: (errors) => badInput(errors, PATH) });

/**
 * The parameters of a technical report in their usual form, after the checks of the report itself.
 * @throws BadRequestException that names the parameter, as `query.severityMin`
 */
export async function checkedReportQuery(query: string): Promise<string> {
  await readReportQuery(query);
  const encoded = new URLSearchParams(query).toString();
  if (encoded.length <= QUERY_CHARACTERS_MAX) return encoded;
  throw new BadRequestException(`query must be of at most ${QUERY_CHARACTERS_MAX} characters when encoded`);
}

/** As the route of the report reads it. @throws BadRequestException as `checkedReportQuery` */
export async function readReportQuery(query: string): Promise<ScheduledReportQuery> {
  const metatype = ScheduledReportQuery;
  const given: ScheduledReportQuery = await pipe.transform(parametersOf(query), { type: 'query', metatype });
  return withTerms(given, metatype, PATH);
}

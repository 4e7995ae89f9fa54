import { OmitType } from '@nestjs/swagger';
import { readAddress, usualForm } from '../query-terms/address-query.ts';
import { TechnicalReportQuery } from '../technical-report/technical-report.dto.ts';

/** The instant is that of the sending. */
class ScheduledReportQuery extends OmitType(TechnicalReportQuery, ['asOf'] as const) {}

/**
 * The parameters of a technical report in their usual form, after the checks of the report itself.
 * @throws BadRequestException that names the parameter, as `query.severityMin`
 */
export async function checkedReportQuery(query: string): Promise<string> {
  await readReportQuery(query);
  return usualForm(query);
}

/** As the route of the report reads it. @throws BadRequestException as `checkedReportQuery` */
export const readReportQuery = (query: string): Promise<ScheduledReportQuery> =>
  readAddress(ScheduledReportQuery, query);

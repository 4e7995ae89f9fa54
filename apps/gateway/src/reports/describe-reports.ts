import { applyDecorators } from '@nestjs/common';
import {
  ApiBody,
  ApiConsumes,
  ApiExtraModels,
  ApiOkResponse,
  ApiOperation,
  ApiUnsupportedMediaTypeResponse,
  getSchemaPath,
} from '@nestjs/swagger';
import { describeUpload } from '../signals/describe-uploads.ts';
import { ReportAnswerDto, ReportPreviewDto } from './report.dto.ts';

export const REPORT_TOO_LARGE =
  'The report exceeds 32 MB, takes longer than a minute to convert, or becomes more signals than one upload takes';

/** The OpenAPI description of POST /api/v3/reports. */
export const DescribeReportUpload = () =>
  applyDecorators(
    describeUpload({
      badRequest:
        'The report is of no known format or of several, not of its format, truncated, or replaces an assessment and ' +
        'has no mapped finding or states that it is incomplete. `message` names the position',
      tooLarge: REPORT_TOO_LARGE,
    }),
    ApiOperation({
      summary:
        "Converts a scanner's report and uploads its signals. A 200 means that the log has stored all of them",
      description:
        'The body is the report as the tool wrote it, of any declared type, also with `Content-Encoding: gzip`. Every ' +
        'finding becomes part of a signal or is counted with the reason why not. The signals are one upload, with the ' +
        'checks of a ZIP. A report has at most 32 MB, uncompressed too.',
    }),
    ApiConsumes('application/octet-stream'),
    ApiBody({ schema: { type: 'string', format: 'binary' } }),
    ApiExtraModels(ReportAnswerDto, ReportPreviewDto),
    ApiOkResponse({
      schema: { anyOf: [ReportAnswerDto, ReportPreviewDto].map((dto) => ({ $ref: getSchemaPath(dto) })) },
    }),
    ApiUnsupportedMediaTypeResponse({
      description: 'The body is a form, or compressed other than with gzip',
    }),
  );

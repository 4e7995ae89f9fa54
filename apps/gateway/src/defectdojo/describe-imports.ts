import { applyDecorators } from '@nestjs/common';
import { ApiBody, ApiConflictResponse, ApiConsumes, ApiCreatedResponse, ApiOperation } from '@nestjs/swagger';
import { REPORT_TOO_LARGE } from '../reports/describe-reports.ts';
import { describeUpload, UPLOAD_CONFLICT } from '../signals/describe-uploads.ts';
import { ImportAnswerDto } from './import.dto.ts';
import { NAME_CHARACTERS_MAX, SEVERITIES } from './import-options.ts';

const name = (description: string) => ({
  type: 'string' as const,
  maxLength: NAME_CHARACTERS_MAX,
  description,
});
const id = (description: string) => ({ type: 'integer' as const, minimum: 0, description });

/** The OpenAPI description of an import route of DefectDojo's API. */
export const DescribeImport = ({ summary, closesByDefault }: { summary: string; closesByDefault: boolean }) =>
  applyDecorators(
    describeUpload({
      badRequest:
        'The form is malformed, the report is not of its scan type or truncated, or a field is unknown or not supported. ' +
        '`message` names it',
      tooLarge: REPORT_TOO_LARGE,
    }),
    ApiOperation({
      summary,
      description:
        'As clients of DefectDojo send it (docs/defectdojo.md), also with `Authorization: Token`. A 201 means that the log ' +
        'has stored all signals of the report. Other fields of DefectDojo are ignored if they only describe the run.',
    }),
    ApiConsumes('multipart/form-data'),
    ApiBody({
      schema: {
        type: 'object',
        required: ['file', 'scan_type'],
        properties: {
          file: { type: 'string', format: 'binary', description: 'The report' },
          scan_type: name('Scan type of DefectDojo, or name of a format (GET /api/v3/reports/formats)'),
          product_name: name('Asset of findings whose report names none, and of images and applications'),
          product_type_name: name('Default: that of the product of this name, otherwise `Default`'),
          engagement_name: name('Source of the findings'),
          test_title: name('Default: the scan type'),
          service: name('Part of the asset, after its name and a slash'),
          engagement: id('Id of an engagement, instead of names'),
          test: id('Id of a test, instead of names'),
          minimum_severity: {
            type: 'string',
            enum: SEVERITIES,
            description:
              'Findings below this severity (by their score, without a score by their level) are not mapped, only listed. Default: Info',
          },
          scan_date: {
            type: 'string',
            format: 'date',
            description: 'Time of findings whose report states none. Default: the time of arrival',
          },
          close_old_findings: {
            type: 'boolean',
            default: closesByDefault,
            description: 'true: replaces the whole assessment of the types of the scan type, for each asset',
          },
        },
        additionalProperties: true,
      },
    }),
    ApiCreatedResponse({ type: ImportAnswerDto }),
    ApiConflictResponse({
      description: `${UPLOAD_CONFLICT}, or the names of products, engagements and tests would exceed 100,000`,
    }),
  );

import { applyDecorators } from '@nestjs/common';
import {
  ApiBadRequestResponse,
  ApiBearerAuth,
  ApiBody,
  ApiConsumes,
  ApiExtraModels,
  ApiForbiddenResponse,
  ApiHeader,
  ApiOkResponse,
  ApiOperation,
  ApiPayloadTooLargeResponse,
  ApiTags,
  ApiTooManyRequestsResponse,
  ApiUnprocessableEntityResponse,
  getSchemaPath,
} from '@nestjs/swagger';
import { SignalAnswerDto, ZipAnswerDto, ZipPreviewDto } from './upload.dto.ts';

const describeUpload = () =>
  applyDecorators(
    ApiTags('signals'),
    ApiBearerAuth(),
    ApiHeader({
      name: 'Idempotency-Key',
      required: false,
      schema: { type: 'string', pattern: '^[!-~]{1,200}$' },
      description:
        'Up to 200 visible ASCII characters: the upload counts once however often it is sent within 24 hours',
    }),
    ApiHeader({
      name: 'Prefer',
      required: false,
      description:
        '`wait=N`: hold the answer until assets and findings show the upload, N seconds (1 to 60) at most',
    }),
    ApiForbiddenResponse({ description: 'The role may not upload' }),
    ApiUnprocessableEntityResponse({ description: 'The Idempotency-Key was used with another body' }),
    ApiTooManyRequestsResponse({ description: '`message` is the number of seconds to wait' }),
  );

/** What the API document says of POST /api/v3/signals. */
export const DescribeSignalUpload = () =>
  applyDecorators(
    describeUpload(),
    ApiOperation({ summary: 'Upload one signal; the answer says that the log holds it' }),
    ApiConsumes('application/json'),
    ApiBody({ schema: { $ref: '#/components/schemas/Signal' } }),
    ApiOkResponse({ type: SignalAnswerDto }),
    ApiBadRequestResponse({ description: 'Malformed: `message` says where, `errors` lists fields' }),
    ApiPayloadTooLargeResponse({ description: 'Larger than 1 MB' }),
  );

/** What the API document says of POST /api/v3/signals/zip. */
export const DescribeZipUpload = () =>
  applyDecorators(
    describeUpload(),
    ApiOperation({
      summary: 'Upload a ZIP of signals, one per *.json entry, with an optional config.json',
      description:
        'All or nothing: one malformed entry refuses the ZIP, unless `invalid=skip`. At most 5 MB; unpacked 1 MB an ' +
        'entry, 200 MB and 100,000 entries in all.',
    }),
    ApiConsumes('multipart/form-data'),
    ApiBody({
      schema: {
        type: 'object',
        required: ['file'],
        properties: { file: { type: 'string', format: 'binary' } },
      },
    }),
    ApiExtraModels(ZipAnswerDto, ZipPreviewDto),
    ApiOkResponse({
      schema: { anyOf: [ZipAnswerDto, ZipPreviewDto].map((dto) => ({ $ref: getSchemaPath(dto) })) },
    }),
    ApiBadRequestResponse({
      description: 'Malformed: `message` says how many and the first, `errors` lists entries',
    }),
    ApiPayloadTooLargeResponse({ description: 'Larger than 5 MB' }),
  );

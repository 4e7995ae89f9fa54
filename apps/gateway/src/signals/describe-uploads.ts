import { applyDecorators } from '@nestjs/common';
import {
  ApiBadRequestResponse,
  ApiBearerAuth,
  ApiBody,
  ApiConflictResponse,
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

export const UPLOAD_CONFLICT =
  'The interrupted upload of this Idempotency-Key cannot continue: it would differ now, or a subject of it was erased';

/** The common part of the upload routes. */
export const describeUpload = ({ badRequest, tooLarge }: { badRequest: string; tooLarge: string }) =>
  applyDecorators(
    ApiTags('signals'),
    ApiBearerAuth(),
    ApiHeader({
      name: 'Idempotency-Key',
      required: false,
      schema: { type: 'string', pattern: '^[!-~]{1,200}$' },
      description:
        'Up to 200 visible ASCII characters. Repeated uploads with the same key within 24 hours are processed once',
    }),
    ApiHeader({
      name: 'Prefer',
      required: false,
      description:
        '`wait=N`: responds after the upload is visible in assets and findings, but at most N seconds (1 to 60) later',
    }),
    ApiForbiddenResponse({ description: 'The credential does not have the scope `signals:write`' }),
    ApiUnprocessableEntityResponse({
      description: 'The Idempotency-Key was already used with a different body',
    }),
    ApiConflictResponse({ description: UPLOAD_CONFLICT }),
    ApiTooManyRequestsResponse({ description: '`message` is the number of seconds to wait' }),
    ApiBadRequestResponse({ description: badRequest }),
    ApiPayloadTooLargeResponse({ description: tooLarge }),
  );

/** The OpenAPI description of POST /api/v3/signals. */
export const DescribeSignalUpload = () =>
  applyDecorators(
    describeUpload({
      badRequest: 'The signal is malformed. `message` names the place, `errors` lists the fields',
      tooLarge: 'Larger than 1 MB',
    }),
    ApiOperation({ summary: 'Uploads one signal. A 200 means that the log has stored it' }),
    ApiConsumes('application/json'),
    ApiBody({ schema: { $ref: '#/components/schemas/Signal' } }),
    ApiOkResponse({ type: SignalAnswerDto }),
  );

/** The OpenAPI description of POST /api/v3/signals/zip. */
export const DescribeZipUpload = () =>
  applyDecorators(
    describeUpload({
      badRequest:
        'Entries are malformed. `message` contains their number and the first error, `errors` lists the entries',
      tooLarge: 'Larger than 5 MB',
    }),
    ApiOperation({
      summary: 'Uploads a ZIP file of signals, one per *.json entry, with an optional config.json',
      description:
        'One malformed entry rejects the complete ZIP, unless `invalid=skip` is set. The ZIP may have at most 5 MB and ' +
        '100,000 entries. Uncompressed, an entry may have at most 1 MB and all entries together 200 MB.',
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
  );

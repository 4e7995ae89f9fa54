import { applyDecorators } from '@nestjs/common';
import { ApiBadRequestResponse, ApiOkResponse, ApiTooManyRequestsResponse } from '@nestjs/swagger';

/** What the OpenAPI document says of every export. */
export const EXPORT_DESCRIPTION =
  'The whole list as a file, without a bound on its length; what changes meanwhile may be told as before or as after, ' +
  'and sorted by what has changed it may come twice or not at all. A failure on the way cuts the connection: a file ' +
  'that ended as HTTP says is whole. One export of a credential, and four of a gateway, at a time.';

/** Lines of JSON and CSV are texts; a document of JSON is an object. */
const schemaOf = (mediaType: string) => ({ type: mediaType.endsWith('+json') ? 'object' : 'string' });

export const ApiExport = (...mediaTypes: string[]) =>
  applyDecorators(
    ApiOkResponse({
      content: Object.fromEntries(
        mediaTypes.map((mediaType) => [mediaType, { schema: schemaOf(mediaType) }]),
      ),
    }),
    ApiBadRequestResponse({
      description: 'a parameter is not known or not as it should be: `message` names it',
    }),
    ApiTooManyRequestsResponse({
      description: 'other exports are under way; `message` is the number of seconds to wait',
    }),
  );

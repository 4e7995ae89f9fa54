import { applyDecorators } from '@nestjs/common';
import { ApiBadRequestResponse, ApiOkResponse, ApiTooManyRequestsResponse } from '@nestjs/swagger';

/** The OpenAPI description of every export. */
export const EXPORT_DESCRIPTION =
  'Returns the complete list as a file of unlimited length. An item that changes during the export appears in its ' +
  'previous or its new state. If the item changes its sort key, it can appear twice or not at all. If the export ' +
  'fails, the service closes the connection: a response that ends properly is complete. At most one export per ' +
  'credential and four per gateway run at a time.';

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
      description: 'A parameter is unknown or invalid. `message` names it',
    }),
    ApiTooManyRequestsResponse({
      description: 'The limit of concurrent exports is reached. `message` is the number of seconds to wait',
    }),
  );

import { ApiTooManyRequestsResponse } from '@nestjs/swagger';

/** The OpenAPI description of a route that reads the history in a place of `PastReads`. */
export const ApiPastRead = () =>
  ApiTooManyRequestsResponse({
    description:
      'With `asOf`, if too many requests read the history of more than 20,000 findings or assets, or measure times to remediate. ' +
      '`message` is the number of seconds to wait',
  });

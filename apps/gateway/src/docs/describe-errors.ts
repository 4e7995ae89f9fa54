import type { OpenAPIObject } from '@nestjs/swagger';
import { HISTORY_REMOVED } from '../paging/kept-history.ts';
import { type Operation, operationsOf } from './describe-operations.ts';

type Responses = Operation['responses'];

const ERROR = 'Error';

/** The body of every error. */
const errorSchema = {
  type: 'object' as const,
  required: ['statusCode', 'error', 'message'],
  properties: {
    statusCode: { type: 'integer' as const, example: 400 },
    error: {
      type: 'string' as const,
      description: 'Reason phrase of the status code',
      example: 'Bad Request',
    },
    message: {
      type: 'string' as const,
      description: 'Error message, or the number of seconds to wait (429)',
    },
    reason: {
      type: 'string' as const,
      enum: ['stale'],
      description:
        'With 409: another user has changed the object since it was read. Other conflicts have no `reason`',
    },
    retryIn: {
      type: 'integer' as const,
      description: 'Seconds until the client may retry, as in `Retry-After`',
    },
    mayHaveTakenEffect: {
      type: 'boolean' as const,
      description:
        'With 401: the access has ended after the request had begun to act. Repeat it only if that is safe, or after a look',
    },
    errors: {
      type: 'array' as const,
      items: { type: 'object' as const },
      description: 'The first 100 errors',
    },
  },
};

const content = { 'application/json': { schema: { $ref: `#/components/schemas/${ERROR}` } } };

/** Says of every operation how it refuses, so that no answer is undocumented. */
export function describeErrors(document: OpenAPIObject): void {
  document.components = {
    ...document.components,
    schemas: { ...document.components?.schemas, [ERROR]: errorSchema },
  };
  for (const [path, operation] of operationsOf(document)) operation.responses = withErrors(operation, path);
}

function withErrors(operation: Operation, path: string): Responses {
  const documented = Object.entries(operation.responses).map(([status, response]) => {
    const isBare = Number(status) >= 400 && response !== undefined && !('content' in response);
    return [status, isBare ? { ...response, content } : response];
  });
  const common = Object.entries(commonErrors(operation, path)).map(([status, description]) => [
    status,
    { description, content },
  ]);
  return { ...Object.fromEntries(common), ...Object.fromEntries(documented) };
}

function commonErrors(
  { security, requestBody, parameters = [] }: Operation,
  path: string,
): Record<string, string> {
  const isSignedIn = (security ?? []).length > 0;
  const readsHistory = parameters.some((one) => 'name' in one && /^(asOf|upload)$/.test(one.name));
  return {
    400: 'The request is malformed. `message` names the parameter or the path in the body, and the expected value',
    ...(isSignedIn && {
      401: 'The access token is missing, expired or invalid. Sign in at POST /api/v3/auth',
      403: 'The credential does not have the scope of this operation (`x-scope`)',
    }),
    ...(path.includes('{') && { 404: 'The resource does not exist', 414: 'The id is too long' }),
    ...(readsHistory && { 410: HISTORY_REMOVED }),
    ...(requestBody && { 413: 'The body is too large' }),
    431: 'The URL and headers exceed 16 KB',
    429: 'The service is overloaded or a limit is reached. `message` is the number of seconds to wait',
    503: 'A dependency of the service is unavailable. Retry after `Retry-After` seconds',
  };
}

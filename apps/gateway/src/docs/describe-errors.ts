import type { OpenAPIObject } from '@nestjs/swagger';
import { type Operation, operationsOf } from './describe-operations.ts';

type Responses = Operation['responses'];

const ERROR = 'Error';

/** The body of every refusal (D26). */
const errorSchema = {
  type: 'object' as const,
  required: ['statusCode', 'error', 'message'],
  properties: {
    statusCode: { type: 'integer' as const, example: 400 },
    error: { type: 'string' as const, description: 'The status in words', example: 'Bad Request' },
    message: { type: 'string' as const, description: 'One sentence, or the number of seconds to wait (429)' },
    retryIn: { type: 'integer' as const, description: 'Seconds after which to try again; as `Retry-After`' },
    errors: {
      type: 'array' as const,
      items: { type: 'object' as const },
      description: 'The first 100, one each',
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

function commonErrors({ security, requestBody }: Operation, path: string): Record<string, string> {
  const isSignedIn = (security ?? []).length > 0;
  return {
    400: 'Malformed: `message` names the parameter or the path in the body, and what was expected',
    ...(isSignedIn && {
      401: 'No access token, or one that has expired or is invalid: sign in at POST /api/v3/auth',
      403: 'The role of the credential may not do this',
    }),
    ...(path.includes('{') && { 404: 'There is no such thing', 414: 'The id is too long to be one' }),
    ...(requestBody && { 413: 'The body is too large' }),
    431: 'URL and headers are larger than 16 KB',
    429: 'Too much at the moment: `message` is the number of seconds to wait',
    503: 'Something that the service depends on is away: try again after `Retry-After`',
  };
}

import { applyDecorators, type Type } from '@nestjs/common';
import { ApiExtraModels, ApiOkResponse, getSchemaPath } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';

const HTML = 'text/html';
/** The page has no script and loads nothing. */
const CONTENT_SECURITY_POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox";

/** A report in JSON or, for those who ask for it, as a page. */
export const ApiReport = (report: Type) =>
  applyDecorators(
    ApiExtraModels(report),
    ApiOkResponse({
      content: {
        'application/json': { schema: { $ref: getSchemaPath(report) } },
        [HTML]: { schema: { type: 'string' } },
      },
    }),
  );

/** The body of the response: the report, or its page as a file to save. @param name of the file, without its ending */
export function reportBody<Report>(
  report: Report,
  {
    accept,
    reply,
    name,
    page,
  }: {
    accept: string | undefined;
    reply: FastifyReply;
    name: string;
    page: (report: Report) => string;
  },
): Report | string {
  void reply.header('vary', 'accept');
  if (!accepts(accept, HTML)) return report;
  void reply
    .type(`${HTML}; charset=utf-8`)
    .header('content-disposition', `attachment; filename="${name}.html"`)
    .header('content-security-policy', CONTENT_SECURITY_POLICY);
  return page(report);
}

/** Whether the header names the type; a browser that asks for anything gets JSON. */
const accepts = (accept: string | undefined, type: string): boolean =>
  (accept ?? '').split(',').some((one) => one.split(';')[0]!.trim().toLowerCase() === type);

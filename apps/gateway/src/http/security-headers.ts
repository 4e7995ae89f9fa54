import type { FastifyRequest } from 'fastify';

/** Of every response: no content sniffing, no frames of other pages, no referrer. */
const ALWAYS = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
};

const policyOf = (...sources: string[]): Record<string, string> => ({
  'content-security-policy': [
    "default-src 'none'",
    ...sources,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
});

/** Data: nothing in it runs or loads anything, also if a browser shows it as a page. */
const DATA = { ...ALWAYS, ...policyOf() };

/** No cache on the way keeps an answer that needs a token, nor an error of a path that no route serves. */
export const PRIVATE = { ...DATA, 'cache-control': 'no-store' };

/** Schemas are public and never change their meaning. */
const PUBLIC_DATA = /^\/(schemas|subjects)(\/|$)/;

/** Swagger UI adds inline styles to its page, and shows embedded images. */
const DOCS = {
  ...ALWAYS,
  ...policyOf(
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "connect-src 'self'",
  ),
};

/** Default headers of a response. */
export function securityHeaders({
  routeOptions: { url = '' },
}: Pick<FastifyRequest, 'routeOptions'>): Record<string, string> {
  if (/^\/docs(\/|$)/.test(url)) return DOCS;
  return PUBLIC_DATA.test(url) ? DATA : PRIVATE;
}

/**
 * Headers of every file of the console: it runs only its own files and calls only this service.
 *
 * @param nonce of the page: only inline styles with this nonce are permitted
 */
export const consoleHeaders = (nonce: string): Record<string, string> => ({
  ...ALWAYS,
  ...policyOf(
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self'",
    "connect-src 'self'",
  ),
});

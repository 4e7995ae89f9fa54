import type { FastifyRequest } from 'fastify';

/** Of every answer: it is what it says that it is, is shown in no frame of another page, and tells no other site whence. */
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
const PRIVATE = { ...DATA, 'cache-control': 'no-store' };

/** Schemas are public and never change their meaning. */
const PUBLIC_DATA = /^\/(schemas|subjects)(\/|$)/;

/** Swagger UI writes styles of its own into its page, and shows images that it holds. */
const DOCS = {
  ...ALWAYS,
  ...policyOf(
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "connect-src 'self'",
  ),
};

/** What an answer is served with unless its route says otherwise. */
export function securityHeaders({
  routeOptions: { url = '' },
}: Pick<FastifyRequest, 'routeOptions'>): Record<string, string> {
  if (/^\/docs(\/|$)/.test(url)) return DOCS;
  return PUBLIC_DATA.test(url) ? DATA : PRIVATE;
}

/**
 * What every file of the console is served with: it runs its own files alone and asks this service alone.
 *
 * @param nonce of the page: the only inline styles that it may have are those that carry it
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

import { applyDecorators, SetMetadata } from '@nestjs/common';
import { ApiExtension } from '@nestjs/swagger';

/** What a credential or an API token may do: a resource, and whether it is read or changed. */
export const SCOPES = [
  'signals:write',
  'uploads:read',
  'assets:read',
  'findings:read',
  'findings:accept',
  'findings:triage',
  'scores:read',
  'changes:read',
  'integrations:read',
  'integrations:write',
  'webhooks:read',
  'webhooks:write',
  'settings:read',
  'settings:write',
  'audit:read',
  'security-events:read',
  'credentials:read',
  'credentials:write',
  'users:read',
  'users:write',
  'erasures:read',
  'erasures:write',
] as const;
export type Scope = (typeof SCOPES)[number];

const VIEWER: readonly Scope[] = [
  'uploads:read',
  'assets:read',
  'findings:read',
  'scores:read',
  'changes:read',
  'integrations:read',
  'settings:read',
];

/** A role is a named set of scopes. */
export const ROLES = {
  admin: new Set<Scope>(SCOPES),
  analyst: new Set<Scope>([...VIEWER, 'signals:write', 'findings:accept', 'findings:triage', 'audit:read']),
  viewer: new Set<Scope>(VIEWER),
} as const satisfies Record<string, ReadonlySet<Scope>>;
export type Role = keyof typeof ROLES;

export const isRole = (name: unknown): name is Role => typeof name === 'string' && Object.hasOwn(ROLES, name);

const SCOPE_NAMES: ReadonlySet<string> = new Set(SCOPES);
export const isScope = (name: string): name is Scope => SCOPE_NAMES.has(name);

export const REQUIRED_SCOPES = Symbol('RequiredScopes');
export const PUBLIC = Symbol('Public');
export const SIGNED_IN = Symbol('SignedIn');
export const LIMITED_CALLERS = Symbol('LimitedCallers');
export const TOKEN_SCHEME = Symbol('TokenScheme');

/**
 * The scopes that a route requires, all of them, which the OpenAPI document returns as `x-scope`, separated by spaces as
 * in OAuth 2. On a class for all its routes, of which each can require others instead. A route that requires neither a
 * scope nor a sign-in and is not public rejects every caller. A scope that depends on the body is for the service:
 * `assertScope`.
 */
export const RequiresScope = (...scopes: [Scope, ...Scope[]]) =>
  applyDecorators(SetMetadata(REQUIRED_SCOPES, scopes), ApiExtension('x-scope', scopes.join(' ')));

/**
 * `rows`: the route returns and changes only rows that the caller may see; `open`: it contains no row of an asset. Routes
 * without it reject callers that are limited to departments or locations. On a class it applies to each of its routes.
 */
export type LimitedCallers = 'rows' | 'open';

/** The OpenAPI document returns it as `x-limited-callers`. */
export const AdmitsLimited = (how: LimitedCallers) =>
  applyDecorators(SetMetadata(LIMITED_CALLERS, how), ApiExtension('x-limited-callers', how));

/** The route also takes `Authorization: Token`, with an access token, an API token or `username:password`. */
export const AcceptsTokenScheme = () => SetMetadata(TOKEN_SCHEME, true);

/**
 * The route requires a token, and no scope: it concerns only the caller.
 * @param limited `rows`: the body decides which scope it requires (`assertScope`)
 */
export const RequiresSignIn = (limited: LimitedCallers = 'open') =>
  applyDecorators(SetMetadata(SIGNED_IN, true), AdmitsLimited(limited));

/** The route asks for no token. */
export const Public = () => SetMetadata(PUBLIC, true);

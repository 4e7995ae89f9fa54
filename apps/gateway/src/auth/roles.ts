import { SetMetadata } from '@nestjs/common';

/** `admin` may do everything, `analyst` accepts, reverts and uploads, `viewer` reads. */
export type Role = 'admin' | 'analyst' | 'viewer';

export const ROLES = Symbol('Roles');
export const PUBLIC = Symbol('Public');

/** The route asks for one of these roles; without it any token will do. */
export const Roles = (...roles: Role[]) => SetMetadata(ROLES, roles);

/** The route also takes `Authorization: Token`, with an access token or `username:password`. */
export const TOKEN_SCHEME = Symbol('TokenScheme');
export const AcceptsTokenScheme = () => SetMetadata(TOKEN_SCHEME, true);

/** The route asks for no token. */
export const Public = () => SetMetadata(PUBLIC, true);

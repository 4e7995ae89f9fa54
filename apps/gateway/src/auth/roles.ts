import { SetMetadata } from '@nestjs/common';

/** `admin` may do everything, `analyst` accepts, reverts and uploads, `viewer` reads. */
export type Role = 'admin' | 'analyst' | 'viewer';

export const ROLES = Symbol('Roles');
export const PUBLIC = Symbol('Public');

/** The route asks for one of these roles; without it any token will do. */
export const Roles = (...roles: Role[]) => SetMetadata(ROLES, roles);

/** The route asks for no token. */
export const Public = () => SetMetadata(PUBLIC, true);

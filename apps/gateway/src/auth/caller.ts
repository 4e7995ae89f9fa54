import { BadRequestException, createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { RowLimits } from '#libs/tables';
import { whenClosed } from '../http/when-closed.ts';
import type { Access } from './access.ts';
import type { SignedInRequest } from './auth.guard.ts';
import type { Scope } from './scopes.ts';

/** Who sends an upload or acts, and by which request. */
export interface Caller {
  credentialId: string;
  user: string;
  requestId: string;
  /** IP address of the client. */
  address: string;
  /** Of the token: the beginning of its SHA-256, in hexadecimal digits. */
  token: string;
  /** Waits and streams for the caller end with its signal. */
  access: Pick<Access, 'signal' | 'assertLasts' | 'act' | 'close' | 'isBoundToRows'>;
}

/** Who waits for an answer that takes long. */
export interface Reader {
  credentialId: string;
  /** Aborted when the access of the request ends, and when its connection is closed. */
  signal: AbortSignal;
}

/** A caller that reads or acts on rows. */
export interface LimitedCaller extends Caller {
  rows: RowLimits;
}

/** A caller with its scopes. */
export interface ScopedCaller extends LimitedCaller {
  scopes: ReadonlySet<Scope>;
}

/** The caller that the guard let in. */
export const CalledBy = createParamDecorator((_: unknown, context: ExecutionContext): ScopedCaller => {
  const { access, id, ip, token } = context.switchToHttp().getRequest<SignedInRequest>();
  const { credentialId, name } = access.principal;
  const { rows, scopes } = access;
  return { credentialId, user: name, requestId: id, address: ip, token, access, rows, scopes };
});

/** The caller, for as long as it waits. */
export const ReadBy = createParamDecorator((_: unknown, context: ExecutionContext): Reader => {
  const { access } = context.switchToHttp().getRequest<SignedInRequest>();
  const closed = new AbortController();
  whenClosed(context.switchToHttp().getResponse<FastifyReply>(), () =>
    closed.abort(new BadRequestException('the connection was closed before the answer')),
  );
  const signal = AbortSignal.any([access.signal, closed.signal]);
  return { credentialId: access.principal.credentialId, signal };
});

/** The rows that the caller may see. */
export const VisibleRows = createParamDecorator(
  (_: unknown, context: ExecutionContext): RowLimits =>
    context.switchToHttp().getRequest<SignedInRequest>().access.rows,
);

/** The scopes of the caller: nobody grants others more than that. */
export const CallerScopes = createParamDecorator(
  (_: unknown, context: ExecutionContext): ReadonlySet<Scope> =>
    context.switchToHttp().getRequest<SignedInRequest>().access.scopes,
);

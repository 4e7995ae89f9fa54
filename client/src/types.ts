import type { Client, ClientPathsWithMethod, MaybeOptionalInit, MethodResponse } from 'openapi-fetch';
import type { components, paths } from './schema.ts';

/** Schemas of the HTTP API by name: `Schemas['FindingDto']`. */
export type Schemas = components['schemas'];

/** The openapi-fetch client, typed by the OpenAPI document. */
export type Raw = Client<paths>;

export type Method = 'get' | 'post' | 'patch' | 'delete';

/** Paths that support a method. */
export type PathsOf<M extends Method> = ClientPathsWithMethod<Raw, M>;

/** Parameters, body, headers and signal of a request. */
export type Options<M extends Method, P extends PathsOf<M>> = MaybeOptionalInit<paths[P], M & keyof paths[P]>;

/** The options of a request, optional if it requires none. */
export type Rest<T> = undefined extends T ? [options?: T] : [options: T];

/** The response of a successful request. */
export type Answer<M extends Method, P extends PathsOf<M>> = MethodResponse<Raw, M, P>;

/** A page of a list. */
export interface Page<T> {
  items: T[];
  /** null on the last page */
  nextCursor: string | null;
}

/** Paths that return pages. */
export type ListPath = {
  [P in PathsOf<'get'>]: Answer<'get', P> extends Page<unknown> ? P : never;
}[PathsOf<'get'>];

/** An item of a list. */
export type Item<P extends ListPath> = Answer<'get', P> extends Page<infer T> ? T : never;

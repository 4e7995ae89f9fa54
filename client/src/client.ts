import createRaw from 'openapi-fetch';
import { ApiError } from './api-error.ts';
import { authorized, type Send } from './authorized.ts';
import { type Change, type ChangesOptions, followChanges } from './changes.ts';
import { items, pages } from './pages.ts';
import { boundedRetries, RETRY_BOUNDS, type RetryBounds, type RetryPolicy, type Wait } from './retry.ts';
import type { paths } from './schema.ts';
import { type Credentials, Session } from './session.ts';
import type { Answer, Item, ListPath, Method, Options, Page, PathsOf, Raw, Rest, Schemas } from './types.ts';
import { formOf, newKey, type UploadOptions, type Zip } from './upload.ts';
import { untilFolded, type WaitOptions } from './wait-until-folded.ts';

export type ClientOptions = Credentials & {
  /** Address of the service: `http://127.0.0.1:8080`. */
  url: string;
  /** Limits of retries, or a policy. Default: 6 attempts, 120 s of total wait. */
  retry?: Partial<RetryBounds> | RetryPolicy;
  /** Called before each wait, for logging. */
  onWait?: (wait: Wait) => void;
  /** Replaces the `fetch` of the platform. */
  fetch?: (request: Request) => Promise<Response>;
};

/** A signed-in client. Every method throws `ApiError` if the response is an error. */
export interface PostureClient {
  /** `get('/api/v3/findings/{id}', { params: { path: { id } } })` */
  get<P extends PathsOf<'get'>>(path: P, ...options: Rest<Options<'get', P>>): Promise<Answer<'get', P>>;
  post<P extends PathsOf<'post'>>(path: P, ...options: Rest<Options<'post', P>>): Promise<Answer<'post', P>>;
  patch<P extends PathsOf<'patch'>>(
    path: P,
    ...options: Rest<Options<'patch', P>>
  ): Promise<Answer<'patch', P>>;
  delete<P extends PathsOf<'delete'>>(
    path: P,
    ...options: Rest<Options<'delete', P>>
  ): Promise<Answer<'delete', P>>;

  /** Items of a list; pages load on demand: `for await (const finding of client.items('/api/v3/findings'))`. */
  items<P extends ListPath>(path: P, ...options: Rest<Options<'get', P>>): AsyncGenerator<Item<P>, void>;
  /** The pages of a list. */
  pages<P extends ListPath>(
    path: P,
    ...options: Rest<Options<'get', P>>
  ): AsyncGenerator<Page<Item<P>>, void>;

  /** Uploads one signal. It resolves after the signal is stored in the log. */
  sendSignal(signal: Schemas['Signal'], options?: UploadOptions): Promise<Schemas['SignalAnswerDto']>;
  /**
   * Uploads a ZIP of signals of at most 5 MB. The service accepts all entries or none.
   * @param options `skipInvalid` skips malformed entries instead of rejecting the ZIP
   */
  uploadZip(zip: Zip, options?: UploadOptions & { skipInvalid?: boolean }): Promise<Schemas['ZipAnswerDto']>;
  /** Previews the outcome of a ZIP upload. Nothing is stored. */
  previewZip(
    zip: Zip,
    options?: { skipInvalid?: boolean; signal?: AbortSignal },
  ): Promise<Schemas['ZipPreviewDto']>;
  /**
   * Resolves after assets and findings contain the upload, with the outcome of its signals.
   * @param upload the response to the upload, or its id
   * @throws NotFoldedError after `timeoutMs`; the service still folds the upload later. A TimeoutError if the service
   *   has not answered until then
   */
  waitUntilFolded(
    upload: string | { uploadId: string },
    options?: WaitOptions,
  ): Promise<Schemas['UploadDto']>;

  /** Changes in real time, with automatic reconnects; see `ChangesOptions`. */
  changes(options?: ChangesOptions): AsyncGenerator<Change, void>;

  /** The openapi-fetch client: returns `{data, error, response}`, supports `parseAs`, and does not throw on errors. */
  readonly raw: Raw;
}

/** Creates a client. It signs in before the first request, and again after the token expires. */
export function createClient(options: ClientOptions): PostureClient {
  const url = options.url.replace(/\/+$/, '');
  const { retry = {}, onWait = () => {} } = options;
  const policy = typeof retry === 'function' ? retry : boundedRetries({ ...RETRY_BOUNDS, ...retry });
  const retries = { policy, onWait };
  const send: Send = options.fetch ?? ((request, signal) => fetch(request, signal && { signal }));
  const session = new Session(url, options, send, retries);
  const raw = createRaw<paths>({
    baseUrl: url,
    fetch: authorized(session, send, retries),
    // `type=va,edr`: one parameter with all alternatives.
    querySerializer: { array: { style: 'form', explode: false } },
  });

  // Only the caller knows the types of a path.
  // biome-ignore lint/suspicious/noExplicitAny: as above
  const ask = async (method: Method, path: string, given?: any): Promise<any> => {
    const { data, error, response } = await raw.request(method, path as never, given as never);
    if (!response.ok) throw ApiError.of(method.toUpperCase(), response, error);
    return data;
  };
  // biome-ignore lint/suspicious/noExplicitAny: as above
  const pagesOf = (path: string, given?: any): AsyncGenerator<Page<any>, void> =>
    pages((cursor) => {
      const query = { ...given?.params?.query, ...(cursor === undefined ? {} : { cursor }) };
      return ask('get', path, { ...given, params: { ...given?.params, query } });
    });
  const sendZip = async (zip: Zip, query: object, key: string | undefined, signal: AbortSignal | undefined) =>
    ask('post', '/api/v3/signals/zip', {
      params: { query, header: { 'Idempotency-Key': key } },
      headers: { accept: 'application/json' },
      body: await formOf(zip, signal),
      bodySerializer: (form: FormData) => form,
      signal,
    });

  return {
    raw,
    get: (path, ...[given]) => ask('get', path, given),
    post: (path, ...[given]) => ask('post', path, given),
    patch: (path, ...[given]) => ask('patch', path, given),
    delete: (path, ...[given]) => ask('delete', path, given),
    items: (path, ...[given]) => items(pagesOf(path, given)),
    pages: (path, ...[given]) => pagesOf(path, given),
    sendSignal: (signal, { idempotencyKey = newKey(), signal: abort } = {}) =>
      ask('post', '/api/v3/signals', {
        params: { header: { 'Idempotency-Key': idempotencyKey } },
        body: signal,
        signal: abort,
      }),
    uploadZip: (zip, { skipInvalid, idempotencyKey = newKey(), signal } = {}) =>
      sendZip(zip, skipInvalid ? { invalid: 'skip' } : {}, idempotencyKey, signal),
    previewZip: (zip, { skipInvalid, signal } = {}) =>
      sendZip(zip, { dryRun: 'true', ...(skipInvalid ? { invalid: 'skip' } : {}) }, undefined, signal),
    waitUntilFolded: (upload, waiting = {}) => {
      const id = typeof upload === 'string' ? upload : upload.uploadId;
      return untilFolded(
        (signal) => ask('get', '/api/v3/uploads/{id}', { params: { path: { id } }, signal }),
        waiting,
      );
    },
    changes: (following = {}) => {
      const { topics } = following;
      const open = (after: string | undefined, signal: AbortSignal) =>
        ask('get', '/api/v3/changes', {
          params: { query: { topics: topics?.join() }, header: { 'Last-Event-ID': after } },
          parseAs: 'stream',
          signal,
        });
      return followChanges(open, following);
    },
  };
}

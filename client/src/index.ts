export { ApiError, type Problem } from './api-error.ts';
export {
  AccessChangedError,
  type Change,
  type ChangesOptions,
  type ChangeTopic,
  RevokedError,
} from './changes.ts';
export { type ClientOptions, createClient, type PostureClient } from './client.ts';
export { EventTooLargeError } from './event-stream.ts';
export type { FailedAttempt, RetryBounds, RetryPolicy, Wait, WaitAfter } from './retry.ts';
export type { components, operations, paths } from './schema.ts';
export type { Credentials } from './session.ts';
export type { Answer, Item, ListPath, Options, Page, PathsOf, Schemas } from './types.ts';
export type { UploadOptions, Zip } from './upload.ts';
export { NotFoldedError, type WaitOptions } from './wait-until-folded.ts';

export * from './change-codecs.ts';
export * from './registered-schemas.repository.ts';
export * from './registry-client.ts';
export * from './registry-error.ts';
export * from './token.ts';

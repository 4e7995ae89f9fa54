export * from './connection-error.ts';
export * from './database.ts';
export * from './embedded-postgres.ts';
export * from './instant.ts';
export * from './migrate.ts';
export * from './on-one-core.ts';
export * from './running-instance.ts';
export * from './schema.ts';

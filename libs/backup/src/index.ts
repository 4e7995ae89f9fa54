export * from './backup.ts';
export * from './backup-error.ts';
export * from './backup-site.ts';
export type { EndedCredentials } from './end-credentials.ts';
export * from './outside-tables.ts';
export * from './restore-site.ts';

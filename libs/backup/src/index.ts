export * from './backup.ts';
export * from './backup-error.ts';
export * from './backup-site.ts';
export { copyErasures, erasuresOf, listErasures, readErasures } from './erasure-list.ts';
export * from './outside-tables.ts';
export * from './replace-tables.ts';
export * from './restore-site.ts';

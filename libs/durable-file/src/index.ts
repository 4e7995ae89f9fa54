export * from './folders.ts';
export * from './storage-error.ts';
export * from './write-durably.ts';

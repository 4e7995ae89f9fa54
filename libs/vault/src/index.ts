export * from './secret-places.ts';
export * from './vault.ts';

export * from './clock.ts';
export * from './config.ts';
export * from './list-of.ts';
export * from './logger.ts';
export * from './oidc-providers.ts';
export * from './secret-file.ts';
export * from './secret-key.ts';

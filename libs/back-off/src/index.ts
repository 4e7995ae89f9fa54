export * from './back-off.ts';
export * from './retry-after.ts';

export * from './back-off.ts';

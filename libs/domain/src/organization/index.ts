export * from './change-organization.ts';
export * from './organization.ts';
export * from './organization-outcome.ts';

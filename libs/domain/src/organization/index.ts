export * from './change-organization.ts';
export { isSameName } from './names.ts';
export * from './organization.ts';
export * from './organization-outcome.ts';
export { PLANS_MAX } from './save-plan.ts';

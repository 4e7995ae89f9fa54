export * from './upload-events.ts';
export * from './upload-plan.ts';

export { syncUploadId } from './sync-upload-id.ts';
export * from './upload-events.ts';
export * from './upload-plan.ts';

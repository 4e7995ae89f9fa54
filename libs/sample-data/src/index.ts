export { type DemoSignal, type DemoSize, type DemoUpload, demoUploads } from './demo-uploads.ts';
export { DEPARTMENTS, LOCATIONS } from './entities.ts';
export { pastScans } from './past-scans.ts';
export {
  AGENT_SOURCE,
  agentDescriptions,
  type DescribedMachine,
  INVENTORY_TAGS,
  inventoryDescriptions,
  isDetection,
} from './platforms.ts';
export { createRandom, type Random } from './random.ts';
export type { SampleSignal } from './sample-signal.ts';
export { severityLevel } from './severity-level.ts';

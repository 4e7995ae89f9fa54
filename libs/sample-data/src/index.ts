export { type DemoSignal, type DemoSize, type DemoUpload, demoUploads } from './organization/demo-uploads.ts';
export { DEPARTMENTS, LOCATIONS } from './organization/entities.ts';
export { pastScans } from './organization/past-scans.ts';
export {
  AGENT_SOURCE,
  agentDescriptions,
  type DescribedMachine,
  INVENTORY_TAGS,
  inventoryDescriptions,
  isDetection,
} from './organization/platforms.ts';
export { createRandom, type Random } from './random.ts';
export type { SampleSignal } from './sample-signal.ts';
export { knownVulnerabilities, type ScannedMachine, type Spread, scannedMachines } from './scans/machines.ts';
export { rescan, slices } from './scans/rescans.ts';
export { smallMachines } from './scans/small-machines.ts';

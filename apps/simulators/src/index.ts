export { AXONIUS_KEYS } from './axonius/axonius-platform.ts';
export type { Device } from './axonius/device.ts';
export { FALCON_CLIENTS } from './falcon/falcon-client.ts';
export type { Host } from './falcon/host.ts';
export type { Fault, FaultAct } from './faults/fault.ts';
export { type Simulators, startSimulators } from './start-simulators.ts';
export { TENABLE_KEYS } from './tenable/tenable-platform.ts';

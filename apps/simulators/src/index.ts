export { AXONIUS_KEYS } from './axonius/axonius-platform.ts';
export type { AdapterTag, Device } from './axonius/device.ts';
export type { Control } from './control/control.ts';
export type { Alert } from './falcon/alert.ts';
export { FALCON_CLIENTS, type Scope } from './falcon/falcon-client.ts';
export type { Host } from './falcon/host.ts';
export type { Fault, FaultAct } from './faults/fault.ts';
export type { LoggedRequest } from './http/request-log.ts';
export { type SimulatorOptions, type Simulators, startSimulators } from './start-simulators.ts';

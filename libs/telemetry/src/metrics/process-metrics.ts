import { collectDefaultMetrics } from 'prom-client';
import { gauge, registry } from './registry.ts';

export const programInfo = gauge({
  name: 'posture_program_info',
  help: 'Always 1: which program this process runs',
  labels: ['program'],
});

export const databaseConnections = gauge({
  name: 'posture_database_connections',
  help: 'Connections of the process to the database by state; waiting: callers that wait for one',
  labels: ['state'],
});

export const clockSkewSeconds = gauge({
  name: 'posture_clock_skew_seconds',
  help: 'The clock of this process minus that of the database',
});

export const clockTrusted = gauge({
  name: 'posture_clock_trusted',
  help: '1: this process stamps events by its clock; 0: it differs too far from the others, and nothing is stamped or swept',
});

export const dataDirFreeBytes = gauge({
  name: 'posture_data_dir_free_bytes',
  help: 'What may still be written to the file system of DATA_DIR',
});

export const dataDirSizeBytes = gauge({
  name: 'posture_data_dir_size_bytes',
  help: 'Size of the file system of DATA_DIR',
});

let isMeasured = false;

/** Event loop delay, memory, CPU and garbage collection of the process; further calls change the name alone. */
export function measureProcess(program: string): void {
  programInfo.reset();
  programInfo.set({ program }, 1);
  if (isMeasured) return;
  isMeasured = true;
  collectDefaultMetrics({ register: registry });
}

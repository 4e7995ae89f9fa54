import { collectDefaultMetrics } from 'prom-client';
import { gauge, registry } from './registry.ts';

const programInfo = gauge({
  name: 'posture_program_info',
  help: 'Always 1; the label contains the program of this process',
  labels: ['program'],
});

export const databaseConnections = gauge({
  name: 'posture_database_connections',
  help: 'Database connections of this process by state; waiting: number of callers that wait for a connection',
  labels: ['state'],
});

export const clockSkewSeconds = gauge({
  name: 'posture_clock_skew_seconds',
  help: 'Clock of this process minus clock of the database',
});

export const clockTrusted = gauge({
  name: 'posture_clock_trusted',
  help: '1: the clock of this process is trusted; 0: it differs too much from other clocks, and the process rejects uploads and processes no expirations',
});

export const dataDirFreeBytes = gauge({
  name: 'posture_data_dir_free_bytes',
  help: 'Free space in the file system of DATA_DIR',
});

export const dataDirSizeBytes = gauge({
  name: 'posture_data_dir_size_bytes',
  help: 'Size of the file system of DATA_DIR',
});

let isMeasured = false;

/** Event loop delay, memory, CPU and garbage collection of the process; further calls change only the name. */
export function measureProcess(program: string): void {
  programInfo.reset();
  programInfo.set({ program }, 1);
  if (isMeasured) return;
  isMeasured = true;
  collectDefaultMetrics({ register: registry });
}

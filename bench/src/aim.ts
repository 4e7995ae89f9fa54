import type { ProcessUse } from './run/process-use.ts';

export interface Aim {
  text: string;
  isMet: boolean;
}

const PEAK_MB_MAX = 400;
/** Whose memory is the engine's own matter, or the benchmark's. */
const OTHERS: ReadonlySet<string> = new Set(['PostgreSQL', 'Kafka', 'client']);

/** Design "Benchmarks", memory: of each of the service's own processes. */
export const memoryAim = (processes: readonly ProcessUse[]): Aim => ({
  text: `each process ≤ ${PEAK_MB_MAX} MB`,
  isMet: processes.every(({ name, peakRssMb }) => OTHERS.has(name) || peakRssMb <= PEAK_MB_MAX),
});

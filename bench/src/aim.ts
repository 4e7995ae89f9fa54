import type { ProcessUse } from './run/process-use.ts';

export interface Aim {
  text: string;
  isMet: boolean;
}

const PEAK_MB_MAX = 400;
/** Processes that do not belong to the service. */
const OTHERS: ReadonlySet<string> = new Set(['PostgreSQL', 'Kafka', 'client']);

/** The memory limit of each process of the service. */
export const memoryAim = (processes: readonly ProcessUse[]): Aim => ({
  text: `each process ≤ ${PEAK_MB_MAX} MB`,
  isMet: processes.every(({ name, peakRssMb }) => OTHERS.has(name) || peakRssMb <= PEAK_MB_MAX),
});

/** For people, a line each. */
export const aimLines = (aims: readonly Aim[]): string[] =>
  aims.map(({ text, isMet }) => `  aim       ${text}: ${isMet ? 'met' : 'NOT met'}`);

/** For docs/benchmarks.md. */
export const aimsCell = (aims: readonly Aim[]): string =>
  aims.map(({ text, isMet }) => `${text}: ${isMet ? 'met' : 'not met'}`).join('; ');

import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { Injectable, type OnApplicationShutdown, PayloadTooLargeException } from '@nestjs/common';
import { Piscina } from 'piscina';
import { projectFile } from '#libs/project-files';
import { WORKER_ARGV } from '../signals/zip/zip-workers.ts';
import { CONVERSION_MS_MAX } from './report-limits.ts';
import type { ReportResult, ReportTask } from './report-worker.ts';

/** One core stays for HTTP and the log. */
const THREADS_MAX = availableParallelism() > 2 ? 2 : 1;
const IDLE_MS = 60_000;
/** A worker that outgrows this is ended, and its report answered with a 500, before it harms the process. */
export const HEAP_MB_MAX = 256;

/** Workers run the built code, also in tests. */
const WORKER = fileURLToPath(projectFile('dist/programs/report-worker.js'));

/** Threads that convert reports, so that a report never blocks other requests or ZIPs. Callers limit how many wait. */
@Injectable()
export class ReportWorkers implements OnApplicationShutdown {
  private readonly pool = new Piscina<ReportTask, ReportResult>({
    filename: WORKER,
    execArgv: WORKER_ARGV,
    minThreads: 0,
    maxThreads: THREADS_MAX,
    idleTimeout: IDLE_MS,
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB_MAX },
  });

  /**
   * @param signal ends the conversion, if nobody waits for it any more
   * @throws PayloadTooLargeException (413) if it takes longer than a minute
   */
  async convert(task: ReportTask, signal: AbortSignal): Promise<ReportResult> {
    const timeout = AbortSignal.timeout(CONVERSION_MS_MAX);
    try {
      return await this.pool.run(task, { name: 'convertReport', signal: AbortSignal.any([timeout, signal]) });
    } catch (error) {
      if (!timeout.aborted) throw error;
      throw new PayloadTooLargeException(
        `the conversion took longer than ${CONVERSION_MS_MAX / 1_000} seconds: convert the report with posture convert and send the ZIPs`,
      );
    }
  }

  /** After the server has answered its accepted requests. */
  async onApplicationShutdown(): Promise<void> {
    await this.pool.destroy();
  }
}

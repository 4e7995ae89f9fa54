import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { MessageChannel } from 'node:worker_threads';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Piscina } from 'piscina';
import { projectFile } from '#libs/project-files';
import type { EventSealer } from '#libs/sealing';
import { RetryLaterException } from '../../http/http-errors.ts';
import { ChunkReceiver } from './chunk-port.ts';
import { KeyAnswer } from './key-port.ts';
import type { ZipUpload } from './plan-zip.ts';
import type { RecordChunk } from './record-chunks.ts';
import type { ZipResult, ZipTask } from './zip-worker.ts';

/** One core stays for HTTP and the log; a second worker if there are cores for it. */
const THREADS_MAX = availableParallelism() > 2 ? 2 : 1;
const QUEUE_MAX = 64;
const RETRY_SECONDS = 5;
const IDLE_MS = 60_000;
/** A worker that outgrows this is ended, and its upload answered with a 500, before it harms the process. */
export const HEAP_MB_MAX = 160;

/** Workers run the built code, also in tests. */
const WORKER = fileURLToPath(projectFile('dist/programs/zip-worker.js'));

/**
 * Piscina first tries to `require` the worker's module, which is ESM. Node 20 can, but ends the whole process if the
 * thread is stopped during it; so that is disabled, and the module is imported.
 */
export const WORKER_ARGV = [
  ...process.execArgv.filter((argument) => argument === '--enable-source-maps'),
  '--no-experimental-require-module',
];

/** Threads that read ZIPs, so that an upload never blocks other requests. */
@Injectable()
export class ZipWorkers implements OnApplicationShutdown {
  private readonly pool = new Piscina<ZipTask, ZipResult>({
    filename: WORKER,
    execArgv: WORKER_ARGV,
    minThreads: 1,
    maxThreads: THREADS_MAX,
    maxQueue: QUEUE_MAX,
    idleTimeout: IDLE_MS,
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB_MAX },
  });

  /**
   * Reads a ZIP (its memory moves to the worker); `append` gets its records in order, chunk by chunk, once all of it
   * is valid, and with `sealer` sealed.
   * @throws RetryLaterException (429) if too many wait already
   * @throws any error of `append` and `sealer`
   */
  async process(
    zip: Uint8Array<ArrayBuffer>,
    upload: ZipUpload,
    append: (chunk: RecordChunk) => Promise<void>,
    sealer: Pick<EventSealer, 'isOn' | 'keysOf'>,
  ): Promise<ZipResult> {
    if (this.pool.queueSize >= QUEUE_MAX) throw new RetryLaterException(RETRY_SECONDS, 'zip_queue');
    const { port1, port2 } = new MessageChannel();
    const receiver = new ChunkReceiver(port1, append);
    const keys = sealer.isOn ? new MessageChannel() : null;
    const answer = keys && new KeyAnswer(keys.port1, (names) => sealer.keysOf(names));
    try {
      return await this.pool.run(
        { zip, upload, port: port2, ...(keys && { keys: keys.port2 }) },
        { name: 'processZip', transferList: [zip.buffer, port2, ...(keys ? [keys.port2] : [])] },
      );
    } catch (error) {
      throw answer?.failure ?? receiver.failure ?? error;
    } finally {
      receiver.close();
      answer?.close();
    }
  }

  /** After the server has answered its accepted requests. */
  async onApplicationShutdown(): Promise<void> {
    await this.pool.destroy();
  }
}

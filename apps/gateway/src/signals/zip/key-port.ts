import { once } from 'node:events';
import type { MessagePort } from 'node:worker_threads';
import type { SealKeys } from '#libs/sealing';

/** Keys of subjects by their names, for a worker, which has no database. */
export type KeysOf = (names: string[]) => Promise<SealKeys>;

/** The worker's side. @throws Error if the main thread cannot read them: it knows why */
export const keysFrom =
  (port: MessagePort): KeysOf =>
  async (names) => {
    port.postMessage(names);
    const [keys] = (await once(port, 'message')) as [SealKeys | null];
    if (keys === null) throw new Error('the keys of the upload cannot be read');
    return keys;
  };

/** The main thread's side: answers questions, one at a time; `failure` says why it could not. */
export class KeyAnswer {
  failure: unknown;

  constructor(
    private readonly port: MessagePort,
    keysOf: KeysOf,
  ) {
    port.on('message', (names: string[]) => void this.answer(keysOf(names)));
  }

  close(): void {
    this.port.close();
  }

  private async answer(keys: Promise<SealKeys>): Promise<void> {
    try {
      this.port.postMessage(await keys);
    } catch (error) {
      this.failure = error;
      this.port.postMessage(null);
    }
  }
}

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeDurably } from '#libs/durable-file';

/** Results of the steps of a long benchmark, in a file of its folder: an interrupted one continues at its last step. */
export class Steps {
  private constructor(
    private readonly path: string,
    private readonly done: Record<string, unknown>,
  ) {}

  static async open(folder: string): Promise<Steps> {
    const path = join(folder, 'steps.json');
    const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return '{}';
      throw error;
    });
    return new Steps(path, JSON.parse(text));
  }

  get isEmpty(): boolean {
    return Object.keys(this.done).length === 0;
  }

  /** The kept result of a step, otherwise that of its work, which an interruption has begin again. */
  async step<T>(name: string, work: () => Promise<T>): Promise<T> {
    if (!Object.hasOwn(this.done, name)) {
      this.done[name] = await work();
      await writeDurably(this.path, `${JSON.stringify(this.done)}\n`);
    }
    return this.done[name] as T;
  }
}

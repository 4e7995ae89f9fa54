/** Work that runs for each partition while this process owns it. */
export abstract class HeldPartitions {
  private readonly held = new Map<number, { stopping: AbortController; running: Promise<void> }>();

  hold(partition: number): void {
    const stopping = new AbortController();
    this.held.set(partition, { stopping, running: this.run(partition, stopping.signal) });
  }

  /** Resolves when the work of the partition has ended. */
  async release(partition: number): Promise<void> {
    const work = this.held.get(partition);
    this.held.delete(partition);
    work?.stopping.abort();
    await work?.running;
  }

  /** Resolves when the signal is aborted. */
  protected abstract run(partition: number, signal: AbortSignal): Promise<void>;
}

interface RequestQueue {
  pending: unknown[];
  scheduleCheckPendingRequests(): void;
}

type QueueClass = new (options: never) => RequestQueue;

/**
 * A queue of a connection's requests that looks for pending ones only if there are some. That of kafkajs looks again
 * after a millisecond, forever, on every connection (its issue 1704); a request that has to wait asks for a look itself.
 */
export function checksPendingOnly(Queue: QueueClass): QueueClass {
  return class extends Queue {
    override scheduleCheckPendingRequests(): void {
      if (this.pending.length > 0) super.scheduleCheckPendingRequests();
    }
  };
}

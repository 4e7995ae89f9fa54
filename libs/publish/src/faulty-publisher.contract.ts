import pLimit from 'p-limit';
import type { EventLog, LogRecord } from '#libs/event-log';
import type { Outbox } from './outbox.ts';
import { PartitionPublisher } from './partition-publisher.ts';

/** What a process that dies leaves behind is what one leaves that fails and is stopped. */
export interface Faults {
  publish?: (publish: () => Promise<unknown>) => Promise<unknown>;
  note?: (note: () => Promise<void>) => Promise<void>;
}

/** A woken publisher, and how its attempts have failed. */
export interface StartedPublisher {
  publisher: PartitionPublisher;
  errors: Error[];
}

export function startFaulty(
  log: EventLog,
  outbox: Outbox,
  partition: number,
  faults: Faults = {},
): StartedPublisher {
  const errors: Error[] = [];
  const note = outbox.note.bind(outbox);
  outbox.note = (...given) => (faults.note ?? ((pass) => pass()))(() => note(...given));
  const publisher = new PartitionPublisher({
    log: faultyLog(log, faults),
    outbox,
    partition,
    slots: pLimit(2),
    restAfter: () => 0,
    onFailed: (error) => errors.push(error),
  });
  publisher.wake();
  return { publisher, errors };
}

function faultyLog(log: EventLog, { publish }: Faults): EventLog {
  if (!publish) return log;
  return new Proxy(log, {
    get: (target, property) => {
      if (property !== 'publisher') return Reflect.get(target, property).bind?.(target);
      return async (...given: Parameters<EventLog['publisher']>) => {
        const publisher = await target.publisher(...given);
        return {
          publish: (records: LogRecord[]) => publish(() => publisher.publish(records)),
          close: () => publisher.close(),
        };
      };
    },
  });
}

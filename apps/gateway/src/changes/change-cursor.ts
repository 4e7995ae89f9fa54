import { BadRequestException } from '@nestjs/common';
import type { ChangeCursor, ChangeVector, StreamTopic } from '#libs/changes';

/**
 * The cursor of a client: after the changes of `id`, and at the current end for a topic that it does not name.
 * @param read null if a text is no id that the client may use
 * @throws BadRequestException if it is no id that this service has sent
 */
export function resumeAt(
  id: string | undefined,
  topics: StreamTopic[],
  now: ChangeVector,
  read: (id: string) => ChangeCursor | null,
): ChangeCursor {
  const given = id === undefined ? {} : read(id);
  if (!given) throw notAnId();
  const cursor: ChangeCursor = {};
  for (const topic of topics) {
    const sequences = given[topic];
    if (sequences) assertPast(sequences, now[topic]);
    cursor[topic] = [...(sequences ?? now[topic])];
  }
  return cursor;
}

function assertPast(sequences: number[], now: number[]): void {
  if (sequences.length !== now.length) throw notAnId();
  if (sequences.every((sequence, partition) => sequence <= now[partition]!)) return;
  throw new BadRequestException(
    'Last-Event-ID must be the id of an event of this installation: it is after the last change. Omit it to start at the present',
  );
}

const notAnId = () =>
  new BadRequestException(
    'Last-Event-ID must be the id of an event of this stream. Omit it to start at the present',
  );

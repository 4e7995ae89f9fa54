import { BadRequestException } from '@nestjs/common';

/** In the order in which a client gets them: an asset before its findings, and those before the score. */
export const STREAM_TOPICS = ['assets', 'findings', 'scores'] as const;
export type StreamTopic = (typeof STREAM_TOPICS)[number];

/** Topic → sequence of the last change of each partition, by partition number. */
export type ChangeVector = Record<StreamTopic, number[]>;

/** How far a client is: of the topics that it follows. */
export type ChangeCursor = Partial<ChangeVector>;

const LETTERS: Record<StreamTopic, string> = { assets: 'a', findings: 'f', scores: 's' };
const BASE = 36;
const PART = /^([afs]):([0-9a-z]{1,10}(?:\.[0-9a-z]{1,10})*)$/;

/** `a:`, `f:` and `s:` with a sequence for each partition, base 36: the `id` of an event. */
export const formatCursor = (cursor: ChangeCursor): string =>
  STREAM_TOPICS.flatMap((topic) => {
    const sequences = cursor[topic];
    return sequences ? `${LETTERS[topic]}:${sequences.map((one) => one.toString(BASE)).join('.')}` : [];
  }).join(',');

/**
 * Where a client goes on: behind the changes that `id` speaks of, and from now on for a topic that it does not.
 * @throws BadRequestException where it is no id that this service has sent
 */
export function resumeAt(id: string | undefined, topics: StreamTopic[], now: ChangeVector): ChangeCursor {
  const given = id === undefined ? {} : parseCursor(id);
  const cursor: ChangeCursor = {};
  for (const topic of topics) {
    const sequences = given[topic];
    if (sequences) assertPast(sequences, now[topic]);
    cursor[topic] = [...(sequences ?? now[topic])];
  }
  return cursor;
}

function parseCursor(id: string): ChangeCursor {
  const cursor: ChangeCursor = {};
  for (const part of id.split(',')) {
    const [, letter, sequences] = PART.exec(part) ?? [];
    const topic = STREAM_TOPICS.find((one) => LETTERS[one] === letter);
    if (!topic || !sequences || cursor[topic]) throw notAnId();
    cursor[topic] = sequences.split('.').map((one) => Number.parseInt(one, BASE));
  }
  return cursor;
}

function assertPast(sequences: number[], now: number[]): void {
  if (sequences.length !== now.length) throw notAnId();
  if (sequences.every((sequence, partition) => sequence <= now[partition]!)) return;
  throw new BadRequestException(
    'Last-Event-ID: lies ahead of all changes here, so it is not of this installation: leave it out to begin now',
  );
}

const notAnId = () =>
  new BadRequestException(
    'Last-Event-ID: must be the id of an event of this stream: leave it out to begin now',
  );

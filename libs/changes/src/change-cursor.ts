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

/** `a:`, `f:` and `s:` with a sequence for each partition, base 36: the `id` of an event, a webhook's position. */
export const formatCursor = (cursor: ChangeCursor): string =>
  STREAM_TOPICS.flatMap((topic) => {
    const sequences = cursor[topic];
    return sequences ? `${LETTERS[topic]}:${sequences.map((one) => one.toString(BASE)).join('.')}` : [];
  }).join(',');

/** Null for a text that `formatCursor` makes of nothing; how many partitions it speaks of is for the caller to check. */
export function parseCursor(text: string): ChangeCursor | null {
  const cursor: ChangeCursor = {};
  for (const part of text.split(',')) {
    const [, letter, sequences] = PART.exec(part) ?? [];
    const topic = STREAM_TOPICS.find((one) => LETTERS[one] === letter);
    if (!topic || !sequences || cursor[topic]) return null;
    cursor[topic] = sequences.split('.').map((one) => Number.parseInt(one, BASE));
  }
  return cursor;
}

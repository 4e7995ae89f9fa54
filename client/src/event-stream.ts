/** One block of a stream of server-sent events. All fields are optional. */
export interface StreamBlock {
  id?: string;
  event?: string;
  data?: string;
}

/** Limit of one event; the service sends less than 5 MB. */
const BLOCK_CHARACTERS_MAX = 16 * 1024 * 1024;

/** An event of the stream has more than 16 Mi characters. To continue after it, open the stream after a later position. */
export class EventTooLargeError extends Error {
  override name = 'EventTooLargeError';
}

/** A CR at the end can be the first half of CRLF. */
const LINE_END = /\r\n|\n|\r(?!$)/;

/**
 * Yields blocks of server-sent events (WHATWG HTML, 9.2.6), including blocks without data. The id of such a block also
 * defines the position for a reconnect, but common parsers do not report it.
 * @throws EventTooLargeError
 */
export async function* blocksOf(texts: AsyncIterable<string>): AsyncGenerator<StreamBlock, void> {
  /** Beginning of a line, already searched for its end. */
  let begin = '';
  let heldCr = '';
  let block: StreamBlock = {};
  let characters = 0;
  for await (const text of texts) {
    const lines = (heldCr + text).split(LINE_END);
    const rest = lines.pop()!;
    for (const end of lines) {
      const line = begin + end;
      begin = '';
      if (line === '') {
        if (Object.keys(block).length > 0) yield block;
        block = {};
        characters = 0;
        continue;
      }
      characters += line.length;
      block = withLine(block, line);
    }
    heldCr = rest.endsWith('\r') ? '\r' : '';
    begin += rest.slice(0, rest.length - heldCr.length);
    if (characters + begin.length > BLOCK_CHARACTERS_MAX)
      throw new EventTooLargeError('an event of the stream exceeds 16 Mi characters');
  }
}

function withLine(block: StreamBlock, line: string): StreamBlock {
  const [, field, value] = /^([^:]*)(?:: ?(.*))?$/s.exec(line)!;
  switch (field) {
    case 'id':
    case 'event':
      return { ...block, [field]: value ?? '' };
    case 'data':
      return { ...block, data: block.data === undefined ? (value ?? '') : `${block.data}\n${value ?? ''}` };
    default:
      return block;
  }
}

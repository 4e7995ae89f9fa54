/** One block of a stream of server-sent events. All fields are optional. */
export interface StreamBlock {
  id?: string;
  event?: string;
  data?: string;
}

/** Limit of one event; the service sends at most 2 MB. */
const BLOCK_CHARACTERS_MAX = 16 * 1024 * 1024;

/**
 * Yields blocks of server-sent events (WHATWG HTML, 9.2.6), including blocks without data. The id of such a block also
 * defines the position for a reconnect, but common parsers do not report it.
 * @throws Error if one block has more than 16 Mi characters
 */
export async function* blocksOf(texts: AsyncIterable<string>): AsyncGenerator<StreamBlock, void> {
  let rest = '';
  let block: StreamBlock = {};
  let characters = 0;
  for await (const text of texts) {
    rest += text;
    // A CR at the end can be the first half of CRLF.
    const lines = rest.split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop()!;
    for (const line of lines) {
      if (line === '') {
        if (Object.keys(block).length > 0) yield block;
        block = {};
        characters = 0;
        continue;
      }
      characters += line.length;
      block = withLine(block, line);
    }
    if (characters + rest.length > BLOCK_CHARACTERS_MAX)
      throw new Error('an event of the stream exceeds 16 Mi characters');
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

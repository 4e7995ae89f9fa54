/** One block of a stream of server-sent events, whatever it has of these. */
export interface StreamBlock {
  id?: string;
  event?: string;
  data?: string;
}

/** Far above what the service sends for one event: 2 MB. */
const BLOCK_CHARACTERS_MAX = 16 * 1024 * 1024;

/**
 * Blocks of server-sent events (WHATWG HTML, 9.2.6), also those without data: the id of such a block counts for the
 * next start as that of an event does, and the parsers at hand do not tell it.
 * @throws Error where one block has more than 16 Mi characters
 */
export async function* blocksOf(texts: AsyncIterable<string>): AsyncGenerator<StreamBlock, void> {
  let rest = '';
  let block: StreamBlock = {};
  let characters = 0;
  for await (const text of texts) {
    rest += text;
    // A CR at the end may be half of a line's end.
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
      throw new Error('an event of the stream is too long');
  }
}

function withLine(block: StreamBlock, line: string): StreamBlock {
  const [, field, value] = /^([^:]*)(?:: ?(.*))?$/.exec(line)!;
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

import { createHash } from 'node:crypto';
import type { Chain } from '#libs/intake';
import type { Report, ReportAsset, ReportSummary } from './report-content.ts';

/** The writer of a report format: text in UTF-8, in pieces, each a pure function of its arguments. */
export interface ReportFormat {
  /** Counts the meanings of its bytes: what another version of the service writes under it is the same, for ever. */
  number: number;
  /** The chain of its heads, and so of its fingerprint. */
  chain: Chain;
  beginning(summary: ReportSummary): string;
  /** @param index place among the assets, from 0 */
  asset(asset: ReportAsset, index: number): string;
  end(summary: ReportSummary): string;
  /** The last bytes, as many for every checksum, ASCII: the SHA-256 of all before them, 64 hexadecimal digits. */
  seal(sha256: string): string;
  /**
   * The head of a report from the beginning of its text, for `readReport` to check.
   * @param text at least the beginning
   * @throws Error if it is none
   */
  headOf(text: string): unknown;
}

/** Text is written in pieces of about this many characters. */
const PIECE_CHARACTERS = 64 * 1024;

/** All bytes of a report, in pieces. */
export async function* reportBytes(
  { summary, assets }: Report,
  format: ReportFormat,
): AsyncGenerator<Buffer> {
  const checksum = createHash('sha256');
  for await (const text of gathered(texts())) {
    const bytes = Buffer.from(text);
    checksum.update(bytes);
    yield bytes;
  }
  yield Buffer.from(format.seal(checksum.digest('hex')));

  async function* texts(): AsyncGenerator<string> {
    yield format.beginning(summary);
    let index = 0;
    for await (const asset of assets()) {
      yield format.asset(asset, index);
      index += 1;
    }
    yield format.end(summary);
  }
}

async function* gathered(texts: AsyncIterable<string>): AsyncGenerator<string> {
  let piece = '';
  for await (const text of texts) {
    piece += text;
    if (piece.length < PIECE_CHARACTERS) continue;
    yield piece;
    piece = '';
  }
  if (piece !== '') yield piece;
}

import { pipeline } from 'node:stream/promises';
import { assetId, isoTime } from '#libs/domain';
import { knownAt, type ReadableLog } from '#libs/replay';
import { sealedEntityKeys, sealedMachineName, type TextOpener } from '#libs/sealing';
import { failure } from '../cli-error.ts';
import { isReaderGone } from '../is-reader-gone.ts';
import type { Terminal } from '../terminal.ts';
import { type AsOfFilter, asOfLines } from './as-of-line.ts';
import { type SealedNames, withLog } from './with-log.ts';

export interface AsOfOptions extends AsOfFilter {
  /** A file of `posture export-log`. */
  log?: string;
}

/** Text is written in pieces of about this many characters. */
const PIECE_CHARACTERS = 64 * 1024;

/**
 * Lines are printed partition by partition, as each is folded: damage of a file after the folded records is reported at
 * the end, with exit 2.
 * @throws CliError exit 2 if log, file or instant are invalid; exit 1 if there was no such asset or
 * finding, or something is unreachable
 */
export async function showAsOf(at: number, options: AsOfOptions, terminal: Terminal): Promise<void> {
  // On one screen the lines themselves are the progress.
  const isShown = (terminal.stdout as { isTTY?: boolean }).isTTY === true;
  const { lines, unknown } = await withLog(
    { file: options.log, title: 'Folding', isSilent: isShown },
    terminal,
    async (log, opener, keys) => {
      const { sealed, unknown } = await sealedAssets(keys, options.asset);
      const filter = { ...options, ...(sealed !== undefined && { sealed }) };
      return { lines: await writeLines(log, opener, at, filter, terminal), unknown };
    },
  );
  if (lines === 0 && (options.asset !== undefined || options.finding !== undefined)) {
    throw failure(`no ${whatOf(options)} existed at ${isoTime(at)}`, unknown);
  }
}

/** Sealed assets of a name. Without keys, all other names are found: the reason is for an asset that is not. */
async function sealedAssets(
  keys: SealedNames,
  name: string | undefined,
): Promise<{ sealed?: string[]; unknown?: string[] }> {
  if (name === undefined) return {};
  try {
    const ids = (await sealedEntityKeys(keys, name)).map(assetId);
    const machine = await sealedMachineName(keys, name);
    return { sealed: machine === undefined ? ids : [...ids, machine] };
  } catch (error) {
    return { unknown: [`encrypted names cannot be searched: ${(error as Error).message}`] };
  }
}

/** Returns how many there were, or undefined if the reader did not want all of them. */
async function writeLines(
  log: ReadableLog,
  opener: TextOpener,
  at: number,
  filter: AsOfFilter,
  { stdout }: Terminal,
): Promise<number | undefined> {
  let lines = 0;
  async function* texts(): AsyncGenerator<string> {
    let text = '';
    for await (const { assets } of knownAt(log, at)) {
      for (const line of asOfLines(assets, at, filter)) {
        lines += 1;
        text += `${JSON.stringify(line)}\n`;
        if (text.length < PIECE_CHARACTERS) continue;
        yield await opener.json(text);
        text = '';
      }
    }
    if (text !== '') yield await opener.json(text);
  }
  try {
    await pipeline(texts(), stdout, { end: false });
    return lines;
  } catch (error) {
    if (!isReaderGone(error)) throw error;
    return undefined;
  } finally {
    await log.close();
  }
}

const whatOf = ({ asset, finding }: AsOfFilter): string =>
  [finding !== undefined && `finding ${finding}`, asset !== undefined && `asset ${asset}`]
    .filter(Boolean)
    .join(' of an ');

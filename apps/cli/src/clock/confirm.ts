import { confirmClock, lengthInWords, timeInWords } from '#libs/clock';
import { usageError } from '../cli-error.ts';
import { openSite, type Site } from '../site.ts';
import { siteFailure } from '../site-failure.ts';
import type { Terminal } from '../terminal.ts';
import { userName } from './user-name.ts';

const REASON_CHARACTERS_MAX = 500;

export interface ConfirmOptions {
  reason: string;
}

/**
 * @throws CliError exit 2 if the reason is empty or too long, or no service is found; exit 1 if the clock of this
 * machine and the database's differ, or the log is ahead of them
 */
export async function confirm(options: ConfirmOptions, { env, stdout }: Terminal): Promise<void> {
  const reason = options.reason.trim();
  if (reason === '' || reason.length > REASON_CHARACTERS_MAX) {
    throw usageError(`--reason must have 1 to ${REASON_CHARACTERS_MAX} characters`);
  }
  let site: Site | undefined;
  try {
    site = await openSite(env);
    const user = userName();
    const { clock, lastTrusted } = await confirmClock(site.database.db, {
      by: await site.sealer.personal(user),
      reason: await site.sealer.personal(user, reason),
    });
    const since =
      lastTrusted === null
        ? ''
        : `, ${lengthInWords(clock - lastTrusted)} after the last trusted time ${timeInWords(lastTrusted)}`;
    stdout.write(`Confirmed  the clock is correct at ${timeInWords(clock)}${since}\n`);
  } catch (error) {
    throw siteFailure(error as Error);
  } finally {
    await site?.close();
  }
}

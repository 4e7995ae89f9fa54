import { CatalogueFileError } from '#libs/catalogue';
import { ImportBusyError, ImportUnfinishedError, ListShrunkError } from '#libs/catalogue-store';
import { isStatementTimeout } from '#libs/database';
import { failure, usageError } from '../cli-error.ts';
import { openSite, type Site } from '../site.ts';
import { siteFailure } from '../site-failure.ts';

/**
 * Opens a site for the length of a piece of work on its catalogues.
 * @throws CliError exit 1 if something is busy or unreachable, exit 2 if the call is wrong or a file is damaged
 */
export async function onSite<T>(
  env: Record<string, string | undefined>,
  work: (site: Site) => Promise<T>,
): Promise<T> {
  let site: Site | undefined;
  try {
    site = await openSite(env);
    return await work(site);
  } catch (error) {
    throw asFailure(error as Error);
  } finally {
    await site?.close();
  }
}

function asFailure(error: Error): Error {
  if (error instanceof CatalogueFileError) return usageError(error.message, [UNCHANGED]);
  if (error instanceof ListShrunkError) {
    return failure(error.message, [UNCHANGED, 'if the list is complete, import it with --force']);
  }
  if (error instanceof ImportUnfinishedError) {
    return failure(reasonOf(error.cause as Error), [
      'the import is in the log: it takes effect within a minute, or with the next import',
    ]);
  }
  if (isStatementTimeout(error)) return failure(TOO_SLOW, [UNCHANGED]);
  return error instanceof ImportBusyError ? failure(error.message) : siteFailure(error);
}

const UNCHANGED = 'nothing was imported: the catalogue in force did not change';
const TOO_SLOW = 'the database did not answer within one minute';

const reasonOf = (error: Error): string =>
  isStatementTimeout(error) ? TOO_SLOW : siteFailure(error).message;

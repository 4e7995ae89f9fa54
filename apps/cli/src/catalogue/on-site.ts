import { CatalogueFileError } from '#libs/catalogue';
import { ImportBusyError } from '#libs/catalogue-store';
import { failure } from '../cli-error.ts';
import { openSite, type Site } from '../site.ts';
import { siteFailure } from '../site-failure.ts';

/**
 * Opens a site for the length of a piece of work on its catalogues.
 * @throws CliError exit 1 where a file is damaged or something is busy or out of reach, exit 2 where the call is wrong
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
  if (error instanceof CatalogueFileError) {
    return failure(error.message, ['nothing was imported: what was in force still is']);
  }
  if ('code' in error && error.code === QUERY_CANCELED) {
    return failure('the database needed more than a minute: what was in force still is, try again');
  }
  return error instanceof ImportBusyError ? failure(error.message) : siteFailure(error);
}

/** A statement that exceeds its time. */
const QUERY_CANCELED = '57014';

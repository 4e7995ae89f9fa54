import type { Format } from './format.ts';
import { openReport, type ReportFile } from './reading/report-file.ts';
import { expecting, formatsOf } from './recognise.ts';

/** A report and its reader. */
export interface Input {
  file: ReportFile;
  format: Format;
}

/** No format, or several, begin like the file. */
export class UnknownFormat extends Error {
  override name = 'UnknownFormat';

  /** @param candidates names of the formats that recognise it */
  constructor(
    file: string,
    readonly candidates: string[],
  ) {
    super(
      candidates.length === 0
        ? `${file} has an unknown format`
        : `${file} can be of several formats: ${candidates.join(', ')}`,
    );
  }
}

/**
 * Opens a report of a given format, or recognises it.
 * @param name of the file in messages
 * @throws UnreadableReport, UnknownFormat
 */
export async function openInput(
  path: string,
  name: string,
  given: Format | undefined,
  formats: Format[],
): Promise<Input> {
  const file = await openReport(path, name);
  const [found, ...others] = given ? [given] : formatsOf(file, formats);
  if (!found || others.length > 0) {
    throw new UnknownFormat(
      name,
      (found ? [found, ...others] : []).map((format) => format.name),
    );
  }
  return { file: expecting(file, found), format: found };
}

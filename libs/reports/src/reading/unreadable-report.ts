import type { Fail } from '#libs/readers';

/** A report that cannot be read to its end: nothing of it is converted. The words never quote the content. */
export class UnreadableReport extends Error {
  override name = 'UnreadableReport';

  /** @param place such as `line 12`; null if the file as a whole is meant */
  constructor(file: string, place: string | null, problem: string) {
    super(`${file}${place === null ? '' : `, ${place}`}: ${problem}`);
  }
}

export const failOf =
  (file: string): Fail =>
  (place, problem) =>
    new UnreadableReport(file, place, problem);

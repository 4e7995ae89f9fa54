/** A map, or the folder of maps, cannot be used; the message names the file, line and path. */
export class WrongMap extends Error {
  override name = 'WrongMap';

  /** @param details further problems, one line each */
  constructor(
    message: string,
    readonly details: string[] = [],
  ) {
    super(message);
  }
}

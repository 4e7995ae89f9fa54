import { changeJson } from '#libs/changes';
import type { ChangeEvent } from '#libs/contracts';

/** A change as an event of the stream, without its id and the empty line that ends it: those are each client's own. */
export const eventText = (kind: ChangeEvent['kind'], changed: ChangeEvent['changed']): string =>
  `event: ${kind}\ndata: ${changeJson(changed)}\n`;

import { changeJson } from '#libs/changes';
import type { ChangeEvent } from '#libs/contracts';
import { isoTime } from '#libs/domain';
import type { AccessEndedException } from '../auth/access.ts';

/** A change as an event of the stream, without its id and the empty line that ends it: those are each client's own. */
export const eventText = (kind: ChangeEvent['kind'], changed: object): string =>
  `event: ${kind}\ndata: ${changeJson(changed)}\n`;

/** To a limited caller: it does not see the asset any more. */
export const hiddenText = (assetId: string, at: number): string =>
  `event: hidden\ndata: ${JSON.stringify({ assetId, at: isoTime(at) })}\n`;

/** The last event, which has no id: a returning client resumes after the change before it. */
export const endText = ({ end, message }: AccessEndedException): string =>
  `event: end\ndata: ${JSON.stringify({ reason: end, message })}\n\n`;

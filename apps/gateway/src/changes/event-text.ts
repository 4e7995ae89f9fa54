import { changeJson, type HiddenAsset } from '#libs/changes';
import type { ChangeEvent } from '#libs/contracts';
import type { AccessEndedException } from '../auth/access.ts';

/** A change as an event of the stream, without its id and the empty line that ends it: those are each client's own. */
export const eventText = (kind: ChangeEvent['kind'], changed: object): string =>
  `event: ${kind}\ndata: ${changeJson(changed)}\n`;

/** To a limited caller: it does not see the asset any more. */
export const hiddenText = (hidden: HiddenAsset): string => `event: hidden\ndata: ${changeJson(hidden)}\n`;

/** The last event, which has no id: a returning client resumes after the change before it. */
export const endText = ({ end, message }: AccessEndedException): string =>
  `event: end\ndata: ${JSON.stringify({ reason: end, message })}\n\n`;

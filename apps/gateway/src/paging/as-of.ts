import { IsInstant } from './instant.ts';
import { PageQuery } from './page.ts';

const DESCRIPTION = `
The state at that instant, as the log tells it: what was folded from events until then, with expiry as of then.
Before its first event a resource is a 404, a list is empty. An instant that is still to come means the present.
\`lastSeen\`, \`expiresAt\` and \`overdueSince\` are null where a later signal has moved them.
Pages of one list take the same instant.
`;

/** The query parameter `asOf` (api.md), in epoch milliseconds. */
export const IsAsOf = () => IsInstant({ description: DESCRIPTION.trim().replaceAll('\n', ' ') });

/** What a single resource takes. */
export class AsOfQuery {
  @IsAsOf()
  asOf?: number;
}

/** What a list takes that can be read as of an instant. */
export class AsOfPageQuery extends PageQuery {
  @IsAsOf()
  asOf?: number;
}

/** The instant to read history at; null for the present, which an instant still to come means too. */
export const pastInstant = (asOf: number | undefined, now: number): number | null =>
  asOf === undefined || asOf >= now ? null : Math.max(asOf, 0);

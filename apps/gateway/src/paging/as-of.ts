import { IsInstant } from './instant.ts';
import { PageQuery } from './page.ts';

const DESCRIPTION = `
Returns the state at this time: the result of all events logged until then, with expiry evaluated at that time.
If there were no events yet, a resource returns 404 and a list is empty.
If the answer requires history that was removed (\`historyRetentionDays\`), it is a 410. A future time returns the current state.
\`lastSeen\`, \`expiresAt\` and \`overdueSince\` are null if a later signal has changed them, or a limited caller does not see the asset now.
Use the same time for all pages of a list.
`;

/** The query parameter `asOf`, in epoch milliseconds. */
export const IsAsOf = () => IsInstant({ description: DESCRIPTION.trim().replaceAll('\n', ' ') });

/** The query of a single resource. */
export class AsOfQuery {
  @IsAsOf()
  asOf?: number;
}

/** The query of a list that can be read as of an instant. */
export class AsOfPageQuery extends PageQuery {
  @IsAsOf()
  asOf?: number;
}

/** The instant to read history at; null for the present, which an instant still to come means too. */
export const pastInstant = (asOf: number | undefined, now: number): number | null =>
  asOf === undefined || asOf >= now ? null : Math.max(asOf, 0);

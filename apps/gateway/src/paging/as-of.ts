import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsInt, IsOptional } from 'class-validator';
import { readInstant } from '#libs/domain';
import { PageQuery } from './page.ts';

const DESCRIPTION = `
The state at that instant, as the log tells it: what was folded from events until then, with expiry as of then.
Before its first event a resource is a 404, a list is empty. An instant that is still to come means the present.
\`lastSeen\`, \`expiresAt\` and \`overdueSince\` are null where a later signal has moved them.
Pages of one list take the same instant.
`;

/** An ISO 8601 instant with a zone, as epoch milliseconds; another text is left for the check to refuse. */
const instantOf = ({ value }: { value: unknown }) =>
  // An unencoded plus sign of a query is a space to every parser.
  typeof value === 'string' ? (readInstant(value.replace(/ (?=\d\d:?\d\d$)/, '+')) ?? value) : value;

/** The query parameter `asOf` (api.md), in epoch milliseconds. */
export const IsAsOf = () =>
  applyDecorators(
    ApiPropertyOptional({
      type: String,
      format: 'date-time',
      example: '2026-01-31T12:00:00Z',
      description: DESCRIPTION.trim().replaceAll('\n', ' '),
    }),
    IsOptional(),
    Transform(instantOf),
    IsInt({ message: 'asOf must be one ISO 8601 instant with a zone, such as 2026-01-31T12:00:00Z' }),
  );

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

import { applyDecorators, BadRequestException } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn } from 'class-validator';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { MayBeLeftOut } from '../http/may-be-left-out.ts';
import { type CursorKeys, decodeCursor } from './page.ts';

/** A key that a list can be sorted by: an index is in its order, with the numbers of the row after it. */
export interface SortKey {
  /** SQL of the key. */
  column: RawBuilder<unknown>;
  /** PostgreSQL's name of its type. */
  type: 'text' | 'real' | 'bigint' | 'smallint';
  /** Rows without the key are not in a list that is sorted by it. */
  isOptional?: true;
  /** Equal rows are in the reverse order of their numbers. */
  reversesNumbers?: true;
}

/** How a list is sorted: by a key, or only by the numbers of its rows, which never change. */
export interface ListOrder {
  key: SortKey | null;
  isDescending: boolean;
  /** `numbers` of a row, as SQL. */
  numbers: readonly RawBuilder<unknown>[];
  after: { key: string | null; numbers: number[] } | null;
}

const TEXT_IN_CURSOR: Record<SortKey['type'], RegExp> = {
  text: /^[^\0]*$/,
  // As PostgreSQL writes it: nine digits at most, without an exponent from 0.0001 on.
  real: /^(\d{1,2}(\.\d{1,12})?|[1-9](\.\d{1,9})?e-([0-3]\d|4[0-5]))$/,
  bigint: /^-?\d{1,15}$/,
  smallint: /^(-1|\d{1,4}|10000)$/,
};

/** The query parameter `sort`: one of the keys, `-` before it for the greatest first. */
export const IsSort = (keys: readonly string[], description: string) => {
  const values = keys.flatMap((key) => [key, `-${key}`]);
  return applyDecorators(
    ApiPropertyOptional({ enum: values, description }),
    MayBeLeftOut(),
    IsIn(values, { message: `sort must be one of ${values.join(', ')}` }),
  );
};

/**
 * Reads `sort` and `cursor`. A cursor remembers the sort of its list: `[sort, key, ...numbers]`, or only numbers if
 * the list is not sorted.
 * @throws BadRequestException if the cursor does not belong to a list with this sort
 */
export function listOrder(
  keys: Record<string, SortKey>,
  numbers: readonly RawBuilder<unknown>[],
  { sort, cursor }: { sort?: string | undefined; cursor?: string | undefined },
): ListOrder {
  const isDescending = sort?.startsWith('-') ?? false;
  const key = sort === undefined ? null : keys[isDescending ? sort.slice(1) : sort]!;
  const decoded = decodeCursor(cursor, numbers.length + (key ? 2 : 0));
  return { key, isDescending, numbers, after: decoded && afterOf(decoded, key, sort) };
}

function afterOf(decoded: CursorKeys, key: SortKey | null, sort: string | undefined): ListOrder['after'] {
  const [given, text] = key ? decoded : [undefined, null];
  const numbers = key ? decoded.slice(2) : decoded;
  const isKey = !key || (given === sort && typeof text === 'string' && TEXT_IN_CURSOR[key.type].test(text));
  if (!isKey || numbers.some((number) => typeof number !== 'number')) {
    throw new BadRequestException('cursor must be a nextCursor returned by this list with the same sort');
  }
  return { key: text as string | null, numbers: numbers as number[] };
}

/** A list that is not sorted, after some numbers or from its beginning. */
export const ownOrder = (numbers: readonly RawBuilder<unknown>[], after: number[] | null): ListOrder => ({
  key: null,
  isDescending: false,
  numbers,
  after: after && { key: null, numbers: after },
});

/** The content of a row's cursor. */
export const cursorKeys = (sort: string | undefined, key: string | null, numbers: number[]): CursorKeys =>
  sort === undefined ? numbers : [sort, key ?? '', ...numbers];

/** As the generated `sort_name` of findings and assets: any case, by code points. */
export const sortName = (name: RawBuilder<unknown>): RawBuilder<string> =>
  sql`(lower(left(${name}, 600)) collate "C")`;

const columnsOf = ({ key, numbers }: ListOrder): RawBuilder<unknown>[] => [
  ...(key ? [key.column] : []),
  ...numbers.map((number) => signed(number, key)),
];

const signed = (number: RawBuilder<unknown>, key: SortKey | null): RawBuilder<unknown> =>
  key?.reversesNumbers ? sql`-${number}` : number;

/** The key of a row in its cursor: text, which no driver rounds. */
export const sortKeyText = ({ key }: Pick<ListOrder, 'key'>): RawBuilder<string | null> =>
  key ? sql`(${key.column})::text` : sql`null`;

/** Rows after the cursor, with the key of the order. */
export function behindCursor(order: ListOrder): RawBuilder<SqlBool>[] {
  const { after, key, isDescending } = order;
  const hasKey = key?.isOptional ? [sql<SqlBool>`${key.column} is not null`] : [];
  if (!after) return hasKey;
  const values = [
    ...(key
      ? [sql`${after.key}::${sql.raw(key.type)}${key.type === 'text' ? sql` collate "C"` : sql``}`]
      : []),
    ...after.numbers.map((number) => signed(sql`${number}::bigint`, key)),
  ];
  const comparison = sql.raw(isDescending ? '<' : '>');
  return [
    ...hasKey,
    sql<SqlBool>`(${sql.join(columnsOf(order))}) ${comparison} (${sql.join(values)})`,
    // The same only for the key, if the columns are of two tables: an index of one can begin there.
    ...(key ? [sql<SqlBool>`${key.column} ${comparison}= ${values[0]}`] : []),
  ];
}

/** All columns in one direction, as an index can be read. */
export function orderBy(order: ListOrder): RawBuilder<unknown> {
  const direction = sql.raw(order.isDescending ? ' desc' : '');
  return sql`order by ${sql.join(columnsOf(order).map((column) => sql`${column}${direction}`))}`;
}

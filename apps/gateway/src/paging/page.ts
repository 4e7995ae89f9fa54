import { BadRequestException } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsInt, IsString, isUUID, Max, MaxLength, Min } from 'class-validator';
import { MayBeLeftOut } from '../http/may-be-left-out.ts';
import { NumberFromText } from '../http/number-from-text.ts';

/** A cursor may hold 600 characters of a name, each up to six bytes of JSON. */
const CURSOR_CHARACTERS_MAX = 6_000;

/** The query of every list. */
export class PageQuery {
  @ApiPropertyOptional({
    minimum: 1,
    maximum: 500,
    default: 50,
    description: 'Maximum number of items per page. If there are more items, `nextCursor` is not null',
  })
  @MayBeLeftOut()
  @NumberFromText()
  @IsInt()
  @Min(1)
  @Max(500)
  limit: number = 50;

  @ApiPropertyOptional({ description: '`nextCursor` of the previous page' })
  @MayBeLeftOut()
  @IsString()
  @MaxLength(CURSOR_CHARACTERS_MAX)
  cursor?: string;
}

/** The response of every list; `nextCursor` is null at the end. */
export interface Page<T> {
  items: T[];
  nextCursor: string | null;
}

/** Describes a page of `item` to the OpenAPI document. */
export function pageOf<T>(item: new () => T): new () => Page<T> {
  class PageOfItems {
    @ApiProperty({ type: [item] })
    items!: T[];

    @ApiProperty({ type: String, nullable: true })
    nextCursor!: string | null;
  }
  Object.defineProperty(PageOfItems, 'name', { value: `PageOf${item.name}` });
  return PageOfItems;
}

/** Keys of the last row of a page: the next page begins after them. */
export type CursorKeys = (string | number)[];

/** @throws BadRequestException if the text is not a cursor of `length` keys */
export function decodeCursor(cursor: string | undefined, length: number): CursorKeys | null {
  if (cursor === undefined) return null;
  const keys = parseKeys(cursor);
  return keys?.length === length ? keys : notAnswered();
}

interface KeyTypes {
  number: number;
  /** Epoch milliseconds of the years 1970 to 9999. */
  time: number;
  /** A score in hundredths; −1 for none. */
  rank: number;
  text: string;
  uuid: string;
}

const IS_KEY: Record<keyof KeyTypes, (key: string | number) => boolean> = {
  number: (key) => typeof key === 'number',
  time: (key) => typeof key === 'number' && key >= 0 && key <= Date.UTC(9999, 11, 31),
  rank: (key) => typeof key === 'number' && key >= -1 && key <= 10_000,
  text: (key) => typeof key === 'string' && !key.includes('\0'),
  uuid: (key) => typeof key === 'string' && isUUID(key),
};

/** As `decodeCursor`, with keys of these kinds: what else is in a forged one never reaches the database. */
export function decodeKeys<K extends (keyof KeyTypes)[]>(
  cursor: string | undefined,
  ...kinds: K
): { [I in keyof K]: KeyTypes[K[I]] } | null {
  const keys = decodeCursor(cursor, kinds.length);
  if (keys?.some((key, i) => !IS_KEY[kinds[i]!](key))) return notAnswered();
  return keys as { [I in keyof K]: KeyTypes[K[I]] } | null;
}

export const encodeKeys = (keys: CursorKeys): string =>
  Buffer.from(JSON.stringify(keys)).toString('base64url');

function notAnswered(): never {
  throw new BadRequestException('cursor must be a nextCursor returned by this list');
}

function parseKeys(cursor: string): CursorKeys | null {
  try {
    const keys: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    const isKeys =
      Array.isArray(keys) && keys.every((key) => typeof key === 'string' || Number.isSafeInteger(key));
    return isKeys ? keys : null;
  } catch {
    return null;
  }
}

/** Makes a page of rows that were read with one more than the limit. @param hasNext set if they may end early */
export function pageFrom<R, T>(
  rows: R[],
  limit: number,
  keysOf: (row: R) => CursorKeys,
  view: (row: R) => T,
  hasNext = rows.length > limit,
): Page<T> {
  const onPage = rows.slice(0, limit);
  const nextCursor = hasNext ? encodeKeys(keysOf(onPage.at(-1)!)) : null;
  return { items: onPage.map(view), nextCursor };
}

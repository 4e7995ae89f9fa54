import { BadRequestException } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsInt, IsString, Max, MaxLength, Min } from 'class-validator';
import { MayBeLeftOut } from '../http/may-be-left-out.ts';

/** A cursor may hold 600 characters of a name, each up to six bytes of JSON. */
const CURSOR_CHARACTERS_MAX = 6_000;

/** What every list takes (api.md "Lists"). */
export class PageQuery {
  @ApiPropertyOptional({ minimum: 1, maximum: 500, default: 50, description: 'Items on a page' })
  @MayBeLeftOut()
  @Type(() => Number)
  @IsInt()
  @Min(1)
  @Max(500)
  limit: number = 50;

  @ApiPropertyOptional({ description: '`nextCursor` of the page before' })
  @MayBeLeftOut()
  @IsString()
  @MaxLength(CURSOR_CHARACTERS_MAX)
  cursor?: string;
}

/** What every list answers; `nextCursor` is null at the end. */
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

/** Keys of the last row of a page: the next page begins behind them. */
export type CursorKeys = (string | number)[];

/** @throws BadRequestException where the text is not a cursor of `length` keys */
export function decodeCursor(cursor: string | undefined, length: number): CursorKeys | null {
  if (cursor === undefined) return null;
  const keys = parseKeys(cursor);
  return keys?.length === length ? keys : notAnswered();
}

/** As `decodeCursor`, where all keys are whole numbers. */
export function decodeNumbers(cursor: string | undefined, length: number): number[] | null {
  const keys = decodeCursor(cursor, length);
  if (keys?.some((key) => typeof key !== 'number')) return notAnswered();
  return keys as number[] | null;
}

function notAnswered(): never {
  throw new BadRequestException('cursor: must be a nextCursor that this list has answered');
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

/** Makes a page of rows that were read with one more than the limit. */
export function pageFrom<R, T>(
  rows: R[],
  limit: number,
  keysOf: (row: R) => CursorKeys,
  view: (row: R) => T,
): Page<T> {
  const onPage = rows.slice(0, limit);
  const nextCursor =
    rows.length > limit ? Buffer.from(JSON.stringify(keysOf(onPage.at(-1)!))).toString('base64url') : null;
  return { items: onPage.map(view), nextCursor };
}

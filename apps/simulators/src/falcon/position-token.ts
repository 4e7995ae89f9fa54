import { Refusal } from '../http/answer.ts';

type Position = [key: string | number, number: number];

/**
 * A token with the record after which the next page begins, so that it stays valid while records are added and changed.
 */
export const positionToken = (position: Position): string =>
  Buffer.from(JSON.stringify(position)).toString('base64url');

/** @throws Refusal 400 if it is no such token */
export function positionOf(token: string): Position {
  try {
    const position = JSON.parse(Buffer.from(token, 'base64url').toString());
    if (Array.isArray(position) && position.length === 2) return position as Position;
  } catch {
    // Not ours: refused below.
  }
  throw new Refusal(400, 'Invalid pagination token');
}

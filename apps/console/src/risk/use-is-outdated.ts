import { useRef } from 'react';
import { type Current, isOutdated } from './recount.tsx';

/**
 * Whether the score has changed since a response that does not contain it.
 *
 * @param score the current score
 * @param answeredAt epoch milliseconds of the response; 0 before the first one
 */
export function useIsOutdated(score: Current, answeredAt: number): boolean {
  const answered = useRef({ score, answeredAt });
  if (answered.current.answeredAt !== answeredAt) answered.current = { score, answeredAt };
  return answeredAt > 0 && isOutdated(answered.current.score, score);
}

import { useRef } from 'react';

/**
 * Whether the score has changed since a response that does not contain it.
 *
 * @param score the current score
 * @param answeredAt epoch milliseconds of the response; 0 before the first one
 */
export function useIsOutdated(score: number | null, answeredAt: number): boolean {
  const answered = useRef({ score, answeredAt });
  if (answered.current.answeredAt !== answeredAt) answered.current = { score, answeredAt };
  return answeredAt > 0 && answered.current.score !== score;
}

import { fromMillionths, HUNDREDTHS, posture2 } from '#libs/domain';

/** A score as the tables have it, in hundredths, in points. */
export const pointsOf = (hundredths: number | null): number | null =>
  hundredths === null ? null : hundredths / HUNDREDTHS;

/** A breach likelihood as the tables have it, in millionths, from 0 to 1. */
export const likelihoodOf = (millionths: number | null): number | null =>
  millionths === null ? null : fromMillionths(millionths);

/** A breach likelihood by either model, from 0 to 1: the best value. @param billionths of posture-2 */
export const breachLikelihoodOf = (millionths: number | null, billionths: number | null): number | null =>
  billionths === null ? likelihoodOf(millionths) : posture2.fromBillionths(billionths);

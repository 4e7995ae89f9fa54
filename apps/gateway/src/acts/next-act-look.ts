import { Injectable } from '@nestjs/common';
import { NextLook } from '../next-look.ts';

/** An act that is folded later is found by a look of an idle gateway. */
const FOLD_MS_MAX = 60_000;

/** When this gateway has to look into the audit trail: after its own acts. */
@Injectable()
export class NextActLook extends NextLook {
  private storedAt = Number.NEGATIVE_INFINITY;

  /** To be called after this gateway has stored acts for whose fold no one waits. */
  expectFold(): void {
    this.storedAt = performance.now();
    this.wake();
  }

  /** Whether such an act may not have been folded yet. */
  get isFoldExpected(): boolean {
    return performance.now() - this.storedAt < FOLD_MS_MAX;
  }
}

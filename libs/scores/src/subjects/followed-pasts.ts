import { type Finding, posture2 } from '#libs/domain';

/** The pasts of findings, of which each comes with all of its changes in their order. */
export class FollowedPasts {
  private key = '';
  private changes: { at: number; past: posture2.FollowedPast }[] = [];

  /** @param key of the finding @param at epoch ms of the change */
  next(key: string, finding: Finding, at: number): posture2.FollowedPast {
    if (key !== this.key) this.changes = [];
    this.key = key;
    // As `withoutOverruled`: what a clock that was ahead has dated later is not its past.
    while (this.changes.length > 0 && this.changes.at(-1)!.at > at) this.changes.pop();
    const past = posture2.pastWith(this.changes.at(-1)?.past ?? null, finding, at);
    this.changes.push({ at, past });
    return past;
  }
}

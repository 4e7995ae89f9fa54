import { isAt, type TokenEvent, type TrailPath } from './token-trail.ts';

/** Follows a JSON document: whether a value is open that is asked for, which the parser keeps. */
export class AskedFor {
  /** How deep the value is that is asked for; null outside of any. */
  private openAt: number | null = null;

  /** @param patterns of the paths that are asked for */
  constructor(private readonly patterns: string[][]) {}

  get isOpen(): boolean {
    return this.openAt !== null;
  }

  /** @param path with what the event begins, without what it ends */
  take(event: TokenEvent, path: TrailPath): void {
    if (event === 'end') {
      if (this.openAt === path.length) this.openAt = null;
    } else if ((event === 'object' || event === 'array') && this.openAt === null) {
      const depth = path.length - 1;
      if (this.patterns.some((pattern) => isAt(pattern, path, depth))) this.openAt = depth;
    }
  }
}

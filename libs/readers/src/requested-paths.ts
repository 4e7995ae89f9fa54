import { isAt, type TokenEvent, type TrailPath } from './token-trail.ts';

/** Follows a JSON document: whether a value is open that is requested, which the parser keeps. */
export class RequestedPaths {
  /** How deep the value is that is requested; null outside of any. */
  private openAt: number | null = null;

  /** @param patterns of the paths that are requested */
  constructor(private readonly patterns: string[][]) {}

  get isOpen(): boolean {
    return this.openAt !== null;
  }

  /** @param path including the value that the event begins, without the one that it ends */
  take(event: TokenEvent, path: TrailPath): void {
    if (event === 'end') {
      if (this.openAt === path.length) this.openAt = null;
    } else if ((event === 'object' || event === 'array') && this.openAt === null) {
      const depth = path.length - 1;
      if (this.patterns.some((pattern) => isAt(pattern, path, depth))) this.openAt = depth;
    }
  }
}

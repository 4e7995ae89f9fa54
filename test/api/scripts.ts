/** A module of `scripts/`: these run without a build, as JavaScript without types. */
export const script = (path: string) => import(new URL(`../../scripts/${path}`, import.meta.url).href);

export interface Change {
  kind: 'incompatible' | 'added';
  where: string;
  what: string;
}

import { type Json, listOf, objectOf, textOf } from '../json-values.ts';

/** Of any length: a secret that is cut could no longer be recognized. `VendorRequests` cuts what it shows. */
const wordsOf = (value: unknown) => textOf(value, Number.POSITIVE_INFINITY);

/** The message of the first entry of `errors`, for `errorIn`; null if there is none. @param isMeant filters entries */
export function errorListed(body: Json, isMeant: (error: Json) => boolean = () => true): string | null {
  const errors = listOf(body.errors).map(objectOf).filter(isMeant);
  if (errors.length === 0) return null;
  const [{ code, message, detail }] = errors as [Json];
  const words = [textOf(code), wordsOf(message) || wordsOf(detail)].filter((text) => text !== '').join(' ');
  const more = errors.length > 1 ? `, and ${errors.length - 1} more` : '';
  return `${words || 'without a message'}${more}`;
}

/** Vendors say it as `errors: [{message}]`, some as `message` or `error`. */
export function messageOf(body: Json): string {
  const first = objectOf(listOf(body.errors)[0]);
  return (
    [first.message, first.detail, body.message, body.error].map(wordsOf).find((text) => text !== '') ?? ''
  );
}

import { Trans } from '@lingui/react/macro';
import { number } from '../language/format.ts';

/** Text of a link to a whole list. */
export function AllOf({ count }: { count: number }) {
  const total = number(count);
  return <Trans>All {total}</Trans>;
}

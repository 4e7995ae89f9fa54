import { t } from '@lingui/core/macro';
import type { ReactNode } from 'react';
import type { Failure } from '../api/client.ts';
import { sentenceOf } from '../parts/states.tsx';
import { Notice } from '../settings/notice.tsx';

/** The answer was lost: the service may have stored the request. */
export const mayHaveTakenEffect = (error: Failure): boolean =>
  error instanceof Error || error.mayHaveTakenEffect === true;

/** The error of an act that is not a dry run. @param children what to say unless the outcome is unknown */
export function ActFailed({
  error,
  children = <span dir="auto">{sentenceOf(error)}</span>,
}: {
  error: Failure;
  children?: ReactNode;
}) {
  if (!mayHaveTakenEffect(error)) {
    return (
      <Notice color="red" role="alert" title={t`The action failed`}>
        {children}
      </Notice>
    );
  }
  return (
    <Notice color="orange" role="alert" title={t`The outcome is unknown`}>
      {t`The service did not respond, but may have stored the action. Check the findings before you repeat it.`}
    </Notice>
  );
}

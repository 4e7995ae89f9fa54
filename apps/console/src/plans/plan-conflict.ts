import { t } from '@lingui/core/macro';
import type { Failure } from '../api/client.ts';
import { sentenceOf } from '../parts/states.tsx';
import { isStale } from '../settings/act.ts';

export const planErrorText = (error: Failure): string =>
  isStale(error)
    ? t`Another user changed this plan. The page now shows the change: check it, then try again.`
    : sentenceOf(error);

import { t } from '@lingui/core/macro';
import { Notice } from './notice.tsx';

/** A general error above a form. */
export function FormError({ children, title = t`Not saved` }: { children: string | null; title?: string }) {
  if (children === null) return null;
  return (
    <Notice color="red" role="alert" title={title}>
      {children}
    </Notice>
  );
}

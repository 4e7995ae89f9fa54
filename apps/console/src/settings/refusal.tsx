import { Notice } from './notice.tsx';

/** What belongs to no field of a form, above it. */
export function Refusal({ children, title = 'Not saved' }: { children: string | null; title?: string }) {
  if (children === null) return null;
  return (
    <Notice color="red" role="alert" title={title}>
      {children}
    </Notice>
  );
}

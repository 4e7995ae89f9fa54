import { Anchor, type AnchorProps } from '@mantine/core';
import type { ReactNode } from 'react';
import { useCallback } from 'react';
import { Link, type LinkProps, useNavigate } from 'react-router';
import { useAsOf, withAsOf } from '../time/as-of.ts';
import classes from './links.module.css';

/** A link within the console that keeps the displayed time. Use it instead of the router's link. */
export function AppLink({
  to,
  children,
  ...props
}: AnchorProps & { to: string; children: ReactNode; onClick?: () => void }) {
  const { asOf } = useAsOf();
  return (
    <Anchor component={Link} to={withAsOf(to, asOf)} {...props}>
      {children}
    </Anchor>
  );
}

/** A cheaper link for the cells of long tables, whose rendering time depends on it. */
export function CellLink({ to, ...props }: Omit<LinkProps, 'to' | 'className'> & { to: string }) {
  const { asOf } = useAsOf();
  return <Link to={withAsOf(to, asOf)} className={classes.cell} {...props} />;
}

/** Navigates to another page and keeps the displayed time. */
export function useGo(): (to: string) => void {
  const navigate = useNavigate();
  const { asOf } = useAsOf();
  return useCallback((to) => void navigate(withAsOf(to, asOf)), [navigate, asOf]);
}

import { Anchor, type AnchorProps } from '@mantine/core';
import type { ReactNode } from 'react';
import { useCallback } from 'react';
import { Link, type LinkProps, useNavigate } from 'react-router';
import { useAsOf, withAsOf } from '../time/as-of.ts';
import classes from './links.module.css';

/** A link within the console; it stays at the instant that is shown. Use it in place of the router's own. */
export function AppLink({ to, children, ...props }: AnchorProps & { to: string; children: ReactNode }) {
  const { asOf } = useAsOf();
  return (
    <Anchor component={Link} to={withAsOf(to, asOf)} {...props}>
      {children}
    </Anchor>
  );
}

/** The same with fewer choices, for the cells of a long table: they are what such a table costs. */
export function CellLink({ to, ...props }: Omit<LinkProps, 'to' | 'className'> & { to: string }) {
  const { asOf } = useAsOf();
  return <Link to={withAsOf(to, asOf)} className={classes.cell} {...props} />;
}

/** Goes to another page at the instant that is shown. */
export function useGo(): (to: string) => void {
  const navigate = useNavigate();
  const { asOf } = useAsOf();
  return useCallback((to) => void navigate(withAsOf(to, asOf)), [navigate, asOf]);
}

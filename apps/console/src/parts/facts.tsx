import { Fragment, type ReactNode } from 'react';
import classes from './facts.module.css';

/** What is known of something, by name. Null and empty lists are left out: an absent value says nothing. */
export function Facts({ of }: { of: readonly (readonly [name: string, value: ReactNode])[] }) {
  return (
    <dl className={classes.facts}>
      {of.filter(isKnown).map(([name, value]) => (
        <Fragment key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </Fragment>
      ))}
    </dl>
  );
}

const isKnown = ([, value]: readonly [string, ReactNode]) =>
  value !== null && value !== undefined && value !== '' && !(Array.isArray(value) && value.length === 0);

import { Fragment, type ReactNode } from 'react';
import classes from './facts.module.css';

/** Names and values. Null, empty texts and empty lists are omitted. */
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

import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Collapse } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import type { Api } from '../api/client.ts';
import { number } from '../language/format.ts';
import classes from './finding-history.module.css';
import { type Difference, differencesOf } from './history-words.ts';

type Step = Api['HistoryItemDto'];

/** Longer lists are collapsed, such as the initial values. */
const OPEN_MAX = 4;

/** Changed fields of a step, before and after. */
export function FindingChanges({ step: { changes, changesLeftOut, change } }: { step: Step }) {
  const shown = changes
    .filter(({ field }) => field !== 'state' && field !== 'retiredReason')
    .flatMap(differencesOf);
  const isLong = change === 'created' || shown.length > OPEN_MAX;
  const [isOpen, { toggle }] = useDisclosure(!isLong);
  if (shown.length === 0) return null;
  const count = shown.length + changesLeftOut;
  const total = number(count);
  const more = number(changesLeftOut);
  const Chevron = isOpen ? IconChevronDown : IconChevronRight;
  return (
    <>
      {isLong && (
        <Button
          variant="subtle"
          size="compact-xs"
          ms={-8}
          mt={4}
          leftSection={<Chevron size={14} aria-hidden className={isOpen ? undefined : 'mirrored'} />}
          aria-expanded={isOpen}
          onClick={toggle}
        >
          {change === 'created'
            ? t`Initial values (${total})`
            : plural(count, { one: '# change', other: '# changes' })}
        </Button>
      )}
      <Collapse expanded={isOpen}>
        <dl className={classes.changes}>
          {shown.map((difference) => (
            <FieldChange key={difference.name} of={difference} />
          ))}
        </dl>
        {changesLeftOut > 0 && (
          <div>
            <Trans>and {more} more</Trans>
          </div>
        )}
      </Collapse>
    </>
  );
}

function FieldChange({ of: { name, before, after } }: { of: Difference }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>
        {before !== null && (
          <del className={classes.before} dir="auto">
            {before}
          </del>
        )}
        {before !== null && after !== null && ' '}
        {after !== null &&
          (before === null ? (
            <bdi>{after}</bdi>
          ) : (
            <ins className={classes.after} dir="auto">
              {after}
            </ins>
          ))}
      </dd>
    </>
  );
}

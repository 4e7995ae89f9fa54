import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Code, Text, UnstyledButton } from '@mantine/core';
import { useState } from 'react';
import { type Act, refusalText } from './acts.ts';
import classes from './audit.module.css';
import { type Change, changesIn } from './changes.ts';

const LINES_SHOWN = 3;

/** Changes of an action (before → after), with more details on request. */
export function ActDetail({ act }: { act: Act }) {
  const [isOpen, setOpen] = useState(false);
  const changes = changesIn(act);
  const hidden = changes.length - LINES_SHOWN;
  return (
    <div className={classes.detail}>
      {act.refused !== null && (
        <Text size="sm" fw={600}>
          {refusalText(act.refused)} {changes.length > 0 && <Trans>Requested:</Trans>}
        </Text>
      )}
      <ul className={classes.changes}>
        {(isOpen ? changes : changes.slice(0, LINES_SHOWN)).map((change) => (
          <li key={JSON.stringify(change)}>
            <ChangeLine change={change} />
          </li>
        ))}
      </ul>
      {isOpen && <Source of={act} />}
      <UnstyledButton className={classes.more} onClick={() => setOpen(!isOpen)} aria-expanded={isOpen}>
        {isOpen ? t`Less` : hidden > 0 ? moreText(hidden) : t`Details`}
      </UnstyledButton>
    </div>
  );
}

const moreText = (changes: number): string => plural(changes, { one: '# more', other: '# more' });

/** What the action was performed on, and who requested it from where. */
function Source({ of: act }: { of: Act }) {
  const { target, origins } = act;
  const request = act.requestId ?? '–';
  return (
    <Text size="xs" c="dimmed" mt={4}>
      <Trans>
        Target <Code dir="ltr">{target}</Code> · request <Code dir="ltr">{request}</Code>
      </Trans>
      {origins.map(({ address, token }) => (
        <span key={`${address} ${token}`}>
          {' · '}
          <Trans>
            from <Code dir="ltr">{address}</Code> with token <Code dir="ltr">{token}</Code>
          </Trans>
        </span>
      ))}
    </Text>
  );
}

function ChangeLine({ change: { name, before, after } }: { change: Change }) {
  return (
    <>
      <span className={classes.name}>{name}: </span>
      {before !== undefined && <del dir="auto">{before}</del>}
      {before !== undefined && after !== undefined && (
        <span aria-hidden>
          {' '}
          <span className={`mirrored ${classes.arrow}`}>→</span>{' '}
        </span>
      )}
      {after !== undefined && <ins dir="auto">{after}</ins>}
    </>
  );
}

import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Code, Text, UnstyledButton } from '@mantine/core';
import { useState } from 'react';
import { type Act, REFUSALS } from './acts.ts';
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
          <Trans>
            Rejected: {REFUSALS[act.refused] ?? act.refused}.{changes.length > 0 && ' Requested:'}
          </Trans>
        </Text>
      )}
      <ul className={classes.changes}>
        {(isOpen ? changes : changes.slice(0, LINES_SHOWN)).map((change) => (
          <li key={JSON.stringify(change)}>
            <ChangeLine change={change} />
          </li>
        ))}
      </ul>
      {isOpen && (
        <Text size="xs" c="dimmed" mt={4}>
          <Trans>
            Target <Code>{act.target}</Code> · request <Code>{act.requestId ?? '–'}</Code>
            {act.origins.map(({ address, token }) => (
              <span key={`${address} ${token}`}>
                {' '}
                · from <Code>{address}</Code> with token <Code>{token}</Code>
              </span>
            ))}
          </Trans>
        </Text>
      )}
      <UnstyledButton className={classes.more} onClick={() => setOpen(!isOpen)} aria-expanded={isOpen}>
        {isOpen ? t`Less` : hidden > 0 ? `${hidden.toLocaleString()} more` : t`Details`}
      </UnstyledButton>
    </div>
  );
}

function ChangeLine({ change: { name, before, after } }: { change: Change }) {
  return (
    <>
      <span className={classes.name}>{name}: </span>
      {before !== undefined && <del>{before}</del>}
      {before !== undefined && after !== undefined && <span aria-hidden> → </span>}
      {after !== undefined && <ins>{after}</ins>}
    </>
  );
}

import { i18n, type MessageDescriptor } from '@lingui/core';
import { msg, t } from '@lingui/core/macro';
import { Group, List, Text } from '@mantine/core';
import {
  IconCircleCheck,
  IconCircleMinus,
  IconCircleX,
  IconPlugConnected,
  IconPlugX,
} from '@tabler/icons-react';
import type { Api, Failure } from '../api/client.ts';
import { sentenceOf } from '../parts/states.tsx';
import classes from './connection-result.module.css';
import { Notice } from './notice.tsx';
import { asSentence } from './sync-words.ts';

type Check = Api['ConnectionCheckDto'];

const CHECK_NAMES: Record<Check['name'], MessageDescriptor> = {
  address: msg`Address`,
  credentials: msg`Credentials`,
  hosts: msg`Hosts`,
  alerts: msg`Alerts`,
  devices: msg`Devices`,
  assets: msg`Assets`,
  vulnerabilities: msg`Vulnerabilities`,
};

/** The other checks depend on these checks. */
const FOUNDATIONS: readonly Check['name'][] = ['address', 'credentials'];

const LOOKS = {
  passed: { Icon: IconCircleCheck, word: msg`passed` },
  failed: { Icon: IconCircleX, word: msg`failed` },
  skipped: { Icon: IconCircleMinus, word: msg`not checked` },
} as const;

/** Result of a connection test, by check. */
export function ConnectionResult({ test }: { test: Api['ConnectionTestDto'] }) {
  const broken = test.checks.findIndex(({ name, ok }) => !ok && FOUNDATIONS.includes(name));
  return (
    <Notice
      color={test.ok ? 'teal' : 'red'}
      icon={test.ok ? <IconPlugConnected aria-hidden /> : <IconPlugX aria-hidden />}
      title={test.ok ? t`The connection works` : t`The connection does not work`}
      role="status"
    >
      <List spacing={6} listStyleType="none" aria-label={t`Checks of the connection`}>
        {test.checks.map((check, at) => (
          <CheckLine
            key={check.name}
            check={check}
            look={check.ok ? 'passed' : broken >= 0 && at > broken ? 'skipped' : 'failed'}
          />
        ))}
      </List>
    </Notice>
  );
}

function CheckLine({ check, look }: { check: Check; look: keyof typeof LOOKS }) {
  const { Icon, word } = LOOKS[look];
  return (
    <List.Item>
      <Group gap="xs" wrap="nowrap" align="flex-start">
        <Icon size={18} className={classes.icon} data-look={look} role="img" aria-label={i18n._(word)} />
        <Text size="sm" className={classes.message}>
          <b>{i18n._(CHECK_NAMES[check.name])}:</b> {asSentence(check.message)}
        </Text>
      </Group>
    </List.Item>
  );
}

/** The test could not run: invalid input, or too many concurrent tests. */
export function NotTested({ error }: { error: Failure }) {
  return (
    <Notice color="red" role="alert" title={t`The connection was not tested`}>
      {asSentence(sentenceOf(error))}
    </Notice>
  );
}

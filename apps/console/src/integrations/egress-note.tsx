import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { ActionIcon, Text, Tooltip } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { api } from '../api/client.ts';
import { copyWords, useCopy } from '../parts/use-copy.ts';

/** The outbound address that the platform must allow. Empty until it is loaded. */
export function EgressNote() {
  const { data } = api.useQuery('get', '/api/v3/egress', {}, { staleTime: Number.POSITIVE_INFINITY });
  const { shown, outcome, copy } = useCopy<HTMLElement>();
  if (!data) return null;
  if (data.publishedIp === null) {
    return (
      <Text size="sm" c="dimmed">
        <Trans>
          If the platform accepts only known addresses, ask the operators of this service for its outbound IP
          address. It is not published here.
        </Trans>
      </Text>
    );
  }
  const address = (
    <b dir="ltr" ref={shown}>
      {data.publishedIp}
    </b>
  );
  return (
    <Text size="sm" component="div">
      <Trans>All requests come from {address}. Allow this address at the platform.</Trans>
      <Tooltip label={outcome ? copyWords()[outcome] : t`Copy`}>
        <ActionIcon
          variant="subtle"
          size="sm"
          ms={4}
          style={{ verticalAlign: 'middle' }}
          onClick={copy}
          aria-label={t`Copy the address`}
        >
          {outcome === 'copied' ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />}
        </ActionIcon>
      </Tooltip>
    </Text>
  );
}

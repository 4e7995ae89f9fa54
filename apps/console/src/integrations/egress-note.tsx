import { ActionIcon, Text, Tooltip } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { api } from '../api/client.ts';
import { COPY_WORDS, useCopy } from '../parts/use-copy.ts';

/** The address that the platform must let in. Says nothing until it is known. */
export function EgressNote() {
  const { data } = api.useQuery('get', '/api/v3/egress', {}, { staleTime: Number.POSITIVE_INFINITY });
  const { shown, outcome, copy } = useCopy<HTMLElement>();
  if (!data) return null;
  if (data.publishedIp === null) {
    return (
      <Text size="sm" c="dimmed">
        If the platform only lets known addresses in, ask who runs this service for its outgoing address: it
        has not been published here.
      </Text>
    );
  }
  return (
    <Text size="sm" component="div">
      All requests come from <b ref={shown}>{data.publishedIp}</b>. Allow this address at the platform.
      <Tooltip label={outcome ? COPY_WORDS[outcome] : 'Copy'}>
        <ActionIcon
          variant="subtle"
          size="sm"
          ml={4}
          style={{ verticalAlign: 'middle' }}
          onClick={copy}
          aria-label="Copy the address"
        >
          {outcome === 'copied' ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />}
        </ActionIcon>
      </Tooltip>
    </Text>
  );
}

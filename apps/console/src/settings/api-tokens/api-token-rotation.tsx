import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { NativeSelect, Stack } from '@mantine/core';
import { useState } from 'react';
import { type Api, api } from '../../api/client.ts';
import { settled } from '../act.ts';
import { Confirmation } from '../confirmation.tsx';
import { lifetimesFromNow, UNCHANGED } from './api-token-change.tsx';
import { endAfter } from './api-token-form.tsx';

/** By seconds. */
const overlaps = () => [
  { value: '0', label: t`now` },
  { value: '3600', label: t`in an hour` },
  { value: '86400', label: t`in a day` },
  { value: '604800', label: t`in seven days` },
];

export function ApiTokenRotation({
  of: { id, name, expiresAt },
  onMade,
  onClose,
}: {
  of: Api['ApiTokenDto'];
  onMade: (made: Api['ApiTokenWithSecretDto']) => void;
  onClose: () => void;
}) {
  const hasExpired = expiresAt !== null && Date.parse(expiresAt) <= Date.now();
  const ends = lifetimesFromNow().filter(({ value }) => value !== '' && !(hasExpired && value === UNCHANGED));
  const [overlap, setOverlap] = useState('3600');
  const [lifetime, setLifetime] = useState(ends[0]!.value);
  const rotate = api.useMutation('post', '/api/v3/tokens/{id}/rotate', {
    onSuccess: (made) => {
      void settled(made, t`${name} was rotated.`);
      onMade(made);
    },
  });
  return (
    <Confirmation
      title={t`Rotate ${name}?`}
      act={t`Rotate`}
      isBusy={rotate.isPending}
      error={rotate.error}
      onAct={() => {
        const end = lifetime === UNCHANGED ? null : endAfter(lifetime);
        const body = { overlapSeconds: Number(overlap), ...(end && { expiresAt: end }) };
        rotate.mutate({ params: { path: { id } }, body });
      }}
      onClose={onClose}
    >
      <Stack>
        {hasExpired ? (
          <Trans>
            The service creates a new token, which is shown only once. The present token has expired.
          </Trans>
        ) : (
          <>
            <Trans>
              The service creates a new token, which is shown only once. Programs can use the present token
              until it ends.
            </Trans>
            <NativeSelect
              label={t`The present token ends`}
              data={overlaps()}
              value={overlap}
              onChange={({ currentTarget }) => setOverlap(currentTarget.value)}
            />
          </>
        )}
        <NativeSelect
          label={t`Expires after`}
          data={ends}
          value={lifetime}
          onChange={({ currentTarget }) => setLifetime(currentTarget.value)}
        />
      </Stack>
    </Confirmation>
  );
}

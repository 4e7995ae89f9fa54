import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { NativeSelect, Stack } from '@mantine/core';
import { useState } from 'react';
import { type Api, api } from '../../api/client.ts';
import { settled } from '../act.ts';
import { Confirmation } from '../confirmation.tsx';

/** By seconds. */
const overlaps = () => [
  { value: '0', label: t`now` },
  { value: '3600', label: t`in an hour` },
  { value: '86400', label: t`in a day` },
  { value: '604800', label: t`in seven days` },
];

export function ApiTokenRotation({
  of: { id, name },
  onMade,
  onClose,
}: {
  of: Api['ApiTokenDto'];
  onMade: (made: Api['ApiTokenWithSecretDto']) => void;
  onClose: () => void;
}) {
  const [overlap, setOverlap] = useState('3600');
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
      onAct={() => rotate.mutate({ params: { path: { id } }, body: { overlapSeconds: Number(overlap) } })}
      onClose={onClose}
    >
      <Stack>
        <Trans>
          The service creates a new token, which is shown only once. Programs can use the present token until
          it ends.
        </Trans>
        <NativeSelect
          label={t`The present token ends`}
          data={overlaps()}
          value={overlap}
          onChange={({ currentTarget }) => setOverlap(currentTarget.value)}
        />
      </Stack>
    </Confirmation>
  );
}

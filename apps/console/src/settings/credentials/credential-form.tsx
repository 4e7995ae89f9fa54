import { i18n } from '@lingui/core';
import { msg, t } from '@lingui/core/macro';
import { Radio, Stack, TextInput } from '@mantine/core';
import { api } from '../../api/client.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { FormButtons } from '../../parts/form-buttons.tsx';
import { useKept } from '../../parts/use-kept.ts';
import { useKeptFields } from '../../parts/use-kept-fields.ts';
import { namedFormErrorsOf, settled } from '../act.ts';
import { FormError } from '../form-error.tsx';
import { LimitFields, limitsOf, NO_LIMITS } from './limit-fields.tsx';
import type { WithPassword } from './with-password.ts';

const ROLES = [
  ['viewer', msg`Read access`],
  ['analyst', msg`Read access, uploads, accepting and reverting findings`],
  ['admin', msg`Full access`],
] as const;

export function CredentialForm({
  onMade,
  onClose,
}: {
  onMade: (made: WithPassword) => void;
  onClose: () => void;
}) {
  const [limits, setLimits] = useKept('limits of a new credential', () => NO_LIMITS);
  const keptFields = useKeptFields('new credential');
  const add = api.useMutation('post', '/api/v3/credentials', {
    onSuccess: (made) => {
      const { username } = made;
      void settled(made, t`${username} was added.`);
      onMade(made);
    },
  });
  const isField = (path: string) => path === 'username' || path === 'role';
  const { fields, general } = namedFormErrorsOf(add.error, isField, 'username');
  return (
    <Dialog onClose={onClose} title={t`Add a credential`}>
      <form
        ref={keptFields}
        onSubmit={(event) => {
          event.preventDefault();
          const form = new FormData(event.currentTarget);
          const role = form.get('role') as WithPassword['role'];
          add.mutate({ body: { username: String(form.get('username')), role, ...limitsOf(limits) } });
        }}
      >
        <Stack>
          <FormError>{general}</FormError>
          <TextInput
            name="username"
            label={t`User name`}
            description={t`Letters, digits and . _ - @ +`}
            error={fields.username}
            maxLength={100}
            autoComplete="off"
            data-autofocus
          />
          <Radio.Group name="role" label={t`Role`} defaultValue="analyst" error={fields.role}>
            <Stack gap="xs" mt="xs">
              {ROLES.map(([role, description]) => (
                <Radio key={role} value={role} label={role} description={i18n._(description)} />
              ))}
            </Stack>
          </Radio.Group>
          <LimitFields value={limits} onChange={setLimits} />
          <FormButtons act={t`Add`} isBusy={add.isPending} onClose={onClose} />
        </Stack>
      </form>
    </Dialog>
  );
}

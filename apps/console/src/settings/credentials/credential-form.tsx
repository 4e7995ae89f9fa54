import { Button, Group, Radio, Stack, TextInput } from '@mantine/core';
import { api } from '../../api/client.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { namedComplaintOf, settled } from '../act.ts';
import { Refusal } from '../refusal.tsx';
import type { WithPassword } from './with-password.ts';

const ROLES = [
  ['viewer', 'Reads'],
  ['analyst', 'Reads, uploads, accepts and reverts findings'],
  ['admin', 'Does everything'],
] as const;

export function CredentialForm({
  onMade,
  onClose,
}: {
  onMade: (made: WithPassword) => void;
  onClose: () => void;
}) {
  const add = api.useMutation('post', '/api/v3/credentials', {
    onSuccess: (made) => {
      void settled(made, `${made.username} is added.`);
      onMade(made);
    },
  });
  const isField = (path: string) => path === 'username' || path === 'role';
  const { fields, general } = namedComplaintOf(add.error, isField, 'username');
  return (
    <Dialog onClose={onClose} title="Add a credential">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          const form = new FormData(event.currentTarget);
          const role = form.get('role') as WithPassword['role'];
          add.mutate({ body: { username: String(form.get('username')), role } });
        }}
      >
        <Stack>
          <Refusal>{general}</Refusal>
          <TextInput
            name="username"
            label="User name"
            description="Of the person or the program: letters, digits and . _ - @ +"
            error={fields.username}
            maxLength={100}
            autoComplete="off"
            data-autofocus
          />
          <Radio.Group name="role" label="Role" defaultValue="analyst" error={fields.role}>
            <Stack gap="xs" mt="xs">
              {ROLES.map(([role, description]) => (
                <Radio key={role} value={role} label={role} description={description} />
              ))}
            </Stack>
          </Radio.Group>
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={add.isPending}>
              Add
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}

import { Button, Group, MultiSelect, NativeSelect, Stack, TagsInput, TextInput } from '@mantine/core';
import { useState } from 'react';
import { type Api, api } from '../../api/client.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { namedFormErrorsOf, settled } from '../act.ts';
import { LimitFields, limitsOf, NO_LIMITS } from '../credentials/limit-fields.tsx';
import { FormError } from '../form-error.tsx';
import { SCOPES, type Scope } from './scopes.ts';

const DAY_MS = 86_400_000;
const LIFETIMES = [
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '365', label: '365 days' },
  { value: '', label: 'No expiry' },
];
const FIELDS = new Set(['name', 'scopes', 'networks']);

export function ApiTokenForm({
  onMade,
  onClose,
}: {
  onMade: (made: Api['ApiTokenWithSecretDto']) => void;
  onClose: () => void;
}) {
  const [scopes, setScopes] = useState<Scope[]>([]);
  const [networks, setNetworks] = useState<string[]>([]);
  const [limits, setLimits] = useState(NO_LIMITS);
  const add = api.useMutation('post', '/api/v3/tokens', {
    onSuccess: (made) => {
      void settled(made, `${made.name} was created.`);
      onMade(made);
    },
  });
  const { fields, general } = namedFormErrorsOf(add.error, (path) => FIELDS.has(path));
  return (
    <Dialog onClose={onClose} title="Create an API token">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          const form = new FormData(event.currentTarget);
          const days = Number(form.get('days'));
          const expiresAt = days > 0 ? new Date(Date.now() + days * DAY_MS).toISOString() : undefined;
          const name = String(form.get('name'));
          add.mutate({
            body: { name, scopes, networks, ...limitsOf(limits), ...(expiresAt && { expiresAt }) },
          });
        }}
      >
        <Stack>
          <FormError>{general}</FormError>
          <TextInput
            name="name"
            label="Name"
            description="Letters, digits and . _ - @ +"
            error={fields.name}
            maxLength={100}
            autoComplete="off"
            data-autofocus
          />
          <MultiSelect
            label="Scopes"
            description="Permissions of the token"
            data={SCOPES}
            value={scopes}
            onChange={(chosen) => setScopes(chosen as Scope[])}
            error={fields.scopes}
            searchable
          />
          <TagsInput
            label="Networks"
            description="Addresses and networks that can use the token. Empty: any"
            placeholder={networks.length === 0 ? '203.0.113.0/24' : ''}
            value={networks}
            onChange={setNetworks}
            error={fields.networks}
            maxTags={20}
            acceptValueOnBlur
          />
          <LimitFields value={limits} onChange={setLimits} />
          <NativeSelect name="days" label="Expires after" data={LIFETIMES} defaultValue="90" />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={add.isPending}>
              Create
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}

import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Group, Stack, Text, TextInput } from '@mantine/core';
import {
  IconFilterEdit,
  IconPencil,
  IconShare,
  IconShareOff,
  IconStar,
  IconStarFilled,
  IconTrash,
} from '@tabler/icons-react';
import { useState } from 'react';
import { type Api, api } from '../api/client.ts';
import { Dialog } from '../parts/dialog.tsx';
import { FormButtons } from '../parts/form-buttons.tsx';
import { sentenceOf } from '../parts/states.tsx';
import { useKeptFields } from '../parts/use-kept-fields.ts';
import { useMay } from '../session/session.ts';
import { namedFormErrorsOf, refreshIfStale, settled } from '../settings/act.ts';
import { Confirmation } from '../settings/confirmation.tsx';
import { FormError } from '../settings/form-error.tsx';
import { RowAct } from '../settings/row-act.tsx';
import type { View } from './use-views.ts';
import { isSameQuery } from './view-address.ts';
import classes from './views.module.css';

type Asked = { act: 'rename' | 'remove'; view: View } | null;

/** Own and shared views, with what the user can do with each. @param present query of the address */
export function ManageViews({
  views,
  present,
  onClose,
}: {
  views: readonly View[];
  present: string;
  onClose: () => void;
}) {
  const [asked, ask] = useState<Asked>(null);
  const change = api.useMutation('patch', '/api/v3/views/{id}');
  const close = () => ask(null);
  const onChange = ({ id }: View, body: Api['ChangeViewDto'], sentence: string) =>
    change.mutate({ params: { path: { id } }, body }, { onSuccess: (view) => void settled(view, sentence) });
  return (
    <Dialog onClose={onClose} title={t`Manage views`} size="lg">
      <FormError>{change.error && sentenceOf(change.error)}</FormError>
      {views.length === 0 && (
        <Text size="sm">
          <Trans>No views are left.</Trans>
        </Text>
      )}
      <ul className={classes.list} aria-label={t`Views`}>
        {views.map((view) => (
          <li key={view.id} className={classes.row}>
            <div className={classes.name}>
              <bdi>{view.name}</bdi>
              <Text size="xs" c="dimmed">
                {remarksOn(view).join(' · ')}
              </Text>
            </div>
            <Acts view={view} present={present} isBusy={change.isPending} onChange={onChange} ask={ask} />
          </li>
        ))}
      </ul>
      {asked?.act === 'rename' && <Renaming view={asked.view} onClose={close} />}
      {asked?.act === 'remove' && <Removal view={asked.view} onClose={close} />}
    </Dialog>
  );
}

const remarksOn = ({ own, owner, shared, default: isDefault }: View): string[] => [
  own ? (shared ? t`yours, shared` : t`yours`) : t`shared by ${owner}`,
  ...(isDefault ? [t({ message: 'default', context: 'the view that opens the list' })] : []),
];

function Acts({
  view,
  present,
  isBusy,
  onChange,
  ask,
}: {
  view: View;
  present: string;
  isBusy: boolean;
  onChange: (view: View, body: Api['ChangeViewDto'], sentence: string) => void;
  ask: (asked: Asked) => void;
}) {
  const [mayShare, mayRemove] = [useMay('findings:triage'), useMay('settings:write')];
  const { name, own, shared, default: isDefault } = view;
  const Star = isDefault ? IconStarFilled : IconStar;
  const Share = shared ? IconShareOff : IconShare;
  return (
    <Group gap={4} wrap="nowrap">
      <RowAct
        label={isDefault ? t`Do not open the list with ${name}` : t`Open the list with ${name}`}
        disabled={isBusy}
        onClick={() =>
          onChange(
            view,
            { default: !isDefault },
            isDefault ? t`${name} is no longer the default.` : t`The list opens with ${name}.`,
          )
        }
      >
        <Star size={18} aria-hidden />
      </RowAct>
      {own && (mayShare || shared) && (
        <RowAct
          label={shared ? t`Stop sharing ${name}` : t`Share ${name}`}
          disabled={isBusy}
          onClick={() =>
            onChange(
              view,
              { shared: !shared },
              shared ? t`${name} is no longer shared.` : t`${name} is shared.`,
            )
          }
        >
          <Share size={18} aria-hidden />
        </RowAct>
      )}
      {own && (
        <>
          <RowAct
            label={t`Replace the filters of ${name} with the current ones`}
            disabled={isBusy || isSameQuery(view.query, present)}
            onClick={() => onChange(view, { query: present }, t`${name} has the current filters.`)}
          >
            <IconFilterEdit size={18} aria-hidden />
          </RowAct>
          <RowAct label={t`Rename ${name}`} onClick={() => ask({ act: 'rename', view })}>
            <IconPencil size={18} aria-hidden />
          </RowAct>
        </>
      )}
      {(own || mayRemove) && (
        <RowAct label={t`Remove ${name}`} onClick={() => ask({ act: 'remove', view })}>
          <IconTrash size={18} aria-hidden />
        </RowAct>
      )}
    </Group>
  );
}

function Renaming({ view: { id, name, version }, onClose }: { view: View; onClose: () => void }) {
  const rename = api.useMutation('patch', '/api/v3/views/{id}', {
    onSuccess: (view) => {
      onClose();
      const given = view.name;
      void settled(view, t`${name} was renamed to ${given}.`);
    },
    onError: refreshIfStale,
  });
  const { fields, general } = namedFormErrorsOf(rename.error, (path) => path === 'name');
  const keptFields = useKeptFields(`view ${id} ${version}`);
  return (
    <Dialog onClose={onClose} title={t`Rename ${name}`}>
      <form
        ref={keptFields}
        onSubmit={(event) => {
          event.preventDefault();
          const given = String(new FormData(event.currentTarget).get('name'));
          rename.mutate({ params: { path: { id } }, body: { name: given, version } });
        }}
      >
        <Stack>
          <FormError>{general}</FormError>
          <TextInput
            name="name"
            label={t`Name`}
            defaultValue={name}
            error={fields.name}
            maxLength={100}
            autoComplete="off"
            data-autofocus
          />
          <FormButtons act={t`Rename`} isBusy={rename.isPending} onClose={onClose} />
        </Stack>
      </form>
    </Dialog>
  );
}

function Removal({ view: { id, name, shared }, onClose }: { view: View; onClose: () => void }) {
  const remove = api.useMutation('delete', '/api/v3/views/{id}', {
    onSuccess: (view) => {
      onClose();
      void settled(view, t`${name} was removed.`);
    },
  });
  return (
    <Confirmation
      title={t`Remove ${name}?`}
      act={t`Remove`}
      isBusy={remove.isPending}
      error={remove.error}
      onAct={() => remove.mutate({ params: { path: { id } } })}
      onClose={onClose}
    >
      {shared ? (
        <Trans>The view disappears for everyone. No finding and no asset changes.</Trans>
      ) : (
        <Trans>The view disappears. No finding and no asset changes.</Trans>
      )}
    </Confirmation>
  );
}

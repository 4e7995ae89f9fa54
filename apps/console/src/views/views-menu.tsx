import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Menu } from '@mantine/core';
import { IconBookmark, IconCheck, IconStar } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { useGo } from '../app/links.tsx';
import { useSearch } from '../parts/use-search.ts';
import { ManageViews } from './manage-views.tsx';
import { SaveView } from './save-view.tsx';
import { useViews, type View } from './use-views.ts';
import { addressOfView, isSameQuery, queryOfAddress, type ViewedList } from './view-address.ts';
import classes from './views.module.css';

/** Chooses a saved view, saves the filters of the address as one, and opens the dialog that manages them. */
export function ViewsMenu({ list }: { list: ViewedList }) {
  const go = useGo();
  const present = queryOfAddress(list, useSearch());
  const { data } = useViews(list);
  const [dialog, setDialog] = useState<'save' | 'manage' | null>(null);
  const views = data?.items ?? [];
  const shown = views.find(({ query }) => isSameQuery(query, present));
  const close = () => setDialog(null);
  const button = useRef<HTMLButtonElement>(null);
  function open(which: 'save' | 'manage') {
    // A closed dialog returns the focus to where it was, and the item of the menu is gone then.
    button.current?.focus();
    setDialog(which);
  }
  const item = (view: View) => (
    <Menu.Item
      key={view.id}
      aria-current={view === shown}
      leftSection={view === shown ? <IconCheck size={16} aria-hidden /> : <span className={classes.place} />}
      rightSection={
        view.default && (
          <IconStar
            size={14}
            role="img"
            aria-label={t({ message: 'Default', context: 'the view that opens the list' })}
          />
        )
      }
      onClick={() => go(`/${list}?${addressOfView({ list, query: view.query })}`)}
      className={classes.item}
    >
      <bdi>{view.name}</bdi>
    </Menu.Item>
  );
  const [own, shared] = [views.filter((view) => view.own), views.filter((view) => !view.own)];
  return (
    <>
      <Menu position="bottom-end" width={280}>
        <Menu.Target>
          <Button
            ref={button}
            variant="default"
            size="xs"
            leftSection={<IconBookmark size={16} aria-hidden />}
            className={classes.button}
          >
            {shown ? <bdi>{shown.name}</bdi> : t`Views`}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <div className={classes.views}>
            {own.length > 0 && (
              <Menu.Label>
                <Trans>Your views</Trans>
              </Menu.Label>
            )}
            {own.map(item)}
            {shared.length > 0 && (
              <Menu.Label>
                <Trans>Shared views</Trans>
              </Menu.Label>
            )}
            {shared.map(item)}
          </div>
          {views.length > 0 && <Menu.Divider />}
          <Menu.Item onClick={() => open('save')}>
            <Trans>Save as a view</Trans>
          </Menu.Item>
          {views.length > 0 && (
            <Menu.Item onClick={() => open('manage')}>
              <Trans>Manage views</Trans>
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      {dialog === 'save' && <SaveView list={list} query={present} onClose={close} />}
      {dialog === 'manage' && <ManageViews views={views} present={present} onClose={close} />}
    </>
  );
}

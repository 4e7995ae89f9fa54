import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Menu } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconLanguage } from '@tabler/icons-react';
import { selectLanguage, useLanguage } from './language.ts';
import { LANGUAGES, type Language } from './languages.ts';

/** The languages as items of a menu. */
export function LanguageItems() {
  const shown = useLanguage();
  return (
    <>
      <Menu.Label>
        <Trans>Language</Trans>
      </Menu.Label>
      {Object.entries(LANGUAGES).map(([language, { name, direction }]) => (
        <Menu.Item
          key={language}
          leftSection={<IconLanguage size={16} aria-hidden />}
          onClick={() => selectLanguage(language as Language).catch(tellFailure)}
          aria-current={shown === language}
          fw={shown === language ? 650 : undefined}
        >
          <span lang={language} dir={direction}>
            {name}
          </span>
        </Menu.Item>
      ))}
    </>
  );
}

const tellFailure = () =>
  notifications.show({
    color: 'red.9',
    title: t`The language could not be loaded`,
    message: t`Check the connection to the service, then select it again.`,
    closeButtonProps: { 'aria-label': t`Close` },
  });

import { Button, Menu } from '@mantine/core';
import { IconLanguage } from '@tabler/icons-react';
import { useLanguage } from './language.ts';
import { LanguageItems } from './language-items.tsx';
import { LANGUAGES } from './languages.ts';

/** For pages before the sign-in, which have no user menu. */
export function LanguageMenu() {
  const { name } = LANGUAGES[useLanguage()];
  return (
    <Menu position="bottom" width={220}>
      <Menu.Target>
        <Button
          variant="subtle"
          size="compact-sm"
          leftSection={<IconLanguage size={16} aria-hidden />}
          mx="auto"
        >
          {name}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <LanguageItems />
      </Menu.Dropdown>
    </Menu>
  );
}

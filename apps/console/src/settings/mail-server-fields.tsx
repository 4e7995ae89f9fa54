import { t } from '@lingui/core/macro';
import { TextInput } from '@mantine/core';
import { SecretField } from './webhooks/secret-field.tsx';

/** A mail server, and who signs in and sends there; empty texts where there is none. */
export interface MailServer {
  url: string;
  from: string;
  user: string;
  password: string;
}

/** As `email` of a request; an empty password is the stored one. */
export const mailServerBody = ({ url, from, user, password }: MailServer) => ({
  ...{ url: url.trim(), from: from.trim() },
  ...(user !== '' && { user }),
  ...(password !== '' && { password }),
});

/** @param errors by path, as `email.url` @param isStored an empty password is the stored one */
export function MailServerFields({
  value,
  onChange,
  errors,
  isStored,
}: {
  value: MailServer;
  onChange: (changed: Partial<MailServer>) => void;
  errors: Record<string, string>;
  isStored: boolean;
}) {
  return (
    <>
      <TextInput
        label={t`Mail server`}
        description={t`smtp:// or smtps://, with the port if it is not 587 or 465`}
        placeholder="smtp://mail.example.com:587"
        dir="ltr"
        value={value.url}
        onChange={({ currentTarget }) => onChange({ url: currentTarget.value })}
        error={errors['email.url']}
        autoComplete="off"
      />
      <TextInput
        label={t`User name`}
        description={t`At the mail server. Empty: it requires none`}
        value={value.user}
        dir="ltr"
        onChange={({ currentTarget }) => onChange({ user: currentTarget.value })}
        error={errors['email.user']}
        maxLength={200}
        autoComplete="off"
      />
      {value.user !== '' && (
        <SecretField
          label={t`Password`}
          description={
            isStored
              ? t`Of the user name. Empty: unchanged, for the same mail server and user name. Stored encrypted, and never shown again`
              : t`Of the user name. Stored encrypted, and never shown again`
          }
          value={value.password}
          onChange={(password) => onChange({ password })}
          error={errors['email.password']}
        />
      )}
      <TextInput
        label={t`Sender`}
        description={t`E-mail address`}
        placeholder="risk@example.com"
        dir="ltr"
        value={value.from}
        onChange={({ currentTarget }) => onChange({ from: currentTarget.value })}
        error={errors['email.from']}
        maxLength={254}
        autoComplete="off"
      />
    </>
  );
}

import { t } from '@lingui/core/macro';
import { Group, Radio, type RadioGroupProps } from '@mantine/core';

type UserOrTeamProps = Pick<RadioGroupProps, 'name' | 'label' | 'value' | 'onChange'> & {
  /** Whether there may be none. */
  mayBeNobody?: boolean;
};

/** Chooses `user`, `team` or `none`. */
export const UserOrTeam = ({ mayBeNobody = true, ...props }: UserOrTeamProps) => (
  <Radio.Group {...props}>
    <Group mt="xs">
      <Radio value="user" label={t`User`} />
      <Radio value="team" label={t`Team`} />
      {mayBeNobody && <Radio value="none" label={t`Nobody`} />}
    </Group>
  </Radio.Group>
);

import { Group, Radio, type RadioGroupProps } from '@mantine/core';

type UserOrTeamProps = Pick<RadioGroupProps, 'name' | 'label' | 'value' | 'onChange'> & {
  /** Whether there may be none. */
  mayBeNobody?: boolean;
};

/** Chooses `user`, `team` or `none`. */
export const UserOrTeam = ({ mayBeNobody = true, ...props }: UserOrTeamProps) => (
  <Radio.Group {...props}>
    <Group mt="xs">
      <Radio value="user" label="User" />
      <Radio value="team" label="Team" />
      {mayBeNobody && <Radio value="none" label="Nobody" />}
    </Group>
  </Radio.Group>
);

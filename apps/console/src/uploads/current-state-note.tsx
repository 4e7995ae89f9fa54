import { Trans } from '@lingui/react/macro';
import { Text } from '@mantine/core';

/** Uploads ignore the selected time. */
export function CurrentStateNote() {
  return (
    <Text>
      <Trans>
        Uploads always show the <b>current</b> state. Go back to now to upload.
      </Trans>
    </Text>
  );
}

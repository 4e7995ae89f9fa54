import { Text } from '@mantine/core';

/** Uploads ignore the selected time. */
export function CurrentStateNote() {
  return (
    <Text>
      Uploads always show the <b>current</b> state. Go back to now to upload.
    </Text>
  );
}

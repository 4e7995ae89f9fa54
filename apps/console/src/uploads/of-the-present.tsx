import { Text } from '@mantine/core';

/** Uploads are the one place that the chosen instant does not move. */
export function OfThePresent() {
  return (
    <Text>
      Uploads are shown as they are <b>now</b>, whatever the instant of the other pages. Go back to now to
      upload.
    </Text>
  );
}

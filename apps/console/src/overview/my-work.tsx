import { SimpleGrid } from '@mantine/core';
import { MyQueue } from './my-queue.tsx';
import { NewFindings } from './new-findings.tsx';

/** For users who triage findings. */
export const MyWork = () => (
  <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md">
    <MyQueue />
    <NewFindings />
  </SimpleGrid>
);

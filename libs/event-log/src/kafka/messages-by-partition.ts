import type { Message, PartitionerArgs } from 'kafkajs';

interface Grouping extends Omit<PartitionerArgs, 'message'> {
  messages: Message[];
  partitioner(args: PartitionerArgs): number;
}

/** As kafkajs groups the messages of a request; it copies all messages of the partition again for each further one. */
export function messagesByPartition({ messages, partitioner, ...args }: Grouping): Record<number, Message[]> {
  const grouped: Record<number, Message[]> = {};
  if (args.partitionMetadata.length === 0) return grouped;
  for (const message of messages) {
    const partition = partitioner({ ...args, message });
    const own = grouped[partition];
    if (own) own.push(message);
    else grouped[partition] = [message];
  }
  return grouped;
}

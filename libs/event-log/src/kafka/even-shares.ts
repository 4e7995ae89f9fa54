/** The partitions of each member, by member id: as even as can be, and the same for every member. */
export function evenShares(memberIds: readonly string[], partitions: number): Map<string, number[]> {
  const members = [...memberIds].sort();
  const shares = new Map<string, number[]>(members.map((member) => [member, []]));
  for (let partition = 0; partition < partitions; partition++) {
    shares.get(members[partition % members.length]!)!.push(partition);
  }
  return shares;
}

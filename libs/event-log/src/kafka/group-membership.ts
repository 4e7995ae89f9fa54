import { setTimeout } from 'node:timers/promises';
import type { Broker, GroupMember, GroupState } from 'kafkajs';
import type { Position } from '../event-log.ts';
import { isProtocolError } from './client-error.ts';
import { evenShares } from './even-shares.ts';
import { AssignerProtocol } from './kafkajs.ts';
import type { TopicCluster } from './topic-cluster.ts';

/** A member without heartbeats for so long is removed; it must notice this before others act on it. */
export const SESSION_MS = 10_000;
/** How long the others wait for a member to finish its batches before they continue without it. */
const REBALANCE_MS_MAX = 30_000;
/** How long a join is tried while the group rebalances, or its coordinator starts or moves. */
const JOIN_MS_MAX = 20_000;
const JOIN_PAUSE_MS = 250;
/** Of the metadata that members exchange. */
const VERSION = 0;

/**
 * Requests of the classic group protocol that kafkajs' broker supports beyond its declared type (it supports no other
 * protocol).
 */
interface Coordinator extends Broker {
  joinGroup(request: {
    groupId: string;
    memberId: string;
    sessionTimeout: number;
    rebalanceTimeout: number;
    groupProtocols: GroupState[];
  }): Promise<{ generationId: number; memberId: string; leaderId: string; members: GroupMember[] }>;
  syncGroup(request: {
    groupId: string;
    memberId: string;
    generationId: number;
    groupAssignment: { memberId: string; memberAssignment: Buffer }[];
  }): Promise<{ memberAssignment: Buffer }>;
  heartbeat(request: { groupId: string; memberId: string; groupGenerationId: number }): Promise<unknown>;
  leaveGroup(request: { groupId: string; memberId: string }): Promise<unknown>;
}

/** `rebalancing`: the group waits for this member to join again. `lost`: it is no longer a member. */
export type MembershipState = 'member' | 'rebalancing' | 'lost';

/** A consumer's membership in a Kafka group; who calls it decides when partitions are given up, and joins only then. */
export class GroupMembership {
  private coordinator: Coordinator | undefined;
  private memberId = '';
  private generationId = -1;

  constructor(
    private readonly cluster: TopicCluster,
    private readonly group: string,
    private readonly topic: string,
    private readonly partitions: number,
  ) {}

  /**
   * Joins, or joins again; returns the partitions that are this member's now. Waits for the members there are, and some
   * seconds for a coordinator: the topic that it keeps its groups in is created with the first group.
   */
  async join(): Promise<number[]> {
    const deadline = performance.now() + JOIN_MS_MAX;
    for (;;) {
      try {
        return await this.joinOnce();
      } catch (error) {
        this.coordinator = undefined;
        if (isProtocolError(error, 'UNKNOWN_MEMBER_ID')) this.memberId = '';
        const mayRetry = isProtocolError(error, 'UNKNOWN_MEMBER_ID', ...REBALANCING, ...MOVED);
        if (!mayRetry || performance.now() > deadline) throw error;
        // A coordinator that is not there yet needs a moment; an existing one gets the next join soon enough.
        if (isProtocolError(error, ...MOVED)) await setTimeout(JOIN_PAUSE_MS);
      }
    }
  }

  /** @throws Error if the coordinator could not be asked: that says nothing about the membership */
  async heartbeat(): Promise<MembershipState> {
    try {
      const coordinator = await this.findCoordinator();
      const { group: groupId, memberId, generationId: groupGenerationId } = this;
      await coordinator.heartbeat({ groupId, memberId, groupGenerationId });
      return 'member';
    } catch (error) {
      if (isProtocolError(error, 'REBALANCE_IN_PROGRESS')) return 'rebalancing';
      if (isProtocolError(error, 'UNKNOWN_MEMBER_ID', 'ILLEGAL_GENERATION')) return 'lost';
      this.coordinator = undefined;
      throw error;
    }
  }

  /** Reports the progress of the group to lag tools; nothing else reads it. */
  async commit(positions: Position[]): Promise<void> {
    const coordinator = await this.findCoordinator();
    const partitions = positions.map(({ partition, offset }) => ({ partition, offset: `${offset}` }));
    await coordinator.offsetCommit({
      groupId: this.group,
      memberId: this.memberId,
      groupGenerationId: this.generationId,
      topics: [{ topic: this.topic, partitions }],
    });
  }

  /** Never throws: an unreachable coordinator removes the member after `SESSION_MS`. */
  async leave(): Promise<void> {
    if (this.memberId === '') return;
    try {
      const coordinator = await this.findCoordinator();
      await coordinator.leaveGroup({ groupId: this.group, memberId: this.memberId });
    } catch {
      // It owns no partition any more.
    } finally {
      this.memberId = '';
    }
  }

  private async findCoordinator(): Promise<Coordinator> {
    const { cluster } = this.cluster;
    // kafkajs connects it if it is not.
    this.coordinator = this.coordinator?.isConnected()
      ? this.coordinator
      : ((await cluster.findGroupCoordinator({ groupId: this.group })) as Coordinator);
    return this.coordinator;
  }

  private async joinOnce(): Promise<number[]> {
    const coordinator = await this.findCoordinator();
    const { group: groupId, topic } = this;
    const { generationId, memberId, leaderId, members } = await coordinator.joinGroup({
      groupId,
      memberId: this.memberId,
      sessionTimeout: SESSION_MS,
      rebalanceTimeout: REBALANCE_MS_MAX,
      groupProtocols: [
        {
          name: 'posture-even',
          metadata: AssignerProtocol.MemberMetadata.encode({
            version: VERSION,
            topics: [topic],
            userData: Buffer.alloc(0),
          }),
        },
      ],
    });
    this.memberId = memberId;
    this.generationId = generationId;
    const groupAssignment = memberId === leaderId ? this.assignmentsOf(members) : [];
    const synced = await coordinator.syncGroup({ groupId, memberId, generationId, groupAssignment });
    const own = AssignerProtocol.MemberAssignment.decode(synced.memberAssignment);
    return own?.assignment[topic] ?? [];
  }

  /** Members of one group may follow different topics. The members that follow a topic share its partitions. */
  private assignmentsOf(members: GroupMember[]): { memberId: string; memberAssignment: Buffer }[] {
    return [...new Set(members.map(topicOf))].flatMap((topic) => {
      const followers = members.filter((member) => topicOf(member) === topic);
      const memberIds = followers.map(({ memberId }) => memberId);
      return [...evenShares(memberIds, this.partitions)].map(([memberId, partitions]) => ({
        memberId,
        memberAssignment: AssignerProtocol.MemberAssignment.encode({
          version: VERSION,
          assignment: { [topic]: partitions },
          userData: Buffer.alloc(0),
        }),
      }));
    });
  }
}

const topicOf = ({ memberMetadata }: GroupMember): string =>
  AssignerProtocol.MemberMetadata.decode(memberMetadata)!.topics[0]!;

const REBALANCING = ['REBALANCE_IN_PROGRESS', 'ILLEGAL_GENERATION'];
const MOVED = ['NOT_COORDINATOR_FOR_GROUP', 'GROUP_COORDINATOR_NOT_AVAILABLE', 'GROUP_LOAD_IN_PROGRESS'];

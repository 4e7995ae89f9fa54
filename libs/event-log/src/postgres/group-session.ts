import { connectionSettings, PrimaryClient } from '#libs/database';
import { NOTIFY_CHANNEL } from './append-records.ts';
import { readEnds } from './read-records.ts';

/** A session that does not answer within this is given up, and with it the partitions. */
const ANSWER_TIMEOUT_MS = 5_000;

/**
 * A machine that is lost while a notification is under way to it is missed within ten seconds, and not after a quarter of
 * an hour. The keepalives of `connectionSettings` wait for its acknowledgement.
 */
const MISSED_SOON = 'set tcp_user_timeout = 10000';

const lockKey = (parameter: string) => `hashtextextended(${parameter}, 0)`;

/** The members are the holders of the group's shared lock: a dead one holds no lock. */
const COUNT_MEMBERS = `
  select count(*) as members, count(*) filter (where pid < pg_backend_pid()) as place from pg_locks, ${lockKey('$1')} as key
  where locktype = 'advisory' and objsubid = 1 and granted
    and database = (select oid from pg_database where datname = current_database())
    and classid = ((key >> 32) & 4294967295)::oid and objid = (key & 4294967295)::oid`;

const HOLD = `
  select partition from unnest($2::int[]) as partition
  where pg_try_advisory_lock(${lockKey(`$1 || partition`)}) limit $3`;

/**
 * A consumer's membership in its group: one connection that holds an advisory lock for each of its partitions and
 * receives notifications of appends. Whatever ends the connection ends the membership, and the partitions are free for
 * others.
 */
export class GroupSession {
  private readonly memberName: string;
  private readonly partitionPrefix: string;
  private hasEnded = false;

  private constructor(
    private readonly client: PrimaryClient,
    private readonly topic: string,
    group: string,
  ) {
    this.memberName = `posture member ${JSON.stringify([group, topic])}`;
    this.partitionPrefix = `posture partition ${JSON.stringify([group, topic])} `;
  }

  /**
   * @param onWake called at every append to the topic, and when the session has ended
   */
  static async join(url: string, topic: string, group: string, onWake: () => void): Promise<GroupSession> {
    const client = new PrimaryClient({
      ...connectionSettings(url),
      statement_timeout: ANSWER_TIMEOUT_MS,
      query_timeout: ANSWER_TIMEOUT_MS,
      application_name: `posture consumer ${group}`.slice(0, 63),
    });
    const session = new GroupSession(client, topic, group);
    client.on('error', () => undefined);
    client.on('end', () => {
      session.hasEnded = true;
      onWake();
    });
    client.on('notification', ({ payload }) => {
      if (payload === topic) onWake();
    });
    try {
      await client.connect();
      await client.query(MISSED_SOON);
      await client.query(`listen ${NOTIFY_CHANNEL}`);
      await client.query(`select pg_advisory_lock_shared(${lockKey('$1')})`, [session.memberName]);
    } catch (error) {
      await session.leave();
      throw error;
    }
    return session;
  }

  get isLost(): boolean {
    return this.hasEnded;
  }

  /** How many of `partitions` this member should hold; the shares of all members add up to them. */
  async shareOf(partitions: number): Promise<number> {
    const { rows } = await this.client.query(COUNT_MEMBERS, [this.memberName]);
    const { members, place } = rows[0];
    return Math.floor(partitions / members) + Number(place < partitions % members);
  }

  /** Locks up to `max` of the given partitions that no other member has locked; returns which. */
  async hold(partitions: number[], max: number): Promise<number[]> {
    const { rows } = await this.client.query(HOLD, [this.partitionPrefix, partitions, max]);
    return rows.map(({ partition }) => partition);
  }

  async release(partition: number): Promise<void> {
    await this.client.query(`select pg_advisory_unlock(${lockKey('$1')})`, [
      `${this.partitionPrefix}${partition}`,
    ]);
  }

  ends(): Promise<Map<number, number>> {
    return readEnds(this.client, this.topic);
  }

  /** Releases all locks; never throws, because a lost session has no locks. */
  async leave(): Promise<void> {
    if (!this.hasEnded) await this.client.query('select pg_advisory_unlock_all()').catch(() => undefined);
    await this.client.end().catch(() => undefined);
  }
}

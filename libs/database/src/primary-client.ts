import pg from 'pg';

/** The parameter by which PostgreSQL states to each new session whether it is one on a standby. */
const IN_HOT_STANDBY = 'in_hot_standby';
/** SQLSTATE of "cannot connect now": a program waits, and tries again. */
const CANNOT_CONNECT_NOW = '57P03';

type ConnectCallback = Parameters<pg.Client['connect']>[0];

/**
 * A connection that is not made to a standby. It takes no writes, its rows may be behind what this program has read, and
 * a connection to it would outlive the moment of a failover in which the address led there.
 */
export class PrimaryClient extends pg.Client {
  private isOnStandby = false;

  constructor(config?: string | pg.ClientConfig) {
    super(config);
    this.connection.on('parameterStatus', (status: { parameterName: string; parameterValue: string }) => {
      if (status.parameterName === IN_HOT_STANDBY) this.isOnStandby = status.parameterValue === 'on';
    });
  }

  override connect(): Promise<pg.Client>;
  override connect(callback: ConnectCallback): void;
  override connect(callback?: ConnectCallback): Promise<pg.Client> | undefined {
    if (!callback) {
      return new Promise((resolve, reject) => {
        this.connect((error: Error | null) => (error ? reject(error) : resolve(this)));
      });
    }
    // At once, because an error may follow for which the callback begins to listen.
    super.connect((error: Error | null) => {
      const failure = error ?? this.refusal();
      if (failure) (callback as (error: Error) => void)(failure);
      else (callback as (error: null, client: pg.Client) => void)(null, this);
    });
    return undefined;
  }

  private refusal(): Error | null {
    if (!this.isOnStandby) return null;
    void this.end();
    this.connection.stream.destroy();
    const message = 'the server of DATABASE_URL is a standby, which takes no writes';
    return Object.assign(new Error(message), { code: CANNOT_CONNECT_NOW });
  }
}

import { ASSETS_TOPIC, FINDINGS_TOPIC } from '#libs/contracts';
import { kafkaFixture, postgresFixture } from '../../../../libs/publish/src/publish-fixture.contract.ts';
import { describeKafka } from '../../../../test/support/kafka.ts';
import { describePublishing } from './publish.contract.ts';
import { QUARANTINE_TOPIC } from './quarantine-outbox.ts';

describePublishing('PostgreSQL', postgresFixture);

describeKafka('Apache Kafka', (brokers) => {
  describePublishing('Kafka', () =>
    kafkaFixture(brokers(), [FINDINGS_TOPIC, ASSETS_TOPIC, QUARANTINE_TOPIC]),
  );
});

import { ASSETS_TOPIC, FINDINGS_TOPIC } from '#libs/contracts';
import { describePublishing } from '../../../../test/contracts/publish-changes.ts';
import { kafkaFixture, postgresFixture } from '../../../../test/fixtures/publish/publish-fixture.ts';
import { describeKafka } from '../../../../test/support/kafka.ts';
import { QUARANTINE_TOPIC } from './quarantine-outbox.ts';

describePublishing('PostgreSQL', postgresFixture);

describeKafka('Apache Kafka', (brokers) => {
  describePublishing('Kafka', () =>
    kafkaFixture(brokers(), [FINDINGS_TOPIC, ASSETS_TOPIC, QUARANTINE_TOPIC]),
  );
});

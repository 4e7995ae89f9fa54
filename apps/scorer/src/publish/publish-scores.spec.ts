import { SCORES_TOPIC } from '#libs/contracts';
import { describeScorePublishing } from '../../../../test/contracts/publish-scores.ts';
import { kafkaFixture, postgresFixture } from '../../../../test/fixtures/publish/publish-fixture.ts';
import { describeKafka } from '../../../../test/support/kafka.ts';

describeScorePublishing('PostgreSQL', postgresFixture);

describeKafka('Apache Kafka', (brokers) => {
  describeScorePublishing('Kafka', () => kafkaFixture(brokers(), [SCORES_TOPIC]));
});

import { SCORES_TOPIC } from '#libs/contracts';
import { kafkaFixture, postgresFixture } from '../../../../libs/publish/src/publish-fixture.contract.ts';
import { describeKafka } from '../../../../test/support/kafka.ts';
import { describeScorePublishing } from './publish-scores.contract.ts';

describeScorePublishing('PostgreSQL', postgresFixture);

describeKafka('Apache Kafka', (brokers) => {
  describeScorePublishing('Kafka', () => kafkaFixture(brokers(), [SCORES_TOPIC]));
});
